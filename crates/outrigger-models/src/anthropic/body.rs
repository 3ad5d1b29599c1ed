//! A request's body: fragments joined, with what only the whole request can tell put between them.
//!
//! Fragments were sized when the request was sealed; what is added here (roles, marks, the head) is some hundred bytes,
//! and some forty for each message.

use std::sync::Arc;

use outrigger_core::model::{SealedRequest, ToolBlock};
use outrigger_core::transcript::Message;
use serde::Serialize;

use super::{Effort, Messages, Thinking, encode, prompts, strict};
use crate::wire::Body;

/// Ends a block that the provider may cache everything up to.
const MARK: &str = r#","cache_control":{"type":"ephemeral"}}"#;

/// Who speaks on this wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
}

/// One message's blocks.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) role: Role,
    pub(super) blocks: Arc<[u8]>,
    /// Whether it is the thread's, and so stands in the next request as well.
    pub(super) stays: bool,
}

/// The whole body.
pub(super) fn write(model: &Messages, request: &SealedRequest) -> Body {
    let (pieces, has_calls) = pieces(model, request);
    let mut body = Body::default();
    let output = held(model, request);
    head(&mut body, model, output.map(|output| &output.wire));
    tools(&mut body, model, request, has_calls);
    system(&mut body, request, output.is_some());
    body.text(r#","messages":["#);
    conversation(&mut body, &pieces);
    body.text("]}");
    body
}

/// The answer's schema, if the model can be held to it.
fn held<'a>(model: &Messages, request: &'a SealedRequest) -> Option<&'a Arc<ToolBlock>> {
    request.output().filter(|output| output.strict && model.profile.native_output)
}

#[derive(Serialize)]
struct Head<'a> {
    model: &'a str,
    max_tokens: u64,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<ThinkingConfig>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ThinkingConfig {
    Disabled,
    Enabled {
        budget_tokens: u64,
    },
    Adaptive {
        #[serde(skip_serializing_if = "Option::is_none")]
        block_binding: Option<BlockBinding>,
    },
}

#[derive(Serialize)]
struct BlockBinding {
    prefix_mismatch_behavior: &'static str,
}

