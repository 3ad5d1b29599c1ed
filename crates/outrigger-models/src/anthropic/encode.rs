//! Items as they stand in a request: content blocks, with a comma between them and no wrapper for the role.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use outrigger_core::model::{Item, ModelProfile, ToolItem};
use outrigger_core::transcript::{
    AssistantMessage, AssistantPart, CallResult, Message, Opaque, OutputPart, ToolCall, UserPart,
};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::prompts;
use crate::wire::arguments::object_text;
use crate::wire::frame::framed;

/// What pictures may be (`base64_image_source_param.py`, anthropic 2.14.0).
const PICTURES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// The kind of an opaque part that holds a text block as it came, after the text itself.
pub(super) const TEXT: &str = "text";

/// The longest name a call may have (github/copilot-cli #1879).
const LONGEST_NAME: usize = 128;

/// A content block of ours.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text {
        text: &'a str,
    },
    Image {
        source: Source<'a>,
    },
    ToolUse {
        id: &'a str,
        name: &'a str,
        input: &'a RawValue,
    },
    ToolResult {
        tool_use_id: &'a str,
        content: Content<'a>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Source<'a> {
    Base64 { media_type: &'a str, data: &'a str },
}

/// What a tool returned: one text as such, anything else as blocks.
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(&'a str),
    Blocks(Vec<Inner<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Inner<'a> {
    Text { text: Cow<'a, str> },
    Image { source: Source<'a> },
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    input_schema: &'a RawValue,
}

/// Blocks in a row.
#[derive(Default)]
struct Blocks {
    out: Vec<u8>,
}

impl Blocks {
    fn push(&mut self, block: &Block<'_>) {
        // Plain data of ours always serialises; were that to change, the block is left out rather than half written.
        if let Ok(json) = serde_json::to_vec(block) {
            self.raw(&json);
        }
    }

    /// Blank text is refused: home-assistant/core #175637 (2026-07-04).
    fn text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.push(&Block::Text { text });
        }
    }

    fn picture(&mut self, profile: &ModelProfile, media_type: &str, data: &str) {
        if can_show(profile, media_type) {
            self.push(&Block::Image { source: Source::Base64 { media_type, data } });
        } else {
            self.text(&prompts::picture(media_type));
        }
    }

    fn raw(&mut self, json: &[u8]) {
        if !self.out.is_empty() {
            self.out.push(b',');
        }
        self.out.extend_from_slice(json);
    }
}

/// An item as it stands in a request's body.
pub(super) fn item(profile: &ModelProfile, item: Item<'_>) -> Arc<[u8]> {
    let mut blocks = Blocks::default();
    match item {
        Item::System(text) => blocks.text(text),
        Item::Message(message) => say(&mut blocks, profile, message),
        Item::Tool(tool) => return declaration(tool),
        Item::Output(tool) => return tool.schema.as_bytes().into(),
        _ => {}
    }
    blocks.out.into()
}

/// The last message of a request, where the model spoke last: a text there may not end blank (tailcallhq/forgecode
/// #1872), and thinking may not be the last thing there (router-for-me/CLIProxyAPI #5321).
pub(super) fn unfinished(profile: &ModelProfile, said: &AssistantMessage) -> Arc<[u8]> {
    let mut parts = said.parts.clone();
    while let Some(last) = parts.last_mut() {
        match last {
            AssistantPart::Text(text) | AssistantPart::Quoted(text) if !text.trim().is_empty() => {
                *text = text.trim_end().into();
                break;
            }
            AssistantPart::Call(_) => break,
            AssistantPart::Opaque(opaque) if !is_thought(opaque) && &*opaque.kind != TEXT => break,
            _ => drop(parts.pop()),
        }
    }
    let mut blocks = Blocks::default();
    assistant(&mut blocks, profile, &AssistantMessage { parts, ..said.clone() });
    blocks.out.into()
}

fn say(blocks: &mut Blocks, profile: &ModelProfile, message: &Message) {
    match message {
        Message::User(user) => {
            for part in &user.parts {
                match part {
                    UserPart::Text(text) => blocks.text(text),
                    UserPart::Image(image) => blocks.picture(profile, &image.media_type, &image.data),
                    _ => {}
                }
            }
        }
        Message::Context(context) if context.text.trim().is_empty() => {}
        Message::Context(context) => blocks.text(&framed(&context.source, &context.text)),
        Message::Assistant(said) => assistant(blocks, profile, said),
        Message::Results(results) => results.results.iter().for_each(|result| answer(blocks, profile, result)),
        _ => {}
    }
}

/// What the model said. What only its maker understands goes back to its maker as it came, and nothing is reordered;
/// readable reasoning is part of that, or of no use here.
fn assistant(blocks: &mut Blocks, profile: &ModelProfile, said: &AssistantMessage) {
    let is_maker = said.by == profile.name;
    let mut text = "";
    for part in &said.parts {
        if let AssistantPart::Opaque(opaque) = part
            && is_maker
            && &*opaque.kind == TEXT
        {
            text = as_it_came(blocks, text, opaque);
            continue;
        }
        blocks.text(std::mem::take(&mut text));
        match part {
            AssistantPart::Text(part) => text = part,
            AssistantPart::Quoted(part) => blocks.text(part),
            AssistantPart::Call(call) => invocation(blocks, profile, call),
            AssistantPart::Opaque(opaque) if is_maker => {
                if let Some(json) = kept(opaque) {
                    blocks.raw(json.get().as_bytes());
                }
            }
            _ => {}
        }
    }
    blocks.text(text);
}

/// Writes what `text` has before the block, and the block. Returns what is still to be written: nothing, or the whole
/// text where the block is not its end.
fn as_it_came<'a>(blocks: &mut Blocks, text: &'a str, opaque: &Opaque) -> &'a str {
    let Some(json) = kept(opaque) else { return text };
    let block: Option<Value> = serde_json::from_str(json.get()).ok();
    let end = block.as_ref().and_then(|block| block.get("text")).and_then(Value::as_str);
    match end.and_then(|end| text.strip_suffix(end)) {
        Some(before) => {
            blocks.text(before);
            blocks.raw(json.get().as_bytes());
            ""
        }
        None => text,
    }
}

