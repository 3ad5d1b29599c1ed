//! Every tool of an agent as one immutable tree; what is visible now.

mod collapsing;
mod menu;
mod nearest;
mod prompts;
mod resolve;
mod tree;
mod visible;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use collapsing::{Collapsing, Reveal};
pub(crate) use menu::NoArguments;
pub use menu::{Menu, MenuItem, Menus};
pub(crate) use nearest::nearest;
pub(crate) use prompts::opened;
pub use resolve::{Hidden, Resolution};
pub(crate) use tree::Source;
pub use tree::{Container, Entry, UnknownNever};

use crate::transcript::{ContainerOpened, Openings, Text};
use tree::{Node, Tree};

/// Every tool of an agent, and the containers they stand in. It never changes; what a model sees of it is a [`Menu`].
#[derive(Clone)]
pub struct Catalog {
    tree: Tree,
    collapsing: Collapsing,
    /// Tools and containers by the model's name for them.
    by_name: HashMap<Text, Node>,
    /// The containers that hold each tool, by its number.
    owners: HashMap<usize, Vec<usize>>,
}

/// Two tools or containers whose names the model could not tell apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the name {name:?} is offered by {first} and by {second}; a model could not tell them apart: rename one of them"
)]
pub struct DuplicateName {
    /// The name.
    pub name: Text,
    /// One source.
    pub first: Text,
    /// The other.
    pub second: Text,
}

/// Something wrong with what a catalog is made of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogProblem {
    /// Two tools or containers share a name.
    #[error(transparent)]
    Duplicate(#[from] DuplicateName),
    /// A name under `never` that no harness has.
    #[error(transparent)]
    UnknownNever(#[from] UnknownNever),
}

/// A name that no container has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoContainer {
    /// The name.
    pub name: Text,
    /// The nearest names there are.
    pub nearest: Vec<Text>,
    /// Every container.
    pub known: Vec<Text>,
}

impl std::fmt::Display for NoContainer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "there is no container {:?}", self.name)?;
        match (self.nearest.first(), self.known.as_slice()) {
            (Some(near), _) => write!(out, "; did you mean {near:?}?"),
            (None, []) => write!(out, ": nothing of this agent collapses"),
            (None, known) => write!(out, "; there are: {}", known.join(", ")),
        }
    }
}

impl std::error::Error for NoContainer {}

