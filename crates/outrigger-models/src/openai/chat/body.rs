//! A request's body: fragments joined, with what only the whole request can tell put between them.

use outrigger_core::model::SealedRequest;
use outrigger_core::transcript::Message;
use serde::Serialize;

use super::{Chat, encode, prompts};
use crate::wire::Body;

#[derive(Serialize)]
struct Head<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// Who spoke last, for servers that mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    Nobody,
    User,
    Assistant,
    Tool,
}

/// The whole body.
pub(super) fn write(chat: &Chat, request: &SealedRequest) -> Body {
    let mut body = Body::default();
    head(&mut body, chat, request);
    if let Some(output) = request.output().filter(|_| chat.profile.native_output) {
        body.text(r#","response_format":"#);
        body.shared(&output.wire);
    }
    body.text(r#","messages":["#);
    let has_system = system(&mut body, chat, request);
    let has_calls = conversation(&mut body, chat, request, has_system);
    body.text("]");
    tools(&mut body, chat, request, has_calls);
    body.text("}");
    body
}

/// Opens the object.
fn head(body: &mut Body, chat: &Chat, request: &SealedRequest) {
    let stream_options = chat.quirks().asks_usage.then_some(StreamOptions { include_usage: true });
    let head = Head { model: &chat.profile.name.model, stream: true, stream_options };
    let mut json = serde_json::to_vec(&head).unwrap_or_default();
    json.pop();
    body.owned(json);
    if let (Some((name, most)), Some(limit)) = (chat.quirks().output_limit, chat.profile.output_limit) {
        body.owned(format!(r#","{name}":{}"#, limit.min(most)));
    }
    if chat.quiet_with_tools && !request.tools().is_empty() {
        body.text(r#","reasoning_effort":"none""#);
    }
}

/// All system text as one message, the first: some servers and most chat templates take no other.
fn system(body: &mut Body, chat: &Chat, request: &SealedRequest) -> bool {
    let schema = request.output().filter(|_| !chat.profile.native_output);
    let schema = schema.map(|output| encode::inside_text(&prompts::answer_schema(&output.schema)));
    let mut has_system = false;
    let mut open = |body: &mut Body| {
        body.text(if has_system { r"\n\n" } else { r#"{"role":"system","content":""# });
        has_system = true;
    };
    for text in request.system_fragments().iter().filter(|text| !text.is_empty()) {
        open(body);
        body.shared(text);
    }
    if let Some(schema) = schema {
        open(body);
        body.owned(schema);
    }
    if has_system {
        body.text(r#""}"#);
    }
    has_system
}

/// The messages; whether there are calls among them.
fn conversation(body: &mut Body, chat: &Chat, request: &SealedRequest, has_system: bool) -> bool {
    let mut has_calls = false;
    let mut is_first = !has_system;
    let mut last = Speaker::Nobody;
    request.for_each_message(|message, fragment| {
        if fragment.is_empty() {
            return;
        }
        let (opens, closes) = speakers(chat, message);
        has_calls |= matches!(message, Message::Assistant(said) if said.calls().next().is_some());
        if chat.quirks().strict_order && last == Speaker::Tool && opens == Speaker::User {
            body.text(",");
            body.owned(encode::assistant(prompts::BRIDGE));
        }
        body.text(if is_first { "" } else { "," });
        body.shared(fragment);
        is_first = false;
        last = closes;
    });
    if chat.quirks().strict_order && last == Speaker::Assistant {
        body.text(",");
        body.owned(encode::user(prompts::GO_ON));
    }
    has_calls
}

/// Who speaks first and last in a message as it is encoded.
fn speakers(chat: &Chat, message: &Message) -> (Speaker, Speaker) {
    match message {
        Message::Assistant(_) => (Speaker::Assistant, Speaker::Assistant),
        Message::Results(results) if encode::shows_pictures(chat, results) => (Speaker::Tool, Speaker::User),
        Message::Results(_) => (Speaker::Tool, Speaker::Tool),
        _ => (Speaker::User, Speaker::User),
    }
}

/// The tools. An empty list is refused by some, so there is none; where calls in history want one, there is a
/// placeholder.
fn tools(body: &mut Body, chat: &Chat, request: &SealedRequest, has_calls: bool) {
    for (index, tool) in request.tools().iter().enumerate() {
        body.text(if index == 0 { r#","tools":["# } else { "," });
        body.shared(&tool.wire);
    }
    if !request.tools().is_empty() {
        body.text("]");
    } else if has_calls && chat.quirks().wants_tools {
        body.text(r#","tool_choice":"none","tools":["#);
        body.text(prompts::PLACEHOLDER_TOOL);
        body.text("]");
    }
}
