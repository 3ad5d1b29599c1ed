//! One event of a stream, as the servers write it. Texts are borrowed from the event where they have no escapes.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::text::{Content, Number, Word};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk<'a> {
    /// What it is; some servers send `error` here.
    #[serde(borrow)]
    pub(super) object: Word<'a>,
    #[serde(borrow)]
    pub(super) choices: Choices<'a>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    /// Groq's own: usage in the last chunk.
    #[serde(borrow)]
    pub(super) x_groq: Option<Groq<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Groq<'a> {
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

/// The one choice that was asked for; `None` where a chunk has usage only.
#[derive(Debug, Default)]
pub(super) struct Choices<'a>(pub(super) Option<Choice<'a>>);

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice<'a> {
    index: Number,
    /// In a box, as it is large, and moves from hand to hand while the event is read.
    #[serde(borrow)]
    pub(super) delta: Option<Box<Delta<'a>>>,
    /// The whole message, where a server streams in one piece.
    #[serde(borrow)]
    pub(super) message: Option<Box<Delta<'a>>>,
    #[serde(borrow)]
    pub(super) finish_reason: Word<'a>,
    /// Moonshot's place for it (<https://platform.moonshot.ai/docs/api/chat>, from memory).
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta<'a> {
    #[serde(borrow)]
    pub(super) content: Content<'a>,
    #[serde(borrow)]
    pub(super) reasoning_content: Content<'a>,
    #[serde(borrow)]
    pub(super) reasoning: Content<'a>,
    #[serde(borrow)]
    pub(super) reasoning_details: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) refusal: Content<'a>,
    #[serde(borrow)]
    pub(super) tool_calls: Option<Vec<Option<Fragment<'a>>>>,
    /// The form before tools.
    #[serde(borrow)]
    pub(super) function_call: Option<Function<'a>>,
}

/// A piece of a call.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Fragment<'a> {
    pub(super) index: Number,
    #[serde(borrow)]
    pub(super) id: Word<'a>,
    #[serde(borrow)]
    pub(super) function: Option<Function<'a>>,
    #[serde(borrow)]
    pub(super) extra_content: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Function<'a> {
    #[serde(borrow)]
    pub(super) name: Word<'a>,
    /// A text of JSON, a piece of one, `null`, or JSON itself.
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Choices<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(First(PhantomData))
    }
}

struct First<'a>(PhantomData<&'a ()>);

impl<'de: 'a, 'a> Visitor<'de> for First<'a> {
    type Value = Choices<'a>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of choices")
    }

    fn visit_unit<E>(self) -> Result<Choices<'a>, E> {
        Ok(Choices(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Choices<'a>, A::Error> {
        let mut first = None;
        while let Some(choice) = list.next_element::<Option<Choice<'a>>>()? {
            if let Some(choice) = choice
                && choice.index.0.unwrap_or_default() == 0
            {
                first = Some(choice);
                break;
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Choices(first))
    }
}
