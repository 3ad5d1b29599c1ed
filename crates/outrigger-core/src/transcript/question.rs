//! Questions and answers, as plain data.

use serde::{Deserialize, Serialize};

use super::ids::{CallId, Text};

/// Something a person or a client must decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Question {
    /// May this call run?
    Permission {
        /// The call.
        call: CallId,
        /// The tool's identity.
        tool: Text,
        /// The effective arguments, in canonical form.
        arguments: Text,
    },
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Answer {
    /// Yes, this once.
    Allowed,
    /// No.
    Denied {
        /// Why, for the model.
        reason: Option<Text>,
    },
}
