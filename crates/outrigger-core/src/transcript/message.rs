//! What a model reads and writes, in no provider's words.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ids::{CallId, Text};

/// One message of a conversation. System text is not one: it belongs to the agent, not to the thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Message {
    /// What a person said.
    User(UserMessage),
    /// What the model said, with all its calls.
    Assistant(Arc<AssistantMessage>),
    /// All results of one batch, in the order of its calls.
    Results(ResultsMessage),
    /// Something the harness adds for the model, named after its source and framed as data.
    Context(ContextMessage),
}

/// What a person said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserMessage {
    /// The parts, in order.
    pub parts: Vec<UserPart>,
}

/// One part of a user message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UserPart {
    /// Text.
    Text(Text),
    /// A picture.
    Image(Image),
}

/// What the model said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// The parts, in the order they were streamed.
    pub parts: Vec<AssistantPart>,
    /// Who made it.
    pub by: ModelName,
    /// Why the model stopped.
    pub finish: Finish,
    /// Whether the turn was cancelled or the stream broke before the message was whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

/// A model, by the provider that serves it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelName {
    /// The provider, as in `openai:gpt-5-mini`.
    pub provider: Text,
    /// The provider's own name of the model.
    pub model: Text,
}

/// One part of what the model said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AssistantPart {
    /// Text the model wrote.
    Text(Text),
    /// Text the model's adapter set, such as a tool result quoted before a small model's own words.
    Quoted(Text),
    /// Readable reasoning.
    Reasoning(Text),
    /// A call.
    Call(ToolCall),
    /// What only the provider understands: replayed byte for byte to its maker, dropped for others.
    Opaque(Opaque),
}

/// A call as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Its identity in the thread.
    pub id: CallId,
    /// The name the model used.
    pub name: Text,
    /// The raw argument text, unchanged.
    pub arguments: Text,
}

/// Provider data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opaque {
    /// The provider's word for it.
    pub kind: Text,
    /// The bytes, in base64.
    pub bytes: Text,
}

/// The results of one batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultsMessage {
    /// One result a call, in call order.
    pub results: Vec<Arc<CallResult>>,
}

/// The one terminal result of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallResult {
    /// The call it answers.
    pub call: CallId,
    /// The name the model used.
    pub name: Text,
    /// How the call ended.
    pub status: CallStatus,
    /// What the model reads.
    pub content: Vec<OutputPart>,
}

/// One part of what a tool returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OutputPart {
    /// Text, JSON text included.
    Text(Text),
    /// A picture.
    Image(Image),
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Its media type, such as `image/png`.
    pub media_type: Text,
    /// The bytes, in base64.
    pub data: Text,
}

/// How a call ended. The list is closed: formats and events use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// The body returned a value.
    Ok,
    /// The body returned an error, or panicked, or its output could not be carried.
    Error,
    /// The arguments did not bind; the body did not run.
    InvalidArguments,
    /// The call was cut off by the output limit; the body did not run.
    Truncated,
    /// No such tool.
    UnknownTool,
    /// The tool exists and may not be called now.
    Unavailable,
    /// A person or a rule refused.
    Denied,
    /// A hook refused.
    Blocked,
    /// The turn was cancelled.
    Cancelled,
    /// The body took too long.
    TimedOut,
    /// The process went away while the call was open.
    Interrupted,
    /// The body runs in the background.
    Launched,
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finish {
    /// It had said all.
    Stop,
    /// It wants its calls answered.
    Calls,
    /// The output limit cut it off.
    Length,
    /// The provider refused to go on.
    Refused,
    /// The stream ended before it said why.
    Unfinished,
}

/// Something the harness adds for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextMessage {
    /// Where it comes from.
    pub source: Text,
    /// What it says.
    pub text: Text,
}

/// Tokens a provider counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request.
    pub input: u64,
    /// Tokens of the answer.
    pub output: u64,
    /// Request tokens that were served from a cache; part of `input`.
    pub cached: u64,
    /// Answer tokens spent on reasoning; part of `output`.
    pub reasoning: u64,
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelResponse {
    /// What the model said.
    pub message: Arc<AssistantMessage>,
    /// What it cost.
    pub usage: Usage,
}

impl Usage {
    /// The sum of two counts.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached: self.cached.saturating_add(other.cached),
            reasoning: self.reasoning.saturating_add(other.reasoning),
        }
    }
}

impl UserMessage {
    /// A message of one text.
    #[must_use]
    pub fn text(text: impl Into<Text>) -> Self {
        Self { parts: vec![UserPart::Text(text.into())] }
    }

    /// The same message with a picture after what it has: its media type, such as `image/png`, and its bytes in base64.
    #[must_use]
    pub fn image(mut self, media_type: impl Into<Text>, data: impl Into<Text>) -> Self {
        self.parts.push(UserPart::Image(Image { media_type: media_type.into(), data: data.into() }));
        self
    }

    /// Whether there is anything in it but blanks.
    #[must_use]
    pub fn says_something(&self) -> bool {
        self.parts.iter().any(|part| match part {
            UserPart::Text(text) => !text.trim().is_empty(),
            UserPart::Image(_) => true,
        })
    }
}

impl AssistantMessage {
    /// The calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            AssistantPart::Call(call) => Some(call),
            _ => None,
        })
    }

    /// Whether there is anything in it that a provider would take back.
    #[must_use]
    pub fn says_something(&self) -> bool {
        self.parts.iter().any(|part| match part {
            AssistantPart::Text(text) | AssistantPart::Quoted(text) => !text.trim().is_empty(),
            AssistantPart::Reasoning(_) => false,
            AssistantPart::Call(_) | AssistantPart::Opaque(_) => true,
        })
    }

    /// All text, the adapter's and the model's.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            if let AssistantPart::Text(part) | AssistantPart::Quoted(part) = part {
                text.push_str(part);
            }
        }
        text
    }
}

impl CallResult {
    /// A result of one text.
    #[must_use]
    pub fn text(call: &ToolCall, status: CallStatus, text: impl Into<Text>) -> Self {
        Self { call: call.id.clone(), name: call.name.clone(), status, content: vec![OutputPart::Text(text.into())] }
    }

    /// The text parts, one a line.
    #[must_use]
    pub fn text_content(&self) -> String {
        let mut text = String::new();
        for part in &self.content {
            if let OutputPart::Text(part) = part {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(part);
            }
        }
        text
    }
}

impl CallStatus {
    /// Whether the model may take the content for what it asked for.
    #[must_use]
    pub fn is_ok(self) -> bool {
        matches!(self, Self::Ok | Self::Launched)
    }

    /// The word formats and events use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::InvalidArguments => "invalid_arguments",
            Self::Truncated => "truncated",
            Self::UnknownTool => "unknown_tool",
            Self::Unavailable => "unavailable",
            Self::Denied => "denied",
            Self::Blocked => "blocked",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::Interrupted => "interrupted",
            Self::Launched => "launched",
        }
    }
}
