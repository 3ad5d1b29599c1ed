//! Streams of chat completions.

use std::collections::HashSet;

use outrigger_core::model::{Encode as _, Item, ModelError, Part};
use outrigger_core::transcript::{AssistantMessage, AssistantPart, Finish, Message, ToolCall};
use serde_json::Value;

use crate::openai::{Server, chat};
use crate::wire::sse::{Sse, SseError, SseLimits};
use crate::wire::{Decode, Protocol as _};

/// Reads one streamed answer.
pub struct ChatStream(Box<dyn Decode>);

impl Default for ChatStream {
    fn default() -> Self {
        Self(Box::new(chat::Decoder::new("test")))
    }
}

impl ChatStream {
    /// Takes one event, and adds what it means to `out`.
    ///
    /// # Errors
    /// When the answer is broken off or over its bounds.
    pub fn event(&mut self, name: &str, data: &str, out: &mut Vec<Part>) -> Result<(), ModelError> {
        self.0.event(name, data, out)
    }
}

/// Reads bytes as a stream, and writes what it means as the answer of an earlier turn, for every server. Returns what is
/// wrong with the parts: a call that begins twice or grows and never began, something after the end, a body that is no
/// JSON.
#[must_use]
pub fn chat_stream(stream: &[u8]) -> Option<String> {
    let (parts, ended) = read(stream);
    let said = match assembled(&parts) {
        Ok(said) => said,
        Err(wrong) => return Some(wrong),
    };
    if ended != parts.iter().any(|part| matches!(part, Part::Finish(_))) {
        return Some("a stream ends with its finish, and only then".to_owned());
    }
    crate::openai::SERVERS.iter().find_map(|server| written(server, &said))
}

/// The parts of a stream, and whether it came to its end.
fn read(stream: &[u8]) -> (Vec<Part>, bool) {
    let mut decoder = chat::Decoder::new("test");
    let mut parts = Vec::new();
    let mut sse = Sse::new(SseLimits::DEFAULT);
    let mut event = |name: &str, data: &str| decoder.event(name, data, &mut parts).map_err(|_| Broken);
    let told = sse.feed(stream, &mut event).and_then(|()| sse.end(&mut event));
    let ended = told.is_ok() && decoder.end(&mut parts).is_ok();
    (parts, ended)
}

struct Broken;

impl From<SseError> for Broken {
    fn from(_: SseError) -> Self {
        Self
    }
}

fn written(server: &'static Server, said: &[AssistantPart]) -> Option<String> {
    let model = chat("m", server);
    drop(model.refusal(400, &format!("{said:?}")));
    let by = model.profile().name.clone();
    let said = AssistantMessage { parts: said.to_vec(), by, finish: Finish::Stop, partial: false };
    let message = model.encode(Item::Message(&Message::Assistant(said.into())));
    let list = [b"[", &*message, b"]"].concat();
    let error = serde_json::from_slice::<Vec<Value>>(&list).err()?;
    // What was kept as it came may hold what only this parser refuses.
    let told = error.to_string();
    (!told.contains("recursion limit")).then(|| format!("{}: {told}", server.name))
}

fn assembled(parts: &[Part]) -> Result<Vec<AssistantPart>, String> {
    let mut said: Vec<AssistantPart> = Vec::new();
    let mut calls = Vec::new();
    let mut begun = HashSet::new();
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
                if !begun.insert(*index) {
                    return Err(format!("call {index} began twice"));
                }
                calls.push((*index, said.len()));
                let id = id.clone().unwrap_or_else(|| format!("made{index}").as_str().into());
                said.push(AssistantPart::Call(ToolCall { id, name: name.clone(), arguments: "".into() }));
            }
            Part::CallArguments { index, delta } => {
                let at = calls.iter().find(|(call, _)| call == index).map(|(_, at)| *at);
                match at.and_then(|at| said.get_mut(at)) {
                    Some(AssistantPart::Call(call)) => call.arguments = format!("{}{delta}", call.arguments).into(),
                    _ => return Err(format!("call {index} grows and never began")),
                }
            }
            Part::Finish(_) => is_over = true,
            _ => {}
        }
    }
    Ok(said)
}
