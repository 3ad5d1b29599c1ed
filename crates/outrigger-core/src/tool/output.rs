//! What a body returns, and how any return type becomes it.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::prompts;
use crate::transcript::{OutputPart, Text};

/// What a tool returns to the model: parts in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolOutput {
    /// The parts, in the order the model reads them.
    pub parts: Vec<OutputPart>,
}

impl ToolOutput {
    /// An output of one text.
    #[must_use]
    pub fn text(text: impl Into<Text>) -> Self {
        Self { parts: vec![OutputPart::Text(text.into())] }
    }

    /// Bytes of all parts together, as held here.
    #[must_use]
    pub fn size(&self) -> u64 {
        let bytes = |part: &OutputPart| match part {
            OutputPart::Text(text) => text.len(),
            OutputPart::Image(image) => image.media_type.len().saturating_add(image.data.len()),
        };
        self.parts.iter().map(|part| bytes(part) as u64).fold(0, u64::saturating_add)
    }
}

/// Why a body failed. The model reads its text; an operator gets the source.
pub struct ToolError {
    message: String,
    transient: bool,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// An error that says `message` to the model.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), transient: false, source: None }
    }

    /// It may pass: a tool that is declared idempotent is run again, twice at most, before the model hears of it.
    #[must_use]
    pub fn transient(mut self) -> Self {
        self.transient = true;
        self
    }

    /// Whether it may pass.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        self.transient
    }

    /// Keeps what caused it, for operators.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ToolError").field("message", &self.message).field("source", &self.source).finish()
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// Turns a value into what the model reads.
///
/// Implement it for a type that wants to be shown in its own way; every other `Serialize` type is shown as JSON, a
/// string as itself, and `()` as a short confirmation.
pub trait IntoToolOutput {
    /// The output, or why there is none.
    ///
    /// # Errors
    /// When the value cannot be shown.
    fn into_tool_output(self) -> Result<ToolOutput, ToolError>;
}

impl IntoToolOutput for ToolOutput {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self)
    }
}

/// A value as JSON, but a string as itself and nothing as a confirmation.
pub(crate) fn shown<T: Serialize>(value: &T) -> Result<ToolOutput, ToolError> {
    let refused = |error: serde_json::Error| ToolError::new(prompts::unserialisable(&error)).with_source(error);
    let json = serde_json::to_string(value).map_err(refused)?;
    if json == "null" {
        return Ok(ToolOutput::text(prompts::DONE));
    }
    if json.starts_with('"') {
        return serde_json::from_str::<String>(&json).map(ToolOutput::text).map_err(refused);
    }
    Ok(ToolOutput::text(json))
}