/// A block that was kept as it came. Storage is outside: what is no JSON object is left out.
fn kept(opaque: &Opaque) -> Option<Box<RawValue>> {
    let bytes = STANDARD.decode(opaque.bytes.as_bytes()).ok()?;
    let json: Box<RawValue> = serde_json::from_slice(&bytes).ok()?;
    json.get().starts_with('{').then_some(json)
}

fn is_thought(opaque: &Opaque) -> bool {
    matches!(&*opaque.kind, "thinking" | "redacted_thinking")
}

fn invocation(blocks: &mut Blocks, profile: &ModelProfile, call: &ToolCall) {
    let id = profile.dialect.call_ids.on_wire(&call.id);
    let (name, arguments) = (called(&call.name), object_text(&call.arguments));
    let input = serde_json::from_str(&arguments).unwrap_or(RawValue::NULL);
    blocks.push(&Block::ToolUse { id: &id, name: &name, input });
}

/// A name as calls may have it. Names in history may come from another provider's alphabet.
fn called(name: &str) -> Cow<'_, str> {
    let fits = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    if name.is_empty() {
        Cow::Borrowed("_")
    } else if name.len() <= LONGEST_NAME && name.chars().all(fits) {
        Cow::Borrowed(name)
    } else {
        name.chars().take(LONGEST_NAME).map(|char| if fits(char) { char } else { '_' }).collect::<String>().into()
    }
}

fn answer(blocks: &mut Blocks, profile: &ModelProfile, result: &CallResult) {
    let id = profile.dialect.call_ids.on_wire(&result.call);
    let is_error = !result.status.is_ok();
    let mut inner: Vec<Inner<'_>> = Vec::new();
    for part in &result.content {
        match part {
            OutputPart::Text(text) if text.trim().is_empty() => {}
            OutputPart::Text(text) => inner.push(Inner::Text { text: Cow::Borrowed(text) }),
            // «all content must be type text if is_error is true»: vellum-ai/vellum-assistant #18387 (2026-03-17).
            OutputPart::Image(image) if !is_error && can_show(profile, &image.media_type) => {
                let source = Source::Base64 { media_type: &image.media_type, data: &image.data };
                inner.push(Inner::Image { source });
            }
            OutputPart::Image(image) => inner.push(Inner::Text { text: prompts::picture(&image.media_type).into() }),
            _ => {}
        }
    }
    let content = match inner.as_slice() {
        [] => Content::Text(if is_error { result.status.as_str() } else { prompts::NO_OUTPUT }),
        [Inner::Text { text }] => Content::Text(text),
        _ => Content::Blocks(inner),
    };
    blocks.push(&Block::ToolResult { tool_use_id: &id, content, is_error });
}

fn can_show(profile: &ModelProfile, media_type: &str) -> bool {
    profile.images && PICTURES.contains(&media_type)
}

/// A tool. Whether it is strict is said when the body is joined: a request may have only so many.
fn declaration(tool: ToolItem<'_>) -> Arc<[u8]> {
    let ToolItem { name, description, schema, .. } = tool;
    let input_schema = serde_json::from_str(schema).unwrap_or(RawValue::NULL);
    serde_json::to_vec(&Tool { name, description, input_schema }).unwrap_or_default().into()
}
