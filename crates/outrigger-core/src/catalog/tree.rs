//! What an agent is given, as a tree of containers and tools.

use std::collections::HashMap;
use std::sync::Arc;

use super::collapsing::Collapsing;
use super::nearest::nearest;
use crate::harness::{Collapse, Harness};
use crate::tool::Tool;
use crate::transcript::{ContainerOpened, Lifetime, Text};

/// Something an agent is given.
#[derive(Clone)]
pub(crate) enum Source {
    /// A tool that stands alone.
    Tool(Arc<dyn Tool>),
    /// A harness; the collapse, where there is one, is used in place of its own.
    Harness { harness: Arc<dyn Harness>, collapse: Option<Collapse> },
}

/// One tool of a catalog.
#[derive(Clone)]
pub struct Entry {
    /// `Harness.tool`, or the plain name of a tool that stands alone.
    pub identity: Text,
    /// The model's name for it.
    pub name: Text,
    /// Where it comes from.
    pub source: Text,
    /// The tool.
    pub tool: Arc<dyn Tool>,
}

/// A group that stands behind one tool.
#[derive(Clone)]
pub struct Container {
    /// Its name, for the model too.
    pub name: Text,
    /// What it is for.
    pub description: Text,
    /// The container it stands in.
    pub(super) parent: Option<usize>,
    outer: Option<Text>,
    /// What is in it, in order.
    pub(super) members: Vec<Node>,
    lifetime: Lifetime,
    unlisted: bool,
    harness: Arc<dyn Harness>,
    collapse: Option<Collapse>,
}

/// A place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// The entry of this number.
    Tool(usize),
    /// The container of this number.
    Container(usize),
}

/// The tree, and what stands beside it.
#[derive(Clone, Default)]
pub(super) struct Tree {
    pub(super) entries: Vec<Entry>,
    pub(super) containers: Vec<Container>,
    /// What stands in no container, in order.
    pub(super) top: Vec<Node>,
    /// Instructions of harnesses that could collapse and do not.
    pub(super) standing: Vec<Text>,
    /// Tools by identity, containers by name.
    pub(super) numbers: HashMap<Text, Node>,
}

/// A name under `never` that no harness has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("collapsing.never names {name:?}, which is no harness of this agent{}", near(nearest))]
pub struct UnknownNever {
    /// The name.
    pub name: Text,
    /// The nearest names there are.
    pub nearest: Vec<Text>,
}

fn near(nearest: &[Text]) -> String {
    nearest.first().map(|name| format!("; did you mean {name:?}?")).unwrap_or_default()
}

impl Source {
    /// Every tool of it.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        match self {
            Self::Tool(tool) => vec![Entry::alone(Arc::clone(tool))],
            Self::Harness { harness, .. } => entries_of(harness),
        }
    }
}

fn entries_of(harness: &Arc<dyn Harness>) -> Vec<Entry> {
    let tools = Arc::clone(harness).tools().into_iter().map(|tool| Entry::of(harness.name(), tool));
    let parts = Arc::clone(harness).parts();
    tools.chain(parts.iter().flat_map(entries_of)).collect()
}

impl Entry {
    /// The entry of a tool that stands alone.
    #[must_use]
    pub fn alone(tool: Arc<dyn Tool>) -> Self {
        let name = Arc::clone(&tool.spec().name);
        Self { identity: Arc::clone(&name), source: Arc::clone(&name), name, tool }
    }

    fn of(harness: &str, tool: Arc<dyn Tool>) -> Self {
        let name = Arc::clone(&tool.spec().name);
        Self { identity: format!("{harness}.{name}").into(), name, source: harness.into(), tool }
    }
}

impl Container {
    /// The container it stands in, by name.
    #[must_use]
    pub fn outer(&self) -> Option<&str> {
        self.outer.as_deref()
    }

    /// Whether opening it tells only what its author had it say.
    #[must_use]
    pub fn is_unlisted(&self) -> bool {
        self.unlisted
    }

    /// The fact that it is opened now, with what it says at this moment.
    pub(super) fn opened(&self) -> ContainerOpened {
        let Collapse { result, instructions, .. } =
            self.collapse.clone().or_else(|| self.harness.collapse()).unwrap_or_default();
        ContainerOpened {
            container: self.name.clone(),
            parent: self.outer.clone(),
            lifetime: self.lifetime,
            result,
            instructions,
        }
    }
}

impl Tree {
    pub(super) fn new(sources: Vec<Source>, collapsing: &Collapsing) -> Result<Self, Vec<UnknownNever>> {
        let mut tree = Self::default();
        let mut names = Vec::new();
        for source in sources {
            match source {
                Source::Tool(tool) => {
                    let node = tree.add(Entry::alone(tool));
                    tree.top.push(node);
                }
                Source::Harness { harness, collapse } => {
                    let nodes = tree.grow(harness, collapse, None, collapsing, &mut names);
                    tree.top.extend(nodes);
                }
            }
        }
        let unknown = collapsing.never.iter().filter(|name| !names.iter().any(|known| **known == ***name));
        let unknown: Vec<UnknownNever> = unknown
            .map(|name| UnknownNever { name: name.as_str().into(), nearest: nearest(name, names.iter()) })
            .collect();
        if unknown.is_empty() { Ok(tree) } else { Err(unknown) }
    }

    pub(super) fn add(&mut self, entry: Entry) -> Node {
        let node = Node::Tool(self.entries.len());
        self.numbers.insert(entry.identity.clone(), node);
        self.entries.push(entry);
        node
    }

    /// Adds a harness and what belongs to it; tells what stands for it one level up.
    fn grow(
        &mut self,
        harness: Arc<dyn Harness>,
        collapse: Option<Collapse>,
        parent: Option<usize>,
        collapsing: &Collapsing,
        names: &mut Vec<Text>,
    ) -> Vec<Node> {
        let name: Text = harness.name().into();
        names.push(name.clone());
        let said = collapse.clone().or_else(|| harness.collapse());
        let collapses = collapsing.enabled && !collapsing.never.iter().any(|never| **never == *name);
        let container = match said {
            Some(said) if collapses => Some(self.contain(&harness, said, collapse, parent)),
            Some(said) => {
                self.standing.extend(said.instructions);
                None
            }
            None => None,
        };
        let inside = container.or(parent);
        let mut members: Vec<Node> =
            Arc::clone(&harness).tools().into_iter().map(|tool| self.add(Entry::of(&name, tool))).collect();
        for part in harness.parts() {
            members.extend(self.grow(part, None, inside, collapsing, names));
        }
        match container.and_then(|index| Some((index, self.containers.get_mut(index)?))) {
            Some((index, container)) => {
                container.members = members;
                vec![Node::Container(index)]
            }
            None => members,
        }
    }

    fn contain(
        &mut self,
        harness: &Arc<dyn Harness>,
        said: Collapse,
        collapse: Option<Collapse>,
        parent: Option<usize>,
    ) -> usize {
        let (index, name) = (self.containers.len(), Text::from(harness.name()));
        self.numbers.insert(name.clone(), Node::Container(index));
        let outer = parent.and_then(|parent| self.containers.get(parent)).map(|parent| parent.name.clone());
        self.containers.push(Container {
            outer,
            name,
            description: said.description.unwrap_or_else(|| harness.description().into()),
            parent,
            members: Vec::new(),
            lifetime: said.lifetime,
            unlisted: said.unlisted,
            harness: Arc::clone(harness),
            collapse,
        });
        index
    }
}
