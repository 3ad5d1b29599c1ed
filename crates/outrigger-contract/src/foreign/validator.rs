//! The validator behind a foreign schema.

use jsonschema::{PatternOptions, Retrieve, Uri, ValidationError, Validator};
use serde_json::Value;

use super::Draft;
use super::json::Json;

/// Bytes that one compiled pattern may have.
const PATTERN_SIZE: usize = 1 << 20;

/// What arguments are held against, if it could be made.
#[derive(Debug)]
pub(super) struct Judge(Option<Validator>);

impl Judge {
    pub(super) fn new(schema: &Json, draft: Draft) -> Self {
        Self(build(&schema.to_value(), draft).ok())
    }

    pub(super) fn is_usable(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a document is valid; `None` if there is no validator.
    pub(super) fn is_valid(&self, document: &Value) -> Option<bool> {
        self.0.as_ref().map(|validator| validator.is_valid(document))
    }

    pub(super) fn errors<'d>(&'d self, document: &'d Value) -> impl Iterator<Item = ValidationError<'d>> {
        self.0.iter().flat_map(|validator| validator.iter_errors(document))
    }
}

/// Whether a pattern runs in linear time in the validator's engine.
pub(super) fn is_linear(pattern: &str) -> bool {
    let schema = serde_json::json!({ "pattern": pattern });
    build(&schema, Draft::Latest).is_ok()
}

/// Formats are annotations, as the latest draft has them by default.
fn build(schema: &Value, draft: Draft) -> Result<Validator, Box<ValidationError<'static>>> {
    let draft = match draft {
        Draft::Seven => jsonschema::Draft::Draft7,
        Draft::Latest => jsonschema::Draft::Draft202012,
    };
    jsonschema::options()
        .with_draft(draft)
        .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_SIZE))
        .with_retriever(Refusing)
        .should_validate_formats(false)
        .build(schema)
        .map_err(Box::new)
}

/// Retrieves nothing: a schema is data, and data opens no connections.
struct Refusing;

impl Retrieve for Refusing {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("`{uri}` is outside the schema").into())
    }
}
