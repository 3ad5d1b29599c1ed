//! A failure as a value that outlives its process.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::transcript::Text;

/// A failure as outcomes and results carry it; the error itself goes to events and hooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Where it arose and what kind it is: `model.rate_limited`, `store.failed`.
    pub kind: Text,
    /// What happened and what to do, for a person.
    pub message: Text,
    /// What caused it.
    pub detail: Option<Text>,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl Error for Fault {}
