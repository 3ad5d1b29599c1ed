//! Reads the events of a streamed answer.

use outrigger_core::model::{ModelError, ModelErrorKind, Part};
use outrigger_core::transcript::Usage;
use serde_json::Value;
use serde_json::value::RawValue;

use super::calls::{Calls, MOST_CALLS};
use super::chunk::{Choice, Chunk, Delta, Function};
use super::finish::{self, Reason};
use super::kept::Kept;
use super::text::{Content, Kind, Word};
use super::{refusal, usage};
use crate::wire::Decode;
use crate::wire::arguments::without_lone_surrogates;

/// The most bytes of text, reasoning and arguments that an answer may have: ten times what any model writes.
const MOST_BYTES: usize = 16 << 20;

/// What ends a stream, by OpenAI's custom.
const DONE: &str = "[DONE]";

/// The state of one answer.
#[derive(Debug)]
pub(crate) struct Decoder {
    server: &'static str,
    calls: Calls,
    kept: Kept,
    usage: Usage,
    reason: Option<Reason>,
    refused: bool,
    bytes: usize,
    is_over: bool,
}

impl Decode for Decoder {
    fn event(&mut self, name: &str, data: &str, out: &mut Vec<Part>) -> Result<(), ModelError> {
        let before = out.len();
        match data.trim() {
            _ if self.is_over => {}
            "" => {}
            DONE => self.close(out)?,
            data if name == "error" => return Err(refusal::of_event(self.server, data)),
            data => self.read(name, data, out)?,
        }
        if out.len() == before {
            out.push(Part::Alive);
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<Part>) -> Result<(), ModelError> {
        if self.is_over { Ok(()) } else { self.close(out) }
    }

    fn is_done(&self) -> bool {
        self.is_over
    }
}

impl Decoder {
    /// Nothing was read yet. The server's name is for errors.
    pub(crate) fn new(server: &'static str) -> Self {
        Self {
            server,
            calls: Calls::default(),
            kept: Kept::default(),
            usage: Usage::default(),
            reason: None,
            refused: false,
            bytes: 0,
            is_over: false,
        }
    }

    fn read(&mut self, name: &str, data: &str, out: &mut Vec<Part>) -> Result<(), ModelError> {
        let error = match serde_json::from_str::<Chunk<'_>>(data) {
            Ok(chunk) => return self.take(chunk, data, out),
            Err(error) => error,
        };
        let mended = mended(data);
        if let Ok(chunk) = serde_json::from_str::<Chunk<'_>>(&mended) {
            return self.take(chunk, &mended, out);
        }
        let is_ours = matches!(name, "" | "message") && (data.starts_with('{') || !error.is_data());
        if is_ours { Err(self.broken("an event of the stream cannot be read").with_source(error)) } else { Ok(()) }
    }

    fn take(&mut self, chunk: Chunk<'_>, data: &str, out: &mut Vec<Part>) -> Result<(), ModelError> {
        let groq = chunk.x_groq.unwrap_or_default();
        let choice = chunk.choices.0.unwrap_or_default();
        if let Some(error) = chunk.error.or(choice.error).or(groq.error) {
            return Err(refusal::of_event(self.server, error.get()));
        }
        if chunk.object.get() == Some("error") {
            return Err(refusal::of_event(self.server, data));
        }
        for counts in [choice.usage, groq.usage, chunk.usage].into_iter().flatten() {
            self.count(counts, out);
        }
        self.choice(choice, out)
    }

    fn choice(&mut self, choice: Choice<'_>, out: &mut Vec<Part>) -> Result<(), ModelError> {
        for delta in [choice.delta.as_deref(), choice.message.as_deref()].into_iter().flatten() {
            self.delta(delta, out)?;
        }
        match choice.finish_reason.get().map(finish::reason) {
            Some(Reason::Failed) => Err(refusal::of_event(self.server, "")),
            // A server that ends twice says the true reason once.
            Some(Reason::Stop | Reason::Calls) if matches!(self.reason, Some(Reason::Length | Reason::Refused)) => {
                Ok(())
            }
            Some(reason) => {
                self.reason = Some(reason);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn delta(&mut self, delta: &Delta<'_>, out: &mut Vec<Part>) -> Result<(), ModelError> {
        // Servers that rename the one into the other send both for a time.
        let thought = if delta.reasoning_content.is_empty() { &delta.reasoning } else { &delta.reasoning_content };
        self.write(thought, Kind::Thought, out)?;
        if let Some(details) = delta.reasoning_details {
            self.spend(details.get().len())?;
            self.kept.add_reasoning(details);
        }
        self.write(&delta.content, Kind::Said, out)?;
        self.write(&delta.refusal, Kind::Refused, out)?;
        for fragment in delta.tool_calls.iter().flatten().flatten() {
            let none = Function::default();
            let function = fragment.function.as_ref().unwrap_or(&none);
            let call = self.call(fragment.index.0, &fragment.id, function, out)?;
            if let Some(extra) = fragment.extra_content {
                self.spend(extra.get().len())?;
                self.kept.add_extra(call, extra);
            }
        }
        if let Some(function) = &delta.function_call {
            self.call(None, &Word::default(), function, out)?;
        }
        Ok(())
    }

    fn write(&mut self, content: &Content<'_>, plain: Kind, out: &mut Vec<Part>) -> Result<(), ModelError> {
        let mut bytes = 0_usize;
        let mut refused = false;
        content.for_each(plain, |kind, text| {
            bytes = bytes.saturating_add(text.len());
            refused |= kind == Kind::Refused;
            out.push(if kind == Kind::Thought { Part::Reasoning(text.into()) } else { Part::Text(text.into()) });
        });
        self.refused |= refused;
        self.spend(bytes)
    }

    fn call(
        &mut self,
        index: Option<u64>,
        id: &Word<'_>,
        function: &Function<'_>,
        out: &mut Vec<Part>,
    ) -> Result<usize, ModelError> {
        match self.calls.push(index, id, function, out) {
            Ok((call, bytes)) => self.spend(bytes).map(|()| call),
            Err(_) => Err(self.broken(&format!("the answer has more than {MOST_CALLS} calls"))),
        }
    }

    fn count(&mut self, counts: &RawValue, out: &mut Vec<Part>) {
        if let Some(usage) = usage::read(counts).filter(|usage| *usage != self.usage) {
            self.usage = usage;
            out.push(Part::Usage(usage));
        }
    }

    fn spend(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MOST_BYTES {
            return Err(self.broken(&format!("the answer has more than {MOST_BYTES} bytes")));
        }
        Ok(())
    }

    /// Tells what was held back and why the model stopped.
    fn close(&mut self, out: &mut Vec<Part>) -> Result<(), ModelError> {
        let Some(reason) = self.reason else {
            return Err(self.broken("the stream ended before the answer did: it did not say why the model stopped"));
        };
        self.is_over = true;
        let calls = self.calls.finish(out);
        std::mem::take(&mut self.kept).finish(out);
        out.push(Part::Finish(finish::finish(reason, calls, self.refused)));
        Ok(())
    }

    fn broken(&self, what: &str) -> ModelError {
        ModelError::new(ModelErrorKind::Stream, format!("{}: {what}", self.server))
    }
}

/// The same event without half surrogate pairs, where a server cut a text between two UTF-16 units, and with the last of
/// each name that stands twice in an object.
fn mended(data: &str) -> String {
    let mended = without_lone_surrogates(data);
    match serde_json::from_str::<Value>(&mended) {
        Ok(value) => value.to_string(),
        Err(_) => mended.into_owned(),
    }
}
