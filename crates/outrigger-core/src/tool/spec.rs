//! What a tool says about itself.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::model::Example;
use crate::transcript::Text;

/// What the model reads of a tool, and the policies under which the runtime calls it.
///
/// `#[tool]` fills it from the signature; a tool written by hand starts from [`ToolSpec::new`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// The plain name, `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
    pub name: Text,
    /// What the tool does, for the model. May be empty; `check` notes it.
    pub description: Text,
    /// What a call of it means.
    pub kind: ToolKind,
    /// Worked examples. Providers that take input examples get them in their own form; the local model sees them as
    /// demonstrations.
    pub examples: Vec<Example>,
    /// Whether a person or a rule must allow each call. Default `false`.
    pub requires_permission: bool,
    /// Whether a call may run a second time after a crash left its outcome unknown. Default `false`.
    pub idempotent: bool,
    /// Whether the tool changes nothing outside. Default `false`.
    pub read_only: bool,
    /// Whether the tool may run beside others of its batch. Default `true`.
    pub parallel: bool,
    /// Whether the body blocks its thread, and so runs off the executor and cannot be stopped once begun. Default
    /// `false`.
    pub blocking: bool,
    /// How long one call may take; `None`: the agent's `tool_timeout`.
    pub timeout: Option<Duration>,
    /// The most bytes of output a call may return before it becomes an error; `None`: no cap of its own.
    pub max_output: Option<u64>,
}

/// What a call of a tool means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolKind {
    /// The body is run, and its output is the call's result.
    #[default]
    Function,
    /// The arguments are the turn's result. The body is never run; a valid call ends the turn.
    Output,
}

impl ToolSpec {
    /// A spec with the default policies.
    #[must_use]
    pub fn new(name: &str, description: &str) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            kind: ToolKind::Function,
            examples: Vec::new(),
            requires_permission: false,
            idempotent: false,
            read_only: false,
            parallel: true,
            blocking: false,
            timeout: None,
            max_output: None,
        }
    }
}
