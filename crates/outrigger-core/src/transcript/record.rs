//! What a thread's log is made of.

use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::ids::{CallId, RunId, Text, TurnId};
use super::message::{AssistantMessage, CallResult, ContextMessage, Usage, UserMessage};
use super::openings::{ContainerClosed, ContainerOpened};
use super::stop::StopReason;
use super::time::Timestamp;

/// The version new envelopes are written in.
pub const RECORD_VERSION: u16 = 1;

/// A record and how it came to be in the log. Its number is its place there.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// The version it was written in.
    pub version: u16,
    /// When it was written.
    pub time: Timestamp,
    /// The turn's step that appended it; an append whose origin is already in the log is a no-op.
    pub origin: Option<Origin>,
    /// The fact.
    pub record: Record,
}

/// A step of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The turn.
    pub turn: TurnId,
    /// The number of the step within it.
    pub step: u32,
}

/// One fact of a thread.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Record {
    /// A turn began.
    TurnStarted(TurnStarted),
    /// A person said something.
    UserMessage(UserMessage),
    /// The harness told the model something.
    ContextMessage(ContextMessage),
    /// The model said something.
    AssistantMessage(Arc<AssistantMessage>),
    /// A body is about to run.
    ToolIntent(ToolIntent),
    /// A call has ended.
    ToolResult(Arc<CallResult>),
    /// A turn ended.
    TurnEnded(TurnEnded),
    /// Records that could not be relied on were set aside here.
    RecordsLost(RecordsLost),
    /// A container was opened.
    ContainerOpened(ContainerOpened),
    /// A container was closed.
    ContainerClosed(ContainerClosed),
    /// A fact of a version or kind this program does not know, kept as it was.
    Unknown(UnknownRecord),
}

/// A turn began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnStarted {
    /// The turn.
    pub turn: TurnId,
    /// The run it belongs to.
    pub run: RunId,
}

/// Written just before a body runs, so that a crash cannot hide that it may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolIntent {
    /// The call.
    pub call: CallId,
    /// The tool's identity.
    pub tool: Text,
    /// The effective arguments, in canonical form, after hooks.
    pub arguments: Text,
    /// Which attempt it is, from 1.
    pub attempt: u32,
    /// What a body may hand on so that an effect happens once: the same for every attempt of the call.
    pub idempotency_key: Text,
    /// Whether the tool said that it may run again when the outcome is unknown.
    pub idempotent: bool,
    /// The containers it was called through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Text>,
}

/// A turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnEnded {
    /// The turn.
    pub turn: TurnId,
    /// Why.
    pub stop: StopReason,
    /// Tokens of all its provider calls.
    pub usage: Usage,
}

/// The end of a thread was not as it was written and was set aside; the thread goes on from here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordsLost {
    /// The number of the first record that was set aside.
    pub from: u64,
    /// How many were lost, as far as their store could tell.
    pub count: u64,
    /// The file or table, and the row.
    pub place: Text,
    /// What was wrong there.
    pub reason: Text,
}

/// A record this program does not understand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRecord {
    /// Its type.
    pub kind: Text,
    /// Its body, byte for byte.
    pub body: Text,
}

impl Envelope {
    /// An envelope in the present version.
    #[must_use]
    pub fn new(time: Timestamp, origin: Option<Origin>, record: Record) -> Self {
        Self { version: RECORD_VERSION, time, origin, record }
    }
}

