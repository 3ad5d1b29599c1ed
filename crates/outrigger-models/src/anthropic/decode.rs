//! Reads the events of a streamed answer.

use std::collections::BTreeMap;

use outrigger_core::model::{ModelError, ModelErrorKind, Part};
use outrigger_core::transcript::Usage;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::block::{Block, Delta};
use super::fields::Fields;
use super::{finish, refusal};
use crate::wire::Decode;
use crate::wire::arguments::without_lone_surrogates;

/// The most blocks an answer may have.
const MOST_BLOCKS: usize = 4096;

/// The most bytes of blocks that are held, because they go back as they came or are not over yet.
const MOST_HELD: usize = 64 << 20;

/// One event, whichever it is. Fields of events that are not known may be anything.
#[derive(Debug, Deserialize)]
struct Event<'a> {
    #[serde(rename = "type", default)]
    kind: Option<Value>,
    #[serde(default)]
    index: Option<Value>,
    #[serde(default)]
    message: Option<Value>,
    #[serde(default, borrow)]
    content_block: Option<&'a RawValue>,
    #[serde(default, borrow)]
    delta: Option<&'a RawValue>,
    #[serde(default)]
    usage: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
}

/// What ends a message.
#[derive(Debug, Deserialize)]
struct Ending {
    #[serde(default)]
    stop_reason: Option<String>,
}

/// The state of one answer.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    open: BTreeMap<u64, Block>,
    blocks: usize,
    calls: usize,
    held: usize,
    /// Whether the block before was text.
    after_text: bool,
    tokens: Tokens,
    stop_reason: Option<String>,
    is_over: bool,
}

/// Tokens so far. Counts of later events replace earlier ones; a count that is left out stays.
#[derive(Clone, Copy, Debug, Default)]
struct Tokens {
    fresh: u64,
    written: u64,
    read: u64,
    output: u64,
    reasoning: u64,
}

impl Decode for Decoder {
    fn event(&mut self, name: &str, data: &str, out: &mut Vec<Part>) -> Result<(), ModelError> {
        let before = out.len();
        if !self.is_over {
            self.read(name, data, out)?;
        }
        if out.len() == before {
            out.push(Part::Alive);
        }
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<Part>) -> Result<(), ModelError> {
        if self.is_over { Ok(()) } else { Err(broken("its stream ended before it did")) }
    }

    fn is_done(&self) -> bool {
        self.is_over
    }
}

