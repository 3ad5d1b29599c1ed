//! One content block of an answer while it comes in.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use outrigger_core::model::Part;
use outrigger_core::transcript::{CallId, Opaque};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::encode::TEXT;
use super::fields::Fields;

/// What is added to a block. Which fields there are depends on the kind.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    thinking: Option<String>,
    #[serde(default)]
    partial_json: Option<String>,
    #[serde(default)]
    signature: Option<String>,
    #[serde(default, borrow)]
    citation: Option<&'a RawValue>,
}

/// A block that began and did not end.
#[derive(Debug)]
pub(super) struct Block {
    kind: Kind,
    /// The block as it began.
    fields: Fields,
    /// The text or the thinking so far.
    text: String,
    /// The input so far, of a block that is kept.
    input: String,
    citations: Vec<Box<RawValue>>,
    /// Whether something was added that nobody here understands, so that it cannot go back whole.
    is_torn: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Text. One that follows another is kept as a block as well: the two would become one otherwise.
    Text {
        follows: bool,
    },
    Thinking,
    /// A call of a tool of ours.
    Call {
        index: usize,
        has_arguments: bool,
    },
    /// What only goes back: redacted thinking, the provider's own tools and their results, summaries, anything new.
    Kept,
}

impl Block {
    pub(super) fn text(fields: Fields, follows: bool) -> Self {
        let citations = fields.get("citations").and_then(|list| serde_json::from_str(list.get()).ok());
        let text = fields.text("text").unwrap_or_default();
        Self { text, citations: citations.unwrap_or_default(), ..Self::new(Kind::Text { follows }, fields) }
    }

    pub(super) fn thinking(fields: Fields) -> Self {
        let text = fields.text("thinking").unwrap_or_default();
        Self { text, ..Self::new(Kind::Thinking, fields) }
    }

    pub(super) fn call(fields: Fields, index: usize) -> Self {
        Self::new(Kind::Call { index, has_arguments: false }, fields)
    }

    pub(super) fn kept(fields: Fields) -> Self {
        Self::new(Kind::Kept, fields)
    }

    fn new(kind: Kind, fields: Fields) -> Self {
        Self { kind, fields, text: String::new(), input: String::new(), citations: Vec::new(), is_torn: false }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Text { .. })
    }

    pub(super) fn is_call(&self) -> bool {
        matches!(self.kind, Kind::Call { .. })
    }

    /// Tells of a call, or of the text that stood in the block when it began: servers that imitate the API send whole
    /// blocks.
    pub(super) fn begin(&self, out: &mut Vec<Part>) {
        if let Kind::Call { index, .. } = self.kind {
            let id = self.fields.text("id").filter(|id| !id.is_empty()).map(|id| CallId::from(id.as_str()));
            let name = self.fields.text("name").unwrap_or_default().into();
            out.push(Part::CallStarted { index, id, name });
        } else if !self.text.is_empty() {
            out.push(self.said(&self.text));
        }
    }

    /// Adds a delta. `whole` is the same delta with every field.
    pub(super) fn add(&mut self, delta: Delta<'_>, whole: &RawValue, out: &mut Vec<Part>) {
        match (delta.kind.as_str(), &mut self.kind) {
            ("text_delta", Kind::Text { .. }) => self.say(delta.text, out),
            ("citations_delta", Kind::Text { .. }) => self.citations.extend(delta.citation.map(ToOwned::to_owned)),
            ("thinking_delta", Kind::Thinking) => self.say(delta.thinking, out),
            // It sets the signature: there is one for the block.
            ("signature_delta", Kind::Thinking) => {
                if let Some(signature) = delta.signature {
                    self.fields.set("signature", &signature);
                }
            }
            ("input_json_delta", Kind::Call { index, has_arguments }) => {
                if let Some(json) = delta.partial_json.filter(|json| !json.is_empty()) {
                    *has_arguments = true;
                    out.push(Part::CallArguments { index: *index, delta: json.into() });
                }
            }
            ("input_json_delta", Kind::Kept) => self.input.push_str(&delta.partial_json.unwrap_or_default()),
            // Sets whole fields (`beta_compaction_content_block_delta.py`, anthropic 2.14.0).
            ("compaction_delta", Kind::Kept) => match serde_json::from_str::<Fields>(whole.get()) {
                Ok(fields) => {
                    let set = fields.iter().filter(|(name, _)| *name != "type");
                    set.for_each(|(name, value)| self.fields.set(name, &value));
                }
                Err(_) => self.is_torn = true,
            },
            // Text of a call or a signature of a text: nothing is lost by leaving it out.
            (_, Kind::Text { .. } | Kind::Call { .. }) => {}
            (_, Kind::Thinking | Kind::Kept) => self.is_torn = true,
        }
    }

    /// The block is over: adds what goes back as it came, or the arguments that never came in parts.
    pub(super) fn end(self, out: &mut Vec<Part>) {
        match self.kind {
            Kind::Call { has_arguments: true, .. } => {}
            Kind::Call { index, .. } => {
                let delta = self.whole_input().into_owned().into();
                out.push(Part::CallArguments { index, delta });
            }
            _ => out.extend(self.opaque().map(Part::Opaque)),
        }
    }

    fn say(&mut self, more: Option<String>, out: &mut Vec<Part>) {
        if let Some(more) = more.filter(|more| !more.is_empty()) {
            self.text.push_str(&more);
            out.push(self.said(&more));
        }
    }

    fn said(&self, text: &str) -> Part {
        if self.kind == Kind::Thinking { Part::Reasoning(text.into()) } else { Part::Text(text.into()) }
    }

    /// The arguments as they stood in the block when it began; no fragment and nothing there means none.
    fn whole_input(&self) -> Cow<'_, str> {
        match self.fields.get("input").map(RawValue::get) {
            None | Some("null" | "\"\"") => Cow::Borrowed("{}"),
            Some(text) if text.starts_with('"') => serde_json::from_str(text).unwrap_or(Cow::Borrowed(text)),
            Some(json) => Cow::Borrowed(json),
        }
    }

    /// The block for its maker, if it is whole and its maker would take it back.
    fn opaque(mut self) -> Option<Opaque> {
        match self.kind {
            Kind::Text { follows } => {
                if self.text.trim().is_empty() || (self.citations.is_empty() && !follows) {
                    return None;
                }
                self.fields.set("text", &self.text);
                if !self.citations.is_empty() {
                    self.fields.set("citations", &self.citations);
                }
            }
            Kind::Thinking => {
                self.fields.set("thinking", &self.text);
                // A thought that was cut off has no signature yet, and is refused without.
                if self.fields.text("signature").is_some_and(|signature| signature.is_empty()) {
                    return None;
                }
            }
            Kind::Kept if !self.input.is_empty() => {
                let input: Box<RawValue> = serde_json::from_str(&self.input).ok()?;
                self.fields.set("input", &input);
            }
            Kind::Kept | Kind::Call { .. } => {}
        }
        if self.is_torn {
            return None;
        }
        let kind = if self.is_text() { TEXT.to_owned() } else { self.fields.text("type")? };
        let json = serde_json::to_vec(&self.fields).ok()?;
        Some(Opaque { kind: kind.into(), bytes: STANDARD.encode(json).into() })
    }
}
