//! The script's format.

use std::path::Path;

use outrigger_core::transcript::{Finish, Usage};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::errors::ScriptError;
use super::expect::Expect;
use super::profile::ScriptProfile;

/// What a scripted model says, step by step. One step answers one attempt.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The schema dialect the model is told of its tools in, and writes its arguments in; by default the canonical one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<ScriptProfile>,
    /// The steps.
    pub steps: Vec<ScriptStep>,
    /// What happens after the last.
    #[serde(default)]
    pub on_end: OnEnd,
}

/// What happens after the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnEnd {
    /// The model's call fails.
    #[default]
    Fail,
    /// The last step answers again.
    Repeat,
}

/// One answer, and what must be true of the request.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScriptStep {
    /// What must be true of the request.
    #[serde(skip_serializing_if = "is_default")]
    pub expect: Expect,
    /// Milliseconds before the answer begins.
    #[serde(skip_serializing_if = "is_default")]
    pub delay_ms: u64,
    /// Raw stream parts, before text and calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ScriptPart>,
    /// Text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Calls, after the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ScriptCall>,
    /// Why the model stops; by default what its content says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
    /// Tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<ScriptUsage>,
    /// A failure in place of an answer, or after `parts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ScriptFault>,
}

/// A call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptCall {
    /// Its id; made up where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The name the model uses.
    pub name: String,
    /// An object, sent as it is written here, or a string, sent as raw text.
    #[serde(default = "no_arguments")]
    pub arguments: Box<RawValue>,
}

/// One part of a raw stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScriptPart {
    /// Text.
    Text(String),
    /// Text that the model's adapter set, rather than the model.
    Quoted(String),
    /// Reasoning.
    Reasoning(String),
    /// A call, where text comes after it.
    Call(ScriptCall),
    /// A pause, in milliseconds.
    DelayMs(u64),
    /// Provider data.
    Opaque(ScriptOpaque),
    /// Bytes no wire understands; the stream fails on them.
    Raw(String),
    /// The stream ends here, in the middle.
    Drop(bool),
}

/// Provider data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptOpaque {
    /// The provider's word for it.
    pub kind: String,
    /// The bytes, in base64.
    pub bytes: String,
}

/// Tokens.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScriptUsage {
    /// Of the request.
    pub input: u64,
    /// Of the answer.
    pub output: u64,
    /// Served from a cache.
    pub cached: u64,
    /// Spent on reasoning.
    pub reasoning: u64,
}

/// A failure.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScriptFault {
    /// The HTTP status it would have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The word of a [`ModelErrorKind`](outrigger_core::model::ModelErrorKind), where the status does not say it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What it says.
    pub message: String,
    /// How long it asks to wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn no_arguments() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).unwrap_or_default()
}

impl Script {
    /// A script without steps.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a step that says `text`.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.step(ScriptStep { text: Some(text.into()), ..ScriptStep::default() })
    }

    /// Adds a step that calls one tool. `arguments` is raw text; it need not be JSON.
    #[must_use]
    pub fn call(self, name: &str, arguments: &str) -> Self {
        self.calls([(name, arguments)])
    }

    /// Adds a step that calls tools side by side.
    #[must_use]
    pub fn calls<'a>(self, calls: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let calls = calls.into_iter().map(|(name, arguments)| ScriptCall::raw(name, arguments)).collect();
        self.step(ScriptStep { calls, ..ScriptStep::default() })
    }

    /// Adds a step.
    #[must_use]
    pub fn step(mut self, step: ScriptStep) -> Self {
        self.steps.push(step);
        self
    }

    /// What must be true of the request that the last step answers.
    #[must_use]
    pub fn expecting(mut self, expect: Expect) -> Self {
        if let Some(step) = self.steps.last_mut() {
            step.expect = expect;
        }
        self
    }

    /// The last step answers every further request.
    #[must_use]
    pub fn repeating(mut self) -> Self {
        self.on_end = OnEnd::Repeat;
        self
    }

    /// The script as JSON text that people read and edit.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Plain data of ours always serialises.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads a script from JSON text.
    ///
    /// # Errors
    /// What is wrong, with line and column.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let script: Self = serde_json::from_str(text).map_err(ScriptError::Malformed)?;
        if script.steps.is_empty() {
            return Err(ScriptError::Empty);
        }
        match script.steps.iter().position(ScriptStep::says_and_fails) {
            Some(index) => Err(ScriptError::SaysAndFails { step: index.saturating_add(1) }),
            None => Ok(script),
        }
    }

    /// Reads a script from a file.
    ///
    /// # Errors
    /// When the file cannot be read or is not a script.
    pub fn read(path: &Path) -> Result<Self, ScriptError> {
        let in_file = |error| ScriptError::InFile { path: path.to_owned(), error: Box::new(error) };
        let bytes = std::fs::read(path).map_err(|error| in_file(ScriptError::Unreadable(error)))?;
        let text = String::from_utf8(bytes).map_err(|error| in_file(ScriptError::NotText(error.utf8_error())))?;
        Self::parse(&text).map_err(in_file)
    }
}

impl ScriptStep {
    fn says_and_fails(&self) -> bool {
        self.error.is_some() && (self.text.is_some() || !self.calls.is_empty() || self.finish.is_some())
    }
}

impl ScriptCall {
    /// A call with raw argument text.
    #[must_use]
    pub fn raw(name: &str, arguments: &str) -> Self {
        // A JSON string always serialises; nothing is lost if it did not, but the text.
        let arguments = serde_json::value::to_raw_value(arguments).unwrap_or_default();
        Self { id: None, name: name.to_owned(), arguments }
    }

    /// A call whose arguments stand in the script as the object they are; as raw text if they are none.
    pub(super) fn written(id: Option<String>, name: String, arguments: String) -> Self {
        let object = Some(&arguments).filter(|text| text.starts_with('{') && text.ends_with('}'));
        match object.map(|text| RawValue::from_string(text.clone())) {
            Some(Ok(arguments)) => Self { id, name, arguments },
            _ => Self { id, ..Self::raw(&name, &arguments) },
        }
    }

    /// The argument text as the model sends it.
    pub(super) fn text(&self) -> String {
        let raw = self.arguments.get();
        serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned())
    }
}

impl From<Usage> for ScriptUsage {
    fn from(usage: Usage) -> Self {
        let Usage { input, output, cached, reasoning } = usage;
        Self { input, output, cached, reasoning }
    }
}

impl From<ScriptUsage> for Usage {
    fn from(usage: ScriptUsage) -> Self {
        let ScriptUsage { input, output, cached, reasoning } = usage;
        Self { input, output, cached, reasoning }
    }
}
