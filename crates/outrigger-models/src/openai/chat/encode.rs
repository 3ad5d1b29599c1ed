//! Items as they stand in a request: whole messages, with a comma between them where an item is several.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use outrigger_core::model::{Item, ToolItem};
use outrigger_core::transcript::{
    AssistantMessage, AssistantPart, CallResult, Message, OutputPart, ResultsMessage, ToolCall, UserMessage, UserPart,
};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Chat, kept, prompts};
use crate::openai::server::{NoContent, Replay};
use crate::wire::{arguments, frame};

/// The longest name a function may have (`function_definition.py`, openai-python 3.57.0).
const LONGEST_NAME: usize = 64;

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum Said<'a> {
    User { content: Content<'a> },
    Assistant(Assistant<'a>),
    Tool { tool_call_id: Cow<'a, str>, content: Cow<'a, str> },
}

/// What a user says: one text as such, anything else as parts.
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<Piece<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Piece<'a> {
    Text { text: Cow<'a, str> },
    ImageUrl { image_url: ImageUrl },
}

impl Piece<'_> {
    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            Self::ImageUrl { .. } => None,
        }
    }
}

#[derive(Serialize)]
struct ImageUrl {
    url: String,
}

#[derive(Serialize)]
struct Assistant<'a> {
    content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_details: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
}

#[derive(Serialize)]
struct Call<'a> {
    id: Cow<'a, str>,
    #[serde(rename = "type")]
    kind: Function,
    function: Called<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<Box<RawValue>>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Function {
    Function,
}

#[derive(Serialize)]
struct Called<'a> {
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
}

#[derive(Serialize)]
struct Tool<'a> {
    #[serde(rename = "type")]
    kind: Function,
    function: Declared<'a>,
}

#[derive(Serialize)]
struct Declared<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

/// `response_format`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonSchema { json_schema: Schema<'a> },
}

#[derive(Serialize)]
struct Schema<'a> {
    name: Cow<'a, str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

/// An item as it stands in a request's body. System text is written as it stands inside a JSON text, so that several
/// become one message.
pub(super) fn item(chat: &Chat, item: Item<'_>) -> Arc<[u8]> {
    match item {
        Item::System(text) => inside_text(text).into(),
        Item::Message(message) => joined(&said(chat, message)),
        Item::Tool(tool) => json(&declaration(tool, chat.quirks().strict)).into(),
        Item::Output(tool) => json(&format(tool)).into(),
        _ => Arc::default(),
    }
}

/// A message of the user's that the wire adds.
pub(super) fn user(text: &'static str) -> Vec<u8> {
    json(&Said::User { content: Content::Text(text.into()) })
}

/// A message of the assistant's that the wire adds.
pub(super) fn assistant(text: &'static str) -> Vec<u8> {
    json(&bridge(text))
}

/// A text as it stands inside a JSON text.
pub(super) fn inside_text(text: &str) -> Vec<u8> {
    let mut json = json(&text);
    json.pop();
    if json.is_empty() { json } else { json.split_off(1) }
}

/// Whether the pictures of a result are shown in a message of their own.
pub(super) fn shows_pictures(chat: &Chat, results: &ResultsMessage) -> bool {
    let parts = results.results.iter().flat_map(|result| &result.content);
    parts.into_iter().any(|part| matches!(part, OutputPart::Image(image) if can_show(chat, &image.media_type)))
}

/// Plain data of ours always serialises; were that to change, an item is left out rather than half written.
fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

fn joined(said: &[Said<'_>]) -> Arc<[u8]> {
    let mut out = Vec::new();
    for (index, message) in said.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(&json(message));
    }
    out.into()
}

/// What a message is here: nothing, if it says nothing.
fn said<'a>(chat: &Chat, message: &'a Message) -> Vec<Said<'a>> {
    match message {
        Message::User(user) => person(chat, user).into_iter().collect(),
        Message::Context(context) if context.text.trim().is_empty() => Vec::new(),
        Message::Context(context) => {
            vec![Said::User { content: Content::Text(frame::framed(&context.source, &context.text).into()) }]
        }
        Message::Assistant(said) => model(chat, said).into_iter().collect(),
        Message::Results(results) => answers(chat, results),
        _ => Vec::new(),
    }
}

fn person<'a>(chat: &Chat, user: &'a UserMessage) -> Option<Said<'a>> {
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    for part in &user.parts {
        match part {
            UserPart::Text(text) if text.trim().is_empty() => {}
            UserPart::Text(text) => pieces.push(Piece::Text { text: Cow::Borrowed(text) }),
            UserPart::Image(image) => pieces.push(picture(chat, &image.media_type, &image.data)),
            _ => {}
        }
    }
    if pieces.is_empty() {
        return None;
    }
    // Some servers take a list as one message a part, or not at all; only pictures need one.
    let texts: Option<Vec<&str>> = pieces.iter().map(Piece::as_text).collect();
    let content = match texts {
        Some(texts) => Content::Text(texts.join("\n").into()),
        None => Content::Parts(pieces),
    };
    Some(Said::User { content })
}

fn picture<'a>(chat: &Chat, media_type: &str, data: &str) -> Piece<'a> {
    if can_show(chat, media_type) {
        Piece::ImageUrl { image_url: ImageUrl { url: format!("data:{media_type};base64,{data}") } }
    } else {
        Piece::Text { text: prompts::hidden_picture(media_type).into() }
    }
}

