//! What is wrong with a document: issues, their codes, and the error that gathers them.

use serde::{Deserialize, Serialize};

use crate::prompts;
use crate::{SchemaProfile, Shape};

/// Why a document was refused. What a program reads is this; what a model reads is [`BindError::for_model`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}", prompts::refusal(self))]
pub struct BindError {
    /// The problems in document order; at least one, at most 16.
    pub issues: Vec<Issue>,
    /// Whether there were more than those.
    pub more: bool,
}

impl BindError {
    /// The most issues one error holds.
    pub const MAX_ISSUES: usize = 16;

    /// An error with one issue.
    #[must_use]
    pub fn single(issue: Issue) -> Self {
        Self { issues: vec![issue], more: false }
    }

    /// The one text a model gets for this error: stable and short.
    #[must_use]
    pub fn for_model(&self) -> String {
        prompts::refusal(self)
    }

    /// The same, for a model that was never shown the tool: with the schema of the part that holds all problems, in
    /// the dialect of `profile`.
    #[must_use]
    pub fn for_model_with_schema(&self, shape: &Shape, profile: &SchemaProfile) -> String {
        prompts::refusal_with_schema(self, shape, profile)
    }
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// Where, as a JSON Pointer into what was sent.
    pub path: String,
    /// What kind of problem.
    pub code: Code,
    /// What should stand there, in words.
    pub expected: String,
    /// What stands there, as JSON text of at most 80 characters, or in words where nothing does.
    pub found: String,
    /// How to mend it: the nearest name, the branch that would fit, the unit.
    pub hint: Option<String>,
}

/// The kinds of problems. The list is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The text is not one JSON document.
    NotJson,
    /// The root is not an object.
    NotObject,
    /// The text is longer than allowed.
    TooLarge,
    /// Arrays and objects are nested deeper than allowed.
    TooDeep,
    /// A property stands twice in one object.
    DuplicateKey,
    /// No such property.
    UnknownProperty,
    /// The property is known in another case.
    WrongCase,
    /// A required property is not there.
    Missing,
    /// `null` where it means nothing.
    Null,
    /// A value of another JSON type.
    Type,
    /// None of the listed values.
    Enum,
    /// No branch of a union fits, or a property belongs to another branch.
    Branch,
    /// A number outside its bounds.
    Range,
    /// A string of the wrong length.
    Length,
    /// A string that does not match its pattern.
    Pattern,
    /// A string that is not in its format.
    Format,
    /// An array of the wrong length.
    Items,
    /// An array with equal items.
    Unique,
    /// Half of a UTF-16 surrogate pair.
    Surrogate,
    /// A foreign schema's other keywords.
    Value,
}

/// How large a document may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Arrays and objects inside each other; 64 by default.
    pub depth: u32,
    /// Bytes of text; 1 MiB by default.
    pub text: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 64, text: 1 << 20 }
    }
}