impl Catalog {
    /// A catalog of what an agent is given, in this order.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub(crate) fn new(sources: Vec<Source>, collapsing: Collapsing) -> Result<Self, Vec<CatalogProblem>> {
        let tree = Tree::new(sources, &collapsing)
            .map_err(|unknown| unknown.into_iter().map(Into::into).collect::<Vec<CatalogProblem>>())?;
        let (by_name, duplicates) = named(&tree);
        if !duplicates.is_empty() {
            return Err(duplicates.into_iter().map(Into::into).collect());
        }
        let owners = owners(&tree);
        Ok(Self { tree, collapsing, by_name, owners })
    }

    /// The same catalog and one tool more that stands alone, for one run.
    ///
    /// # Errors
    /// When something else has its name.
    pub fn with(&self, entry: Entry) -> Result<Self, DuplicateName> {
        if let Some(first) = self.by_name.get(&entry.name).and_then(|node| source_of(&self.tree, *node)) {
            return Err(DuplicateName { name: entry.name, first, second: entry.source });
        }
        let mut catalog = self.clone();
        let name = entry.name.clone();
        let node = catalog.tree.add(entry);
        catalog.tree.top.push(node);
        catalog.by_name.insert(name, node);
        Ok(catalog)
    }

    /// Every tool, in order, visible or not.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.tree.entries
    }

    /// Every container, an outer one before those in it.
    #[must_use]
    pub fn containers(&self) -> &[Container] {
        &self.tree.containers
    }

    /// The container of a name.
    #[must_use]
    pub fn container(&self, name: &str) -> Option<&Container> {
        match self.tree.numbers.get(name)? {
            Node::Container(index) => self.tree.containers.get(*index),
            Node::Tool(_) => None,
        }
    }

    /// How the agent collapses.
    #[must_use]
    pub fn collapsing(&self) -> &Collapsing {
        &self.collapsing
    }

    /// Instructions of harnesses that could collapse and do not: they are open for every run.
    #[must_use]
    pub fn standing_instructions(&self) -> &[Text] {
        &self.tree.standing
    }

    /// The entry of an identity; `/` is accepted for `.`.
    #[must_use]
    pub fn by_identity(&self, identity: &str) -> Option<&Entry> {
        self.tree.entries.get(self.index_of(identity)?)
    }

    /// The containers that hold a tool directly; none for one that is always visible.
    pub fn owners(&self, identity: &str) -> impl Iterator<Item = &Container> {
        self.index_of(identity).into_iter().flat_map(|index| self.owners_of(index))
    }

    /// What a container holds: its own tools, and the containers in it.
    pub fn members<'a>(&'a self, container: &'a Container) -> impl Iterator<Item = (&'a Text, &'a Text)> {
        container.members.iter().filter_map(|node| match node {
            Node::Tool(index) => self.tree.entries.get(*index).map(|one| (&one.name, &one.tool.spec().description)),
            Node::Container(index) => self.tree.containers.get(*index).map(|one| (&one.name, &one.description)),
        })
    }

    /// These containers open, those around them too, as if a model had opened them in this order.
    ///
    /// # Errors
    /// The first name that no container has.
    pub fn openings<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<Openings, NoContainer> {
        let mut openings = Openings::default();
        for name in names {
            let container = self.container(name).ok_or_else(|| self.no_container(name))?;
            for closed in self.closed(container, &openings.clone()) {
                openings.open(&self.opening(closed));
            }
        }
        Ok(openings)
    }

    fn no_container(&self, name: &str) -> NoContainer {
        let names = || self.tree.containers.iter().map(|one| &one.name);
        NoContainer { name: name.into(), nearest: nearest(name, names()), known: names().cloned().collect() }
    }

    /// The fact that a container is opened now.
    pub(crate) fn opening(&self, container: &Container) -> ContainerOpened {
        container.opened()
    }

    fn owners_of(&self, tool: usize) -> impl Iterator<Item = &Container> {
        let owners = self.owners.get(&tool).into_iter().flatten();
        owners.filter_map(|index| self.tree.containers.get(*index))
    }

    fn index_of(&self, identity: &str) -> Option<usize> {
        let found = self.tree.numbers.get(identity);
        match found.or_else(|| self.tree.numbers.get(identity.replace('/', ".").as_str()))? {
            Node::Tool(index) => Some(*index),
            Node::Container(_) => None,
        }
    }
}

fn named(tree: &Tree) -> (HashMap<Text, Node>, Vec<DuplicateName>) {
    let tools = tree.entries.iter().enumerate().map(|(index, entry)| (&entry.name, Node::Tool(index)));
    let containers = tree.containers.iter().enumerate().map(|(index, one)| (&one.name, Node::Container(index)));
    let mut by_name: HashMap<Text, Node> = HashMap::with_capacity(tree.entries.len());
    let mut duplicates = Vec::new();
    for (name, node) in tools.chain(containers) {
        match by_name.get(name) {
            Some(first) => duplicates.push(DuplicateName {
                name: name.clone(),
                first: source_of(tree, *first).unwrap_or_default(),
                second: source_of(tree, node).unwrap_or_default(),
            }),
            None => drop(by_name.insert(name.clone(), node)),
        }
    }
    (by_name, duplicates)
}

fn source_of(tree: &Tree, node: Node) -> Option<Text> {
    match node {
        Node::Tool(index) => tree.entries.get(index).map(|entry| entry.source.clone()),
        Node::Container(index) => tree.containers.get(index).map(|one| format!("the container {}", one.name).into()),
    }
}

fn owners(tree: &Tree) -> HashMap<usize, Vec<usize>> {
    let mut owners: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, container) in tree.containers.iter().enumerate() {
        for member in &container.members {
            if let Node::Tool(tool) = member {
                owners.entry(*tool).or_default().push(index);
            }
        }
    }
    owners
}
