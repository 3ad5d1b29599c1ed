//! How an agent collapses its harnesses.

use crate::Contract;

/// How an agent collapses its harnesses. What has no container of its own never collapses.
#[derive(Clone, Debug, PartialEq, Eq, Contract)]
pub struct Collapsing {
    /// Whether harnesses collapse at all. Those that do not are open for the whole run.
    #[arg(default = true)]
    pub enabled: bool,
    /// Harnesses that never collapse, by name.
    #[arg(default, unique)]
    pub never: Vec<String>,
    /// What opening a container does to the menu.
    #[arg(default)]
    pub reveal: Reveal,
    /// Whether a call of a hidden tool opens its container and runs.
    #[arg(default = true)]
    pub recovery: bool,
}

/// What opening a container does to the menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Contract)]
pub enum Reveal {
    /// The container goes, its members come: the smallest menu.
    #[default]
    Replace,
    /// The container stays in its place and its members come after everything else, so that a prompt cache keeps the
    /// menu before them.
    Append,
}

impl Default for Collapsing {
    fn default() -> Self {
        Self { enabled: true, never: Vec::new(), reveal: Reveal::Replace, recovery: true }
    }
}
