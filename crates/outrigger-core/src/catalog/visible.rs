//! What is visible: a pure function of the tree and of what is open.

use std::collections::HashSet;

use super::collapsing::{Collapsing, Reveal};
use super::tree::{Container, Node, Tree};
use crate::transcript::{Opening, Openings};

/// What a model sees.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Visible {
    /// In the order it sees them.
    pub(super) nodes: Vec<Node>,
    /// The same, for membership.
    pub(super) shown: HashSet<Node>,
    /// Whether members of an open container have to be searched for.
    pub(super) searching: bool,
}

/// What is visible while these containers are open. The base order is that of the tree; what an opening brings comes
/// after everything that was there before, in the order of the openings.
pub(super) fn visible(tree: &Tree, openings: &Openings, collapsing: &Collapsing) -> Visible {
    let open: Vec<(usize, &Opening)> = openings.list().iter().filter_map(|one| numbered(tree, one)).collect();
    let mut seen = Seen { open: &open, keep: collapsing.reveal == Reveal::Append, visible: Visible::default() };
    tree.top.iter().for_each(|node| seen.show(*node));
    for (index, opening) in &open {
        let Some(container) = tree.containers.get(*index) else { continue };
        if is_big(container, collapsing) {
            seen.visible.searching = true;
            let found = opening.revealed.iter().filter_map(|identity| tree.numbers.get(identity));
            found.for_each(|node| seen.show(*node));
        } else {
            container.members.iter().for_each(|node| seen.show(*node));
        }
    }
    seen.visible
}

/// Whether its members are searched for instead of shown.
pub(super) fn is_big(container: &Container, collapsing: &Collapsing) -> bool {
    let over = usize::try_from(collapsing.search_over).unwrap_or(usize::MAX);
    over > 0 && container.members.len() > over
}

fn numbered<'a>(tree: &Tree, opening: &'a Opening) -> Option<(usize, &'a Opening)> {
    match tree.numbers.get(&opening.opened.container)? {
        Node::Container(index) => Some((*index, opening)),
        Node::Tool(_) => None,
    }
}

struct Seen<'a> {
    open: &'a [(usize, &'a Opening)],
    /// Whether an open container stays where it was.
    keep: bool,
    visible: Visible,
}

impl Seen<'_> {
    /// Shows a node, once, unless it is a container whose members stand for it.
    fn show(&mut self, node: Node) {
        let replaced = match node {
            Node::Container(index) => !self.keep && self.open.iter().any(|(open, _)| *open == index),
            Node::Tool(_) => false,
        };
        if !replaced && self.visible.shown.insert(node) {
            self.visible.nodes.push(node);
        }
    }
}
