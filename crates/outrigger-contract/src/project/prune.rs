//! Taking out of a plan what changes nothing, so that a plan without changes is empty and free.

use crate::plan::{PlanNode, WirePlan};

/// Drops references to definitions in which nothing changes, and nodes that are empty then. A definition that refers
/// to itself and changes nothing else changes nothing.
pub(super) fn prune(wire: &mut WirePlan) {
    let mut matters: Vec<bool> = wire.defs.iter().map(changes).collect();
    loop {
        let reaching: Vec<bool> =
            wire.defs.iter().zip(&matters).map(|(def, already)| *already || reaches(def, &matters)).collect();
        if reaching == matters {
            break;
        }
        matters = reaching;
    }
    for node in wire.defs.iter_mut().chain([&mut wire.root]) {
        prune_node(node, &matters);
    }
    if !matters.contains(&true) {
        wire.defs.clear();
    }
}

/// Whether a node changes something itself, references aside.
fn changes(node: &PlanNode) -> bool {
    !node.values.is_empty()
        || node
            .children
            .iter()
            .any(|child| child.name.is_some() || child.null_is_absent || child.hidden || changes(&child.node))
}

fn reaches(node: &PlanNode, matters: &[bool]) -> bool {
    refers(node, matters) || node.children.iter().any(|child| reaches(&child.node, matters))
}

fn refers(node: &PlanNode, matters: &[bool]) -> bool {
    let index = node.reference.and_then(|index| usize::try_from(index).ok());
    index.and_then(|index| matters.get(index)).is_some_and(|matters| *matters)
}

fn prune_node(node: &mut PlanNode, matters: &[bool]) {
    if !refers(node, matters) {
        node.reference = None;
    }
    for child in &mut node.children {
        prune_node(&mut child.node, matters);
    }
    node.children
        .retain(|child| child.name.is_some() || child.null_is_absent || child.hidden || !child.node.is_empty());
}
