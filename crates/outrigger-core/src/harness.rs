//! Grouping: a harness is a value whose tools belong together.

use std::sync::Arc;

use crate::tool::Tool;
use crate::transcript::{Lifetime, Text};

/// A group of tools. `#[harness]` on an `impl` block makes one.
pub trait Harness: Send + Sync + 'static {
    /// The harness's name, the first half of its tools' identities.
    fn name(&self) -> &str;

    /// What the group is for.
    fn description(&self) -> &str;

    /// Its tools, in order of declaration.
    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>>;

    /// Harnesses that belong to this one and stand in it, such as a server whose tools complete it.
    fn parts(self: Arc<Self>) -> Vec<Arc<dyn Harness>> {
        Vec::new()
    }

    /// How it collapses behind one tool; `None`: it does not. Asked when an agent is built, and again whenever it is
    /// opened: what it says then is what the model reads.
    fn collapse(&self) -> Option<Collapse> {
        None
    }
}

/// How a harness collapses: behind a container, a tool of the harness's name that opens it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collapse {
    /// What the container is for; `None`: the harness's description.
    pub description: Option<Text>,
    /// What opening it says, after the list of its members.
    pub result: Option<Text>,
    /// What stands in the system text while it is open.
    pub instructions: Option<Text>,
    /// How long it stays open. Default: until the turn ends.
    pub lifetime: Lifetime,
    /// Whether opening it tells only `result`, and lists no members.
    pub unlisted: bool,
}
