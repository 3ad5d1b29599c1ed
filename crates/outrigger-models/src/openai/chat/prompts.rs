//! Text the model reads that this wire adds.

use outrigger_core::transcript::CallStatus;

/// A result of nothing: an empty one is refused by some.
pub(super) const NO_OUTPUT: &str = "(no output)";

/// The assistant's words between results and the user's, where a server insists on some.
pub(super) const BRIDGE: &str = "I have read the results.";

/// The user's words after the assistant's, where a server insists on the user's being last.
pub(super) const GO_ON: &str = "Go on.";

/// The tool that stands where a server wants one and there is none. The model is told to choose none.
pub(super) const PLACEHOLDER_TOOL: &str = r#"{"type":"function","function":{"name":"none","description":"No tool is available now.","parameters":{"type":"object","properties":{}}}}"#;

/// What stands for a picture that cannot be sent.
pub(super) fn hidden_picture(media_type: &str) -> String {
    format!("(a picture of type {media_type} that cannot be shown here)")
}

/// What stands in a result for a picture of it, which no message of a tool can hold.
pub(super) fn picture_below(number: usize) -> String {
    format!("(picture {number}, shown in the message below)")
}

/// What stands before such a picture.
pub(super) fn picture_above(number: usize, tool: &str) -> String {
    format!("Picture {number}, from the tool {tool}:")
}

/// Opens the content of a call that did not go well. There is no other place for that on this wire.
pub(super) fn failed(status: CallStatus, content: &str) -> String {
    let why = status.as_str().replace('_', " ");
    if content.trim().is_empty() { format!("[failed: {why}]") } else { format!("[failed: {why}]\n{content}") }
}

/// The schema of an answer, for models that cannot be held to it.
pub(super) fn answer_schema(schema: &str) -> String {
    format!("Answer with one JSON document that keeps this JSON Schema, and nothing else:\n{schema}")
}
