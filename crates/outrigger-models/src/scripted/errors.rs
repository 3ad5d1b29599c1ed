//! What can be wrong with a script, and with a request that a script did not expect.

use std::path::PathBuf;
use std::time::Duration;

use outrigger_core::model::{ModelError, ModelErrorKind};

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::StrDeserializer;

use super::script::ScriptFault;

/// Why a script cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// It is in a file.
    #[error("the script {} cannot be used: {error}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        error: Box<ScriptError>,
    },
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[source] std::io::Error),
    /// The file is not UTF-8.
    #[error("it is not UTF-8 text: {0}")]
    NotText(#[source] std::str::Utf8Error),
    /// It is not of the format.
    #[error("it is not a script: {0}")]
    Malformed(#[source] serde_json::Error),
    /// It cannot be written.
    #[error("the script {} cannot be written: {error}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// It has no step.
    #[error("it has no step: write at least one under \"steps\"")]
    Empty,
    /// A step has an error and an answer.
    #[error(
        "step {step} has an \"error\" and an answer: a failed call says nothing; use \"parts\" with \"drop\" to break off an answer"
    )]
    SaysAndFails {
        /// The step, from 1.
        step: usize,
    },
}

impl From<ScriptError> for ModelError {
    fn from(error: ScriptError) -> Self {
        Self::new(ModelErrorKind::Script, error.to_string()).with_source(error)
    }
}

/// The script is over and more was asked.
pub(super) fn ended(steps: usize) -> ModelError {
    let steps = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    let message =
        format!("the script has {steps} and the model was called once more; add a step, or \"on_end\": \"repeat\"");
    ModelError::new(ModelErrorKind::Script, message)
}

/// The request was not what a step expected.
pub(super) fn missed(step: usize, misses: &[String]) -> ModelError {
    let message = format!("the request is not what step {step} of the script expects:\n{}", misses.join("\n"));
    ModelError::new(ModelErrorKind::Script, message)
}

/// The kind of failure that results and events call by this word.
fn named(word: &str) -> Option<ModelErrorKind> {
    let word: StrDeserializer<'_, serde::de::value::Error> = word.into_deserializer();
    ModelErrorKind::deserialize(word).ok()
}

/// The failure a step asks for.
pub(super) fn scripted(fault: &ScriptFault) -> ModelError {
    let kind = fault.kind.as_deref().and_then(named).unwrap_or(match fault.status {
        Some(401 | 403) => ModelErrorKind::Unauthorized,
        Some(408) => ModelErrorKind::TimedOut,
        Some(429) => ModelErrorKind::RateLimited,
        Some(409 | 500..) => ModelErrorKind::Unavailable,
        _ => ModelErrorKind::Rejected,
    });
    let status = fault.status.map(|status| format!("{status}: ")).unwrap_or_default();
    let error = ModelError::new(kind, format!("{status}{}", fault.message));
    match fault.retry_after_ms {
        Some(wait) => error.with_retry_after(Duration::from_millis(wait)),
        None => error,
    }
}