/// Opens the object: everything but tools, system and messages.
fn head(body: &mut Body, model: &Messages, output: Option<&Arc<[u8]>>) {
    let head = Head {
        model: &model.profile.name.model,
        max_tokens: model.max_tokens,
        stream: true,
        thinking: thinking(model),
    };
    let mut json = serde_json::to_vec(&head).unwrap_or_default();
    json.pop();
    body.owned(json);
    let effort = model.effort.map(|effort| match effort {
        Effort::Low => r#""effort":"low""#,
        Effort::Medium => r#""effort":"medium""#,
        Effort::High => r#""effort":"high""#,
        Effort::ExtraHigh => r#""effort":"xhigh""#,
        Effort::Max => r#""effort":"max""#,
    });
    if effort.is_none() && output.is_none() {
        return;
    }
    body.text(r#","output_config":{"#);
    body.text(effort.unwrap_or_default());
    if let Some(schema) = output {
        body.text(if effort.is_some() { "," } else { "" });
        body.text(r#""format":{"type":"json_schema","schema":"#);
        body.shared(schema);
        body.text("}");
    }
    body.text("}");
}

/// Models that bind thinking to what stands before it refuse the whole request when a tool was revealed since, unless
/// they are told to drop the blocks. They think adaptively by default, so saying so changes nothing
/// (<https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation>,
/// read 2026-12-01).
fn thinking(model: &Messages) -> Option<ThinkingConfig> {
    let binding = || model.binds_thinking.then_some(BlockBinding { prefix_mismatch_behavior: "drop_block" });
    match model.thinking {
        Thinking::Unset if !model.binds_thinking => None,
        Thinking::Unset | Thinking::Adaptive => Some(ThinkingConfig::Adaptive { block_binding: binding() }),
        Thinking::Off => Some(ThinkingConfig::Disabled),
        Thinking::Budget(tokens) => {
            // «Must be ≥1024 and less than max_tokens» (`thinking_config_enabled_param.py`, anthropic 2.14.0).
            let budget_tokens = u64::from(tokens).min(model.max_tokens.saturating_sub(1)).max(1024);
            Some(ThinkingConfig::Enabled { budget_tokens })
        }
    }
}

fn tools(body: &mut Body, model: &Messages, request: &SealedRequest, has_calls: bool) {
    let tools = request.tools();
    if tools.is_empty() {
        if has_calls {
            body.text(r#","tool_choice":{"type":"none"},"tools":["#);
            body.text(prompts::PLACEHOLDER_TOOL);
            body.text("]");
        }
        return;
    }
    let output = held(model, request);
    let strict = match &model.profile.schemas.budget {
        Some(budget) => strict::plan(tools, output.map(|output| &**output), budget),
        None => tools.iter().map(|_| false).collect(),
    };
    let last = tools.len().saturating_sub(1);
    for (index, (tool, strict)) in tools.iter().zip(strict).enumerate() {
        body.text(if index == 0 { r#","tools":["# } else { "," });
        match (strict, index == last) {
            (false, false) => body.shared(&tool.wire),
            (false, true) => marked(body, &tool.wire),
            (true, is_last) => {
                body.shared_unclosed(&tool.wire);
                body.text(r#","strict":true"#);
                body.text(if is_last { MARK } else { "}" });
            }
        }
    }
    body.text("]");
}

fn system(body: &mut Body, request: &SealedRequest, holds_output: bool) {
    let texts: Vec<&Arc<[u8]>> = request.system_fragments().iter().filter(|text| !text.is_empty()).collect();
    let schema = request.output().filter(|_| !holds_output).map(|output| prompts::answer_schema(&output.schema));
    if texts.is_empty() && schema.is_none() {
        return;
    }
    body.text(r#","system":["#);
    let last = texts.len().saturating_sub(1);
    for (index, text) in texts.iter().enumerate() {
        body.text(if index == 0 { "" } else { "," });
        if index == last { marked(body, text) } else { body.shared(text) }
    }
    if let Some(schema) = schema {
        body.text(if texts.is_empty() { "" } else { "," });
        body.owned(serde_json::to_vec(&serde_json::json!({ "type": "text", "text": schema })).unwrap_or_default());
    }
    body.text("]");
}

/// The messages with anything to say here, and whether there are calls among them.
fn pieces(model: &Messages, request: &SealedRequest) -> (Vec<Piece>, bool) {
    let (stay, end) = (request.history_len(), request.messages().len());
    let mut pieces = Vec::with_capacity(end);
    let mut has_calls = false;
    let mut index = 0_usize;
    request.for_each_message(|message, blocks| {
        let stays = index < stay;
        index = index.saturating_add(1);
        let (role, blocks) = match message {
            Message::Assistant(said) => {
                has_calls |= said.calls().next().is_some();
                let blocks = if index == end { encode::unfinished(&model.profile, said) } else { Arc::clone(blocks) };
                (Role::Assistant, blocks)
            }
            _ => (Role::User, Arc::clone(blocks)),
        };
        if !blocks.is_empty() {
            pieces.push(Piece { role, blocks, stays });
        }
    });
    (pieces, has_calls)
}

/// Joins neighbours of one role into one message. Results follow their calls at once, so they come first in theirs.
pub(super) fn conversation(body: &mut Body, pieces: &[Piece]) {
    let marks = marks(pieces);
    let mut speaker = None;
    for (index, piece) in pieces.iter().enumerate() {
        if speaker == Some(piece.role) {
            body.text(",");
        } else {
            body.text(if speaker.is_some() { "]}," } else { "" });
            body.text(match piece.role {
                Role::User => r#"{"role":"user","content":["#,
                Role::Assistant => r#"{"role":"assistant","content":["#,
            });
            speaker = Some(piece.role);
        }
        if marks.contains(&Some(index)) { marked(body, &piece.blocks) } else { body.shared(&piece.blocks) }
    }
    body.text(if speaker.is_some() { "]}" } else { "" });
}

/// Where the thread's own part may be cached: at its last message of the user's side, and at the one before the answer
/// before that. The provider looks back 20 blocks for what it has, so after a long batch only the second, which was the
/// first of the last request, finds it. Neither is ever a thinking block: those may not be marked
/// (<https://platform.claude.com/docs/en/build-with-claude/prompt-caching>, read 2026-12-01).
fn marks(pieces: &[Piece]) -> [Option<usize>; 2] {
    let users_before = |end: usize| pieces.iter().take(end).rposition(|one| one.stays && one.role == Role::User);
    let last = users_before(pieces.len());
    let answer = last.and_then(|last| pieces.iter().take(last).rposition(|one| one.role == Role::Assistant));
    [last, answer.and_then(users_before)]
}

fn marked(body: &mut Body, blocks: &Arc<[u8]>) {
    body.shared_unclosed(blocks);
    body.text(MARK);
}