fn can_show(chat: &Chat, media_type: &str) -> bool {
    chat.profile.images && chat.quirks().pictures.contains(&media_type)
}

/// What the model said. Reasoning and what only its maker understands go back to their maker alone.
fn model<'a>(chat: &Chat, said: &'a AssistantMessage) -> Option<Said<'a>> {
    let text = said.text();
    let calls: Vec<&ToolCall> = said.calls().collect();
    if text.trim().is_empty() && calls.is_empty() {
        return None;
    }
    let is_maker = said.by == chat.profile.name;
    let extras = if is_maker { kept::extra_content(said) } else { BTreeMap::new() };
    let tool_calls = calls.iter().enumerate().map(|(index, call)| Call {
        id: chat.profile.dialect.call_ids.on_wire(&call.id),
        kind: Function::Function,
        function: Called { name: name(&call.name), arguments: arguments::object_text(&call.arguments) },
        extra_content: extras.get(&index).cloned(),
    });
    let content = match (text.is_empty(), chat.quirks().no_content) {
        (true, NoContent::Null) => None,
        _ => Some(text),
    };
    let mut assistant = Assistant {
        content,
        reasoning: None,
        reasoning_content: None,
        reasoning_details: if is_maker { kept::reasoning_details(said) } else { None },
        tool_calls: tool_calls.collect(),
    };
    replay(&mut assistant, chat.quirks().reasoning, said, is_maker);
    Some(Said::Assistant(assistant))
}

/// Reasoning as the server wants it back.
fn replay<'a>(assistant: &mut Assistant<'a>, how: Replay, said: &'a AssistantMessage, is_maker: bool) {
    let thought = said.parts.iter().find_map(|part| match part {
        AssistantPart::Reasoning(text) if is_maker => Some(&**text),
        _ => None,
    });
    let (name, thought) = match how {
        Replay::Never => return,
        Replay::Written(name) => (name, thought),
        Replay::Always(name) => (name, Some(thought.unwrap_or_default())),
    };
    match name {
        "reasoning" => assistant.reasoning = thought,
        _ => assistant.reasoning_content = thought,
    }
}

fn bridge(text: &'static str) -> Said<'static> {
    Said::Assistant(Assistant {
        content: Some(text.to_owned()),
        reasoning: None,
        reasoning_content: None,
        reasoning_details: None,
        tool_calls: Vec::new(),
    })
}

/// One message a result, and one more for the pictures among them: a tool's message can hold text only.
fn answers<'a>(chat: &Chat, results: &'a ResultsMessage) -> Vec<Said<'a>> {
    let mut pictures: Vec<Piece<'a>> = Vec::new();
    let mut shown = 0_usize;
    let mut said: Vec<Said<'a>> = Vec::new();
    for result in &results.results {
        let content = answer(chat, result, &mut shown, &mut pictures);
        let tool_call_id = chat.profile.dialect.call_ids.on_wire(&result.call);
        said.push(Said::Tool { tool_call_id, content: content.into() });
    }
    if !pictures.is_empty() {
        if chat.quirks().strict_order {
            said.push(bridge(prompts::BRIDGE));
        }
        said.push(Said::User { content: Content::Parts(pictures) });
    }
    said
}

/// What a result says. Its pictures are numbered in the batch and added to `pictures`.
fn answer<'a>(chat: &Chat, result: &CallResult, shown: &mut usize, pictures: &mut Vec<Piece<'a>>) -> String {
    let mut lines: Vec<Cow<'_, str>> = Vec::new();
    for part in &result.content {
        match part {
            OutputPart::Text(text) => lines.push(Cow::Borrowed(text)),
            OutputPart::Image(image) if can_show(chat, &image.media_type) => {
                *shown = shown.saturating_add(1);
                lines.push(prompts::picture_below(*shown).into());
                pictures.push(Piece::Text { text: prompts::picture_above(*shown, &result.name).into() });
                pictures.push(picture(chat, &image.media_type, &image.data));
            }
            OutputPart::Image(image) => lines.push(prompts::hidden_picture(&image.media_type).into()),
            _ => {}
        }
    }
    let content = lines.join("\n");
    if !result.status.is_ok() {
        prompts::failed(result.status, &content)
    } else if content.trim().is_empty() {
        prompts::NO_OUTPUT.to_owned()
    } else {
        content
    }
}

/// A name as functions may have it. Names in history may be another provider's, or made up by a model.
fn name(name: &str) -> Cow<'_, str> {
    let fits = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    if name.is_empty() {
        Cow::Borrowed("_")
    } else if name.len() <= LONGEST_NAME && name.chars().all(fits) {
        Cow::Borrowed(name)
    } else {
        name.chars().take(LONGEST_NAME).map(|char| if fits(char) { char } else { '_' }).collect::<String>().into()
    }
}

fn declaration(tool: ToolItem<'_>, can_be_strict: bool) -> Tool<'_> {
    let ToolItem { name, description, schema, strict, .. } = tool;
    let parameters = serde_json::from_str(schema).ok();
    let strict = strict && can_be_strict;
    Tool { kind: Function::Function, function: Declared { name, description, parameters, strict } }
}

fn format(tool: ToolItem<'_>) -> Format<'_> {
    let schema = serde_json::from_str(tool.schema).ok();
    let json_schema = Schema { name: name(tool.name), description: tool.description, schema, strict: tool.strict };
    Format::JsonSchema { json_schema }
}
