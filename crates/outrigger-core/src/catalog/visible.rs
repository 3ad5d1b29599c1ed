//! What is visible: a pure function of the tree and of what is open.

use std::collections::HashSet;

use super::collapsing::{Collapsing, Reveal};
use super::tree::{Node, Tree};
use crate::transcript::{Opening, Openings};

/// What a model sees.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Visible {
    /// In the order it sees them.
    pub(super) nodes: Vec<Node>,
    /// The same, for membership.
    pub(super) shown: HashSet<Node>,
}

/// What is visible while these containers are open. The base order is that of the tree; what an opening brings comes
/// after everything that was there before, in the order of the openings.
pub(super) fn visible(tree: &Tree, openings: &Openings, collapsing: &Collapsing) -> Visible {
    let open: Vec<usize> = openings.list().iter().filter_map(|one| numbered(tree, one)).collect();
    let mut seen = Seen { open: &open, keep: collapsing.reveal == Reveal::Append, visible: Visible::default() };
    tree.top.iter().for_each(|node| seen.show(*node));
    for container in open.iter().filter_map(|index| tree.containers.get(*index)) {
        container.members.iter().for_each(|node| seen.show(*node));
    }
    seen.visible
}

fn numbered(tree: &Tree, opening: &Opening) -> Option<usize> {
    match tree.numbers.get(&opening.opened.container)? {
        Node::Container(index) => Some(*index),
        Node::Tool(_) => None,
    }
}

struct Seen<'a> {
    open: &'a [usize],
    /// Whether an open container stays where it was.
    keep: bool,
    visible: Visible,
}

impl Seen<'_> {
    /// Shows a node, once, unless it is a container whose members stand for it.
    fn show(&mut self, node: Node) {
        let replaced = match node {
            Node::Container(index) => !self.keep && self.open.contains(&index),
            Node::Tool(_) => false,
        };
        if !replaced && self.visible.shown.insert(node) {
            self.visible.nodes.push(node);
        }
    }
}
