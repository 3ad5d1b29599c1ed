//! What a name that a model used means.

use super::Catalog;
use super::menu::Menu;
use super::nearest::nearest;
use super::tree::{Container, Entry, Node};
use crate::transcript::{Openings, Text};

/// What a name the model used means.
#[non_exhaustive]
pub enum Resolution<'a> {
    /// This tool, which the model sees.
    Tool(&'a Entry),
    /// This tool, which the model does not see.
    Hidden(Hidden<'a>),
    /// This container.
    Container(&'a Container),
    /// No tool; these names come nearest.
    Unknown {
        /// The nearest names, nearest first.
        nearest: Vec<Text>,
    },
}

/// A tool that the model does not see, and what has to be opened for it.
pub struct Hidden<'a> {
    /// The tool.
    pub entry: &'a Entry,
    /// The containers that are closed, the outermost first.
    pub closed: Vec<&'a Container>,
    /// The container it stands in.
    pub container: &'a Container,
}

impl Catalog {
    /// What a name means while these containers are open and this menu is shown: the exact name first, then the
    /// qualified spellings of an identity.
    #[must_use]
    pub fn resolve<'a>(&'a self, name: &str, openings: &Openings, menu: &Menu) -> Resolution<'a> {
        match self.node(name) {
            Some(Node::Container(index)) => match self.tree.containers.get(index) {
                Some(container) => Resolution::Container(container),
                None => self.unknown(name),
            },
            Some(Node::Tool(index)) => match self.tree.entries.get(index) {
                Some(entry) if menu.shows(Node::Tool(index)) => Resolution::Tool(entry),
                Some(entry) => self.hidden(index, entry, openings),
                None => self.unknown(name),
            },
            None => self.unknown(name),
        }
    }

    /// The tool or container of a name in any of its spellings.
    fn node(&self, name: &str) -> Option<Node> {
        let exact = self.by_name.get(name).copied();
        exact.or_else(|| self.index_of(name).map(Node::Tool)).or_else(|| self.by_spelling(name))
    }

    /// `Harness__tool` or `Harness_tool`, the longest harness first.
    fn by_spelling(&self, name: &str) -> Option<Node> {
        let spelled = self.tree.entries.iter().enumerate().filter_map(|(index, entry)| {
            let (harness, tool) = entry.identity.rsplit_once('.')?;
            let rest = name.strip_prefix(harness)?;
            let rest = rest.strip_prefix("__").or_else(|| rest.strip_prefix('_'))?;
            (rest == tool).then_some((harness.len(), index))
        });
        // The first of those that are equally long.
        let longest = spelled.reduce(|best, next| if next.0 > best.0 { next } else { best });
        longest.map(|(_, index)| Node::Tool(index))
    }

    fn hidden<'a>(&'a self, index: usize, entry: &'a Entry, openings: &Openings) -> Resolution<'a> {
        let chains = self.owners_of(index).map(|owner| (owner, self.closed(owner, openings)));
        // The shortest way in; the harness's own before others of its length.
        let shortest = chains.reduce(|best, next| if next.1.len() < best.1.len() { next } else { best });
        match shortest {
            Some((container, closed)) => Resolution::Hidden(Hidden { entry, closed, container }),
            None => Resolution::Tool(entry),
        }
    }

    /// A container and those around it, as far as they are closed, the outermost first.
    pub(crate) fn closed<'a>(&'a self, container: &'a Container, openings: &Openings) -> Vec<&'a Container> {
        let mut closed = Vec::new();
        let mut next = Some(container);
        while let Some(container) = next {
            if openings.of(&container.name).is_none() {
                closed.push(container);
            }
            next = container.parent.and_then(|parent| self.tree.containers.get(parent));
        }
        closed.reverse();
        closed
    }

    fn unknown(&self, name: &str) -> Resolution<'_> {
        let containers = self.tree.containers.iter().map(|container| &container.name);
        Resolution::Unknown {
            nearest: nearest(name, self.tree.entries.iter().map(|entry| &entry.name).chain(containers)),
        }
    }
}