impl Record {
    /// The word for its type in stored form.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Self::TurnStarted(_) => "turn_started",
            Self::UserMessage(_) => "user_message",
            Self::ContextMessage(_) => "context_message",
            Self::AssistantMessage(_) => "assistant_message",
            Self::ToolIntent(_) => "tool_intent",
            Self::ToolResult(_) => "tool_result",
            Self::TurnEnded(_) => "turn_ended",
            Self::RecordsLost(_) => "records_lost",
            Self::ContainerOpened(_) => "container_opened",
            Self::ContainerClosed(_) => "container_closed",
            Self::Unknown(unknown) => &unknown.kind,
        }
    }

    fn body(&self) -> Result<Box<RawValue>, serde_json::Error> {
        use serde_json::value::to_raw_value;
        match self {
            Self::TurnStarted(body) => to_raw_value(body),
            Self::UserMessage(body) => to_raw_value(body),
            Self::ContextMessage(body) => to_raw_value(body),
            Self::AssistantMessage(body) => to_raw_value(body),
            Self::ToolIntent(body) => to_raw_value(body),
            Self::ToolResult(body) => to_raw_value(body),
            Self::TurnEnded(body) => to_raw_value(body),
            Self::RecordsLost(body) => to_raw_value(body),
            Self::ContainerOpened(body) => to_raw_value(body),
            Self::ContainerClosed(body) => to_raw_value(body),
            Self::Unknown(unknown) => RawValue::from_string(unknown.body.to_string()),
        }
    }

    /// A body of a known type and version that does not read is an error; an unknown type is kept whole.
    fn from_parts(version: u16, kind: &str, body: &RawValue) -> Result<Self, serde_json::Error> {
        let raw = body.get();
        if version > RECORD_VERSION {
            return Ok(Self::Unknown(UnknownRecord { kind: kind.into(), body: raw.into() }));
        }
        Ok(match kind {
            "turn_started" => Self::TurnStarted(serde_json::from_str(raw)?),
            "user_message" => Self::UserMessage(serde_json::from_str(raw)?),
            "context_message" => Self::ContextMessage(serde_json::from_str(raw)?),
            "assistant_message" => Self::AssistantMessage(serde_json::from_str(raw)?),
            "tool_intent" => Self::ToolIntent(serde_json::from_str(raw)?),
            "tool_result" => Self::ToolResult(serde_json::from_str(raw)?),
            "turn_ended" => Self::TurnEnded(serde_json::from_str(raw)?),
            "records_lost" => Self::RecordsLost(serde_json::from_str(raw)?),
            "container_opened" => Self::ContainerOpened(serde_json::from_str(raw)?),
            "container_closed" => Self::ContainerClosed(serde_json::from_str(raw)?),
            _ => Self::Unknown(UnknownRecord { kind: kind.into(), body: raw.into() }),
        })
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let body = self.body().map_err(serde::ser::Error::custom)?;
        Fact { kind: self.kind().to_owned(), body }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Fact { kind, body } = Fact::deserialize(deserializer)?;
        Self::from_parts(RECORD_VERSION, &kind, &body).map_err(D::Error::custom)
    }
}

/// A record outside an envelope, as a turn's checkpoint holds it.
#[derive(Serialize, Deserialize)]
struct Fact {
    #[serde(rename = "type")]
    kind: String,
    body: Box<RawValue>,
}

/// The stored form: the type beside the raw body, so that a body that is not understood is kept byte for byte.
#[derive(Serialize, Deserialize)]
struct Stored {
    v: u16,
    time: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<Origin>,
    #[serde(rename = "type")]
    kind: String,
    body: Box<RawValue>,
}

impl Serialize for Envelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let body = self.record.body().map_err(serde::ser::Error::custom)?;
        Stored {
            v: self.version,
            time: self.time,
            origin: self.origin.clone(),
            kind: self.record.kind().to_owned(),
            body,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Envelope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stored { v, time, origin, kind, body } = Stored::deserialize(deserializer)?;
        let record = Record::from_parts(v, &kind, &body).map_err(D::Error::custom)?;
        Ok(Self { version: v, time, origin, record })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // A record of another version or kind survives a round trip byte for byte.
    #[test]
    fn unknown_records_are_kept() {
        for text in [
            r#"{"v":1,"time":"2026-01-02T03:04:05.678Z","type":"moon_phase","body":{"phase": 0.50, "phase": 1}}"#,
            r#"{"v":9,"time":"2026-01-02T03:04:05.678Z","origin":{"turn":"t","step":4},"type":"user_message","body":[1]}"#,
        ] {
            let envelope: Envelope = serde_json::from_str(text).unwrap();
            assert!(matches!(envelope.record, Record::Unknown(_)));
            assert_eq!(serde_json::to_string(&envelope).unwrap(), text);
        }
    }

    #[test]
    fn a_damaged_record_of_a_known_kind_is_an_error() {
        let text = r#"{"v":1,"time":"2026-01-02T03:04:05.678Z","type":"user_message","body":{"parts":7}}"#;
        let error = serde_json::from_str::<Envelope>(text).unwrap_err().to_string();
        assert!(error.contains("sequence"), "{error}");
    }
}