impl Decoder {
    fn read(&mut self, name: &str, data: &str, out: &mut Vec<Part>) -> Result<(), ModelError> {
        let event: Event<'_> = match serde_json::from_str(data) {
            Ok(event) => event,
            Err(error) if is_known(name) && data.trim() != "[DONE]" => {
                return Err(broken(&format!("event {name:?} cannot be read")).with_source(error));
            }
            Err(_) => return Ok(()),
        };
        let index = event.index.as_ref().and_then(Value::as_u64);
        match event.kind.as_ref().and_then(Value::as_str).unwrap_or(name) {
            "message_start" => {
                let usage = event.message.as_ref().and_then(|start| start.get("usage"));
                if let Some(usage) = usage.filter(|usage| usage.is_object()) {
                    self.count(usage, out);
                }
            }
            "content_block_start" => {
                if let Some(block) = event.content_block {
                    self.start(index, block, out)?;
                }
            }
            "content_block_delta" => {
                if let Some(delta) = event.delta {
                    self.add(index, delta, out)?;
                }
            }
            "content_block_stop" => self.close(index.or_else(|| self.newest()), out),
            "message_delta" => {
                let ending = event.delta.and_then(|delta| serde_json::from_str::<Ending>(delta.get()).ok());
                self.stop_reason = ending.and_then(|ending| ending.stop_reason).or(self.stop_reason.take());
                if let Some(usage) = event.usage {
                    self.count(&usage, out);
                }
            }
            "message_stop" => {
                while let Some(index) = self.open.keys().next().copied() {
                    self.close(Some(index), out);
                }
                self.is_over = true;
                out.push(Part::Finish(finish::of(self.stop_reason.as_deref(), self.calls > 0)?));
            }
            "error" => return Err(refusal::of_event(event.error.as_ref())),
            _ => {}
        }
        Ok(())
    }

    fn start(&mut self, index: Option<u64>, block: &RawValue, out: &mut Vec<Part>) -> Result<(), ModelError> {
        let fields: Fields =
            serde_json::from_str(block.get()).map_err(|error| broken("a block cannot be read").with_source(error))?;
        let index = index.unwrap_or_else(|| self.newest().map_or(0, |newest| newest.saturating_add(1)));
        self.hold(block.get().len())?;
        let block = match fields.text("type").as_deref() {
            Some("text") => Block::text(fields, self.after_text),
            Some("thinking") => Block::thinking(fields),
            Some("tool_use") => self.call(fields)?,
            _ => Block::kept(fields),
        };
        self.open(index, block, out)
    }

    fn call(&mut self, fields: Fields) -> Result<Block, ModelError> {
        if fields.text("name").is_none_or(|name| name.is_empty()) {
            return Err(broken("a call has no name"));
        }
        let index = self.calls;
        self.calls = index.saturating_add(1);
        Ok(Block::call(fields, index))
    }

    /// Blocks follow each other. Servers that imitate the API forget to end them, and some stream calls side by side:
    /// whatever is no call ends where the next block begins, so that nothing is reordered.
    fn open(&mut self, index: u64, block: Block, out: &mut Vec<Part>) -> Result<(), ModelError> {
        let ends = |(at, open): (&u64, &Block)| (*at == index || !open.is_call()).then_some(*at);
        for ended in self.open.iter().filter_map(ends).collect::<Vec<_>>() {
            self.close(Some(ended), out);
        }
        self.blocks = self.blocks.saturating_add(1);
        if self.blocks > MOST_BLOCKS {
            return Err(broken(&format!("the answer has more than {MOST_BLOCKS} blocks")));
        }
        self.after_text = block.is_text();
        block.begin(out);
        self.open.insert(index, block);
        Ok(())
    }

    fn add(&mut self, index: Option<u64>, whole: &RawValue, out: &mut Vec<Part>) -> Result<(), ModelError> {
        let error = match serde_json::from_str(whole.get()) {
            Ok(delta) => return self.grow(index, delta, whole, out),
            Err(error) => error,
        };
        // Half a surrogate pair, where a server cut a text between two UTF-16 units.
        let mended = without_lone_surrogates(whole.get());
        let mended: Result<&RawValue, _> = serde_json::from_str(&mended);
        if let Ok(mended) = mended
            && let Ok(delta) = serde_json::from_str(mended.get())
        {
            return self.grow(index, delta, mended, out);
        }
        Err(broken("what is added to a block cannot be read").with_source(error))
    }

    fn grow(
        &mut self,
        index: Option<u64>,
        delta: Delta<'_>,
        whole: &RawValue,
        out: &mut Vec<Part>,
    ) -> Result<(), ModelError> {
        let index = index.or_else(|| self.newest()).unwrap_or_default();
        if !self.open.contains_key(&index) {
            // Servers that imitate the API forget to begin a text; a call cannot be guessed at.
            let block = match delta.kind.as_str() {
                "text_delta" => Block::text(Fields::of_type("text"), self.after_text),
                "thinking_delta" => Block::thinking(Fields::of_type("thinking")),
                "input_json_delta" => return Err(broken("arguments came for a call that never began")),
                _ => return Ok(()),
            };
            self.open(index, block, out)?;
        }
        self.hold(whole.get().len())?;
        if let Some(block) = self.open.get_mut(&index) {
            block.add(delta, whole, out);
        }
        Ok(())
    }

    fn close(&mut self, index: Option<u64>, out: &mut Vec<Part>) {
        if let Some(block) = index.and_then(|index| self.open.remove(&index)) {
            block.end(out);
        }
    }

    fn newest(&self) -> Option<u64> {
        self.open.keys().next_back().copied()
    }

    fn hold(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.held = self.held.saturating_add(bytes);
        if self.held > MOST_HELD {
            return Err(broken(&format!("the answer has more than {MOST_HELD} bytes")));
        }
        Ok(())
    }

    /// «Total input tokens in a request is the summation of `input_tokens`, `cache_creation_input_tokens`, and
    /// `cache_read_input_tokens`» (`raw_message_delta_event.py`, anthropic 2.14.0).
    fn count(&mut self, usage: &Value, out: &mut Vec<Part>) {
        let set = |count: &mut u64, value: Option<&Value>| *count = value.and_then(Value::as_u64).unwrap_or(*count);
        let Tokens { fresh, written, read, output, reasoning } = &mut self.tokens;
        set(fresh, usage.get("input_tokens"));
        set(written, usage.get("cache_creation_input_tokens"));
        set(read, usage.get("cache_read_input_tokens"));
        set(output, usage.get("output_tokens"));
        set(reasoning, usage.get("output_tokens_details").and_then(|details| details.get("thinking_tokens")));
        out.push(Part::Usage(Usage {
            input: fresh.saturating_add(*written).saturating_add(*read),
            output: *output,
            cached: *read,
            reasoning: *reasoning,
        }));
    }
}

/// Whether an event of this name must be readable. One without a name, which the standard calls `message`, may be any.
fn is_known(name: &str) -> bool {
    let known = ["", "message", "message_start", "content_block_start", "content_block_delta", "content_block_stop"];
    known.contains(&name) || matches!(name, "message_delta" | "message_stop" | "error")
}

fn broken(what: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Stream, format!("the answer cannot be read: {what}"))
}
