//! Values where servers send more than one kind of JSON. Reading one never fails for what it is: what makes no sense is
//! nothing.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A name, an id, a reason: text or nothing. A number is its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Word<'a>(Option<Cow<'a, str>>);

/// A count or a number in a list: digits in a text are a number too.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Number(pub(super) Option<u64>);

/// What a model wrote: a text, a list of parts, or nothing.
#[derive(Debug, Default)]
pub(super) enum Content<'a> {
    #[default]
    Nothing,
    Text(Cow<'a, str>),
    Parts(Vec<(Kind, Cow<'a, str>)>),
}

/// What a part of a content is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Said,
    Thought,
    Refused,
}

impl<'a> Word<'a> {
    /// The text, empty if there is none.
    pub(super) fn into_text(self) -> Cow<'a, str> {
        self.0.unwrap_or_default()
    }

    /// The text, if there is any.
    pub(super) fn get(&self) -> Option<&str> {
        self.0.as_deref().filter(|text| !text.is_empty())
    }
}

impl Content<'_> {
    /// Calls `each` with every text that is not empty. A text without a kind is of kind `plain`.
    pub(super) fn for_each(&self, plain: Kind, mut each: impl FnMut(Kind, &str)) {
        match self {
            Self::Nothing => {}
            Self::Text(text) if text.is_empty() => {}
            Self::Text(text) => each(plain, text),
            Self::Parts(parts) => {
                for (kind, text) in parts.iter().filter(|(_, text)| !text.is_empty()) {
                    each(if *kind == Kind::Said { plain } else { *kind }, text);
                }
            }
        }
    }

    /// Whether there is no text in it.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Text(text) => text.is_empty(),
            Self::Parts(parts) => parts.iter().all(|(_, text)| text.is_empty()),
        }
    }
}

/// One part of a list: `{"type": "text", "text": …}`, or Mistral's `{"type": "thinking", "thinking": [ … ]}`
/// (<https://docs.mistral.ai/capabilities/reasoning>, from memory).
#[derive(Default, Deserialize)]
#[serde(default)]
struct Part<'a> {
    #[serde(rename = "type", borrow)]
    kind: Word<'a>,
    #[serde(borrow)]
    text: Content<'a>,
    #[serde(borrow)]
    content: Content<'a>,
    #[serde(borrow)]
    thinking: Content<'a>,
    #[serde(borrow)]
    refusal: Content<'a>,
}

impl<'a> Part<'a> {
    fn into_texts(self, out: &mut Vec<(Kind, Cow<'a, str>)>) {
        let thought = matches!(self.kind.get(), Some("thinking" | "reasoning" | "reasoning_text" | "summary_text"));
        let plain = if thought { Kind::Thought } else { Kind::Said };
        let of_kinds =
            [(Kind::Thought, self.thinking), (plain, self.text), (plain, self.content), (Kind::Refused, self.refusal)];
        for (kind, content) in of_kinds {
            content.into_texts(kind, out);
        }
    }
}

impl<'a> Content<'a> {
    fn into_texts(self, plain: Kind, out: &mut Vec<(Kind, Cow<'a, str>)>) {
        match self {
            Self::Nothing => {}
            Self::Text(text) => out.push((plain, text)),
            Self::Parts(parts) => {
                let of_kind = |kind| if kind == Kind::Said { plain } else { kind };
                out.extend(parts.into_iter().map(|(kind, text)| (of_kind(kind), text)));
            }
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Word<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Words(PhantomData))
    }
}

struct Words<'a>(PhantomData<&'a ()>);

impl<'de: 'a, 'a> Visitor<'de> for Words<'a> {
    type Value = Word<'a>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Word<'a>, E> {
        Ok(Word(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Word<'a>, E> {
        Ok(Word(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Word<'a>, E> {
        Ok(Word(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Word<'a>, E> {
        Ok(Word(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Word<'a>, E> {
        Ok(Word(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Word<'a>, E> {
        Ok(Word(None))
    }

    fn visit_unit<E>(self) -> Result<Word<'a>, E> {
        Ok(Word(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Word<'a>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Word(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Word<'a>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Word(None))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Numbers)
    }
}

struct Numbers;

impl<'de> Visitor<'de> for Numbers {
    type Value = Number;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a number")
    }

    fn visit_u64<E>(self, number: u64) -> Result<Number, E> {
        Ok(Number(Some(number)))
    }

    fn visit_str<E>(self, digits: &str) -> Result<Number, E> {
        Ok(Number(digits.parse().ok()))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Number, E> {
        Ok(Number(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Number, E> {
        Ok(Number(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Number, E> {
        Ok(Number(None))
    }

    fn visit_unit<E>(self) -> Result<Number, E> {
        Ok(Number(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Number, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Number(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Number, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Number(None))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Contents(PhantomData))
    }
}

struct Contents<'a>(PhantomData<&'a ()>);

impl<'de: 'a, 'a> Visitor<'de> for Contents<'a> {
    type Value = Content<'a>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text or a list of parts")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Content<'a>, E> {
        Ok(Content::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Content<'a>, E> {
        Ok(Content::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Content<'a>, E> {
        Ok(Content::Nothing)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Content<'a>, E> {
        Ok(Content::Nothing)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Content<'a>, E> {
        Ok(Content::Nothing)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Content<'a>, E> {
        Ok(Content::Nothing)
    }

    fn visit_unit<E>(self) -> Result<Content<'a>, E> {
        Ok(Content::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Content<'a>, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = list.next_element::<Content<'a>>()? {
            part.into_texts(Kind::Said, &mut parts);
        }
        Ok(Content::Parts(parts))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Content<'a>, A::Error> {
        let mut parts = Vec::new();
        Part::deserialize(MapAccessDeserializer::new(map))?.into_texts(&mut parts);
        Ok(Content::Parts(parts))
    }
}
