//! A sealed request as one JSON line, for people and for tests.

use std::borrow::Cow;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::request::SealedRequest;
use crate::transcript::{AssistantPart, CallResult, Message, OutputPart, ToolCall, UserPart};

/// A sealed request and its number in the run, in the form of `--requests`.
pub struct RequestLine<'a> {
    /// The number of the provider call, from 1.
    pub seq: u64,
    /// The request.
    pub request: &'a SealedRequest,
}

impl Serialize for RequestLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_map(Some(6))?;
        line.serialize_entry("seq", &self.seq)?;
        line.serialize_entry("system", &self.request.system().join("\n\n"))?;
        line.serialize_entry("tools", &Tools(self.request))?;
        line.serialize_entry("messages", &Messages(self.request))?;
        line.serialize_entry("size", &self.request.size())?;
        line.serialize_entry("limit", &self.request.limit())?;
        line.end()
    }
}

struct Tools<'a>(&'a SealedRequest);

impl Serialize for Tools<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.tools().len()))?;
        for tool in self.0.tools() {
            let schema: &RawValue = serde_json::from_str(&tool.schema).map_err(serde::ser::Error::custom)?;
            list.serialize_element(&ToolLine { name: &tool.name, schema })?;
        }
        list.end()
    }
}

#[derive(Serialize)]
struct ToolLine<'a> {
    name: &'a str,
    schema: &'a RawValue,
}

struct Messages<'a>(&'a SealedRequest);

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let messages = self.0.messages();
        let mut list = serializer.serialize_seq(Some(messages.len()))?;
        for message in messages.messages() {
            list.serialize_element(&MessageLine::from(&*message))?;
        }
        list.end()
    }
}

/// A message in the form of `--requests`: a role, and parts that name what they are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MessageLine<'a> {
    role: &'static str,
    parts: Vec<PartLine<'a>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum PartLine<'a> {
    Text(&'a str),
    Reasoning(&'a str),
    Call { id: &'a str, name: &'a str, arguments: &'a str },
    Result { id: &'a str, status: &'static str, content: Cow<'a, str> },
    Context { source: &'a str, text: &'a str },
    Opaque { kind: &'a str, bytes: &'a str },
    Image { media_type: &'a str, bytes: &'a str },
}

impl<'a> From<&'a Message> for MessageLine<'a> {
    fn from(message: &'a Message) -> Self {
        match message {
            Message::User(user) => Self { role: "user", parts: user.parts.iter().map(user_part).collect() },
            Message::Assistant(said) => {
                Self { role: "assistant", parts: said.parts.iter().map(assistant_part).collect() }
            }
            Message::Results(results) => {
                Self { role: "tool", parts: results.results.iter().map(|result| result_part(result)).collect() }
            }
            Message::Context(context) => {
                let part = PartLine::Context { source: &context.source, text: &context.text };
                Self { role: "context", parts: vec![part] }
            }
        }
    }
}

impl MessageLine<'_> {
    /// Everything readable in it, unescaped, in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let texts = self.parts.iter().flat_map(|part| match part {
            PartLine::Text(text) | PartLine::Reasoning(text) => ["", text],
            PartLine::Call { name, arguments, .. } => [*name, *arguments],
            PartLine::Result { status, content, .. } => [*status, &**content],
            PartLine::Context { source, text } => [*source, *text],
            PartLine::Opaque { kind, bytes } | PartLine::Image { media_type: kind, bytes } => [*kind, *bytes],
        });
        texts.filter(|text| !text.is_empty())
    }
}

fn user_part(part: &UserPart) -> PartLine<'_> {
    match part {
        UserPart::Text(text) => PartLine::Text(text),
        UserPart::Image(image) => PartLine::Image { media_type: &image.media_type, bytes: &image.data },
    }
}

fn assistant_part(part: &AssistantPart) -> PartLine<'_> {
    match part {
        AssistantPart::Text(text) | AssistantPart::Quoted(text) => PartLine::Text(text),
        AssistantPart::Reasoning(text) => PartLine::Reasoning(text),
        AssistantPart::Call(ToolCall { id, name, arguments }) => PartLine::Call { id: id.as_str(), name, arguments },
        AssistantPart::Opaque(opaque) => PartLine::Opaque { kind: &opaque.kind, bytes: &opaque.bytes },
    }
}

fn result_part(result: &CallResult) -> PartLine<'_> {
    let content = match result.content.as_slice() {
        [OutputPart::Text(text)] => Cow::Borrowed(&**text),
        _ => Cow::Owned(result.text_content()),
    };
    PartLine::Result { id: result.call.as_str(), status: result.status.as_str(), content }
}
