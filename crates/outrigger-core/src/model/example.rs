//! Worked examples of calls.

use serde::{Deserialize, Serialize};

use crate::transcript::Text;

/// One worked example of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// What a person asks for.
    pub ask: Text,
    /// The arguments that answer it, as canonical JSON text.
    pub args: Text,
}

impl Example {
    /// An example from a question and JSON text.
    #[must_use]
    pub fn new(ask: &str, args: &str) -> Self {
        Self { ask: ask.into(), args: args.into() }
    }
}
