//! Streams of the Messages API.

use std::sync::Arc;

use outrigger_core::model::{Encode as _, Item, Part};
use outrigger_core::transcript::{AssistantMessage, AssistantPart, Finish, Message, ToolCall};
use serde_json::Value;

use crate::anthropic::messages;
use crate::wire::Protocol as _;
use crate::wire::sse::{Sse, SseLimits};

/// Reads text as a stream, and writes what it means as the answer of an earlier turn. Returns what is wrong with the
/// parts: a call that grows and never began, something after the end, blocks that are no JSON.
#[must_use]
pub fn anthropic_stream(stream: &str) -> Option<String> {
    let model = messages("claude-haiku-4-5");
    drop(model.refusal(400, stream));
    let mut decoder = model.decoder();
    let mut sse = Sse::new(SseLimits::DEFAULT);
    let mut parts = Vec::new();
    let told = sse.feed(stream.as_bytes(), |name, data| decoder.event(name, data, &mut parts));
    let told = told.and_then(|()| sse.end(|name, data| decoder.event(name, data, &mut parts)));
    let ended = told.and_then(|()| decoder.end(&mut parts)).is_ok();
    let said = match assembled(&parts) {
        Ok(said) => said,
        Err(wrong) => return Some(wrong),
    };
    if ended && !parts.iter().any(|part| matches!(part, Part::Finish(_))) {
        return Some("a stream ended without its finish".to_owned());
    }
    let by = model.profile().name.clone();
    let said = AssistantMessage { parts: said, by, finish: Finish::Stop, partial: !ended };
    let blocks = model.encode(Item::Message(&Message::Assistant(Arc::new(said))));
    let list = [b"[", &*blocks, b"]"].concat();
    let error = serde_json::from_slice::<Vec<Value>>(&list).err()?;
    // Kept blocks may hold what only this parser refuses: half a surrogate pair, a number out of range.
    let known = ["surrogate", "number out of range", "hex escape", "recursion limit"];
    let told = error.to_string();
    (!known.iter().any(|known| told.contains(known))).then_some(told)
}

fn assembled(parts: &[Part]) -> Result<Vec<AssistantPart>, String> {
    let mut said: Vec<AssistantPart> = Vec::new();
    let mut calls: Vec<usize> = Vec::new();
    let mut is_over = false;
    for part in parts {
        if is_over && *part != Part::Alive {
            return Err(format!("after the end: {part:?}"));
        }
        match part {
            Part::Text(text) => said.push(AssistantPart::Text(text.clone())),
            Part::Reasoning(text) => said.push(AssistantPart::Reasoning(text.clone())),
            Part::Opaque(opaque) => said.push(AssistantPart::Opaque(opaque.clone())),
            Part::CallStarted { index, id, name } => {
                if *index != calls.len() {
                    return Err(format!("call {index} began as number {}", calls.len()));
                }
                calls.push(said.len());
                let id = id.clone().unwrap_or_else(|| format!("made{index}").as_str().into());
                said.push(AssistantPart::Call(ToolCall { id, name: name.clone(), arguments: "".into() }));
            }
            Part::CallArguments { index, delta } => match calls.get(*index).and_then(|at| said.get_mut(*at)) {
                Some(AssistantPart::Call(call)) => call.arguments = format!("{}{delta}", call.arguments).into(),
                _ => return Err(format!("call {index} grows and never began")),
            },
            Part::Finish(_) => is_over = true,
            _ => {}
        }
    }
    Ok(said)
}
