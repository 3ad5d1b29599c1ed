//! What a server sends that only it understands: kept as it came, and returned with the message it came with.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use outrigger_core::model::Part;
use outrigger_core::transcript::{AssistantMessage, AssistantPart, Opaque};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Blocks of reasoning, in order, some signed or encrypted: OpenRouter
/// (<https://openrouter.ai/docs/use-cases/reasoning-tokens>, through RooCodeInc/Roo-Code #9506).
const REASONING: &str = "reasoning_details";

/// What a call came with, such as a signature of its thought: Gemini's compatible endpoint (openai-python #3246). The
/// keys are the calls' numbers in the message.
const EXTRA: &str = "extra_content";

/// What one answer came with.
#[derive(Debug, Default)]
pub(super) struct Kept {
    reasoning: Vec<Value>,
    extra: Map<String, Value>,
}

impl Kept {
    /// Adds what a chunk has of the blocks of reasoning. Blocks come in pieces: neighbours of one type and index are
    /// one.
    pub(super) fn add_reasoning(&mut self, json: &RawValue) {
        let Ok(pieces) = serde_json::from_str::<Vec<Map<String, Value>>>(json.get()) else { return };
        for piece in pieces {
            match self.reasoning.last_mut().and_then(Value::as_object_mut) {
                Some(block) if continues(block, &piece) => extend(block, piece),
                _ => self.reasoning.push(Value::Object(piece)),
            }
        }
    }

    /// Adds what a call came with.
    pub(super) fn add_extra(&mut self, call: usize, json: &RawValue) {
        if let Ok(extra @ Value::Object(_)) = serde_json::from_str::<Value>(json.get()) {
            self.extra.insert(call.to_string(), extra);
        }
    }

    /// All of it, as parts.
    pub(super) fn finish(self, out: &mut Vec<Part>) {
        if !self.reasoning.is_empty() {
            out.push(opaque(REASONING, &Value::Array(self.reasoning)));
        }
        if !self.extra.is_empty() {
            out.push(opaque(EXTRA, &Value::Object(self.extra)));
        }
    }
}

/// Blocks of reasoning that a message came with.
pub(super) fn reasoning_details(said: &AssistantMessage) -> Option<Box<RawValue>> {
    read(said, REASONING)
}

/// What a message's calls came with, by their numbers.
pub(super) fn extra_content(said: &AssistantMessage) -> BTreeMap<usize, Box<RawValue>> {
    let read = read::<BTreeMap<String, Box<RawValue>>>(said, EXTRA).unwrap_or_default();
    read.into_iter().filter_map(|(call, extra)| Some((call.parse().ok()?, extra))).collect()
}

fn continues(block: &Map<String, Value>, piece: &Map<String, Value>) -> bool {
    let text = matches!(piece.get("type").and_then(Value::as_str), Some("reasoning.text" | "reasoning.summary"));
    text && ["type", "index", "id"].iter().all(|name| same(block.get(*name), piece.get(*name)))
}

/// An id may come with the first piece only.
fn same(block: Option<&Value>, piece: Option<&Value>) -> bool {
    block == piece || piece.is_none_or(Value::is_null)
}

fn extend(block: &mut Map<String, Value>, piece: Map<String, Value>) {
    for (name, value) in piece {
        match (block.get_mut(&name), value) {
            (Some(Value::String(text)), Value::String(more)) if name == "text" || name == "summary" => {
                text.push_str(&more);
            }
            (Some(_), Value::Null) => {}
            (Some(old), value) => *old = value,
            (None, value) => drop(block.insert(name, value)),
        }
    }
}

fn opaque(kind: &str, value: &Value) -> Part {
    let bytes = BASE64_STANDARD.encode(value.to_string());
    Part::Opaque(Opaque { kind: kind.into(), bytes: bytes.into() })
}

/// Storage is outside: what cannot be read is left out.
fn read<T: serde::de::DeserializeOwned>(said: &AssistantMessage, kind: &str) -> Option<T> {
    let opaque = said.parts.iter().find_map(|part| match part {
        AssistantPart::Opaque(opaque) if &*opaque.kind == kind => Some(opaque),
        _ => None,
    })?;
    let json = BASE64_STANDARD.decode(opaque.bytes.as_bytes()).ok()?;
    serde_json::from_slice(&json).ok()
}
