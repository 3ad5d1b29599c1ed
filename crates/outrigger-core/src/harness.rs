//! Grouping: a harness is a value whose tools belong together.

use std::sync::Arc;

use crate::tool::Tool;

/// A group of tools. `#[harness]` on an `impl` block makes one.
pub trait Harness: Send + Sync + 'static {
    /// The harness's name, the first half of its tools' identities.
    fn name(&self) -> &str;

    /// What the group is for.
    fn description(&self) -> &str;

    /// Its tools, in order of declaration.
    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>>;
}
