//! Text the model reads that this wire adds.

/// The content of a result without any: an empty one is refused.
pub(super) const NO_OUTPUT: &str = "(no output)";

/// The name of the tool that stands in a request without tools whose history has calls: a request with calls or
/// results must declare tools (anthropics/anthropic-sdk-python #494). The model is told to choose none.
pub(super) const PLACEHOLDER_TOOL: &str =
    r#"{"name":"none","description":"No tool is available now.","input_schema":{"type":"object","properties":{}}}"#;

/// What stands for a picture that cannot be sent.
pub(super) fn picture(media_type: &str) -> String {
    format!("(a picture of type {media_type} that cannot be shown here)")
}

/// The schema of an answer, for models that cannot be held to it.
pub(super) fn answer_schema(schema: &str) -> String {
    format!("Answer with one JSON document that keeps this JSON Schema, and nothing else:\n{schema}")
}
