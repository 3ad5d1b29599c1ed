//! A schema as JSON that keeps its order, so that what is sent keeps it too.

use std::collections::HashMap;

use crate::diagnose::{Data, Value};
use crate::reader::{integer_of, number_of};
use crate::shape::Int;
use crate::writer::Writer;

/// A JSON value; numbers as they were written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Map),
}

/// An object in the order of its text. Of a repeated key the last value counts, as most readers have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Map(pub(super) Vec<(String, Json)>);

impl Json {
    pub(super) fn of(value: &Value<'_>) -> Self {
        match &value.data {
            Data::Null => Self::Null,
            Data::Bool(value) => Self::Bool(*value),
            Data::Number(token) => Self::Number((*token).to_owned()),
            Data::String { text, .. } => Self::String(text.clone().into_owned()),
            Data::Array(items) => Self::Array(items.iter().map(Self::of).collect()),
            Data::Object(members) => {
                let mut map: Vec<(String, Self)> = Vec::with_capacity(members.len());
                let mut places: HashMap<&str, usize> = HashMap::with_capacity(members.len());
                for member in members {
                    let value = Self::of(&member.value);
                    let place = *places.entry(&member.key).or_insert(map.len());
                    match map.get_mut(place) {
                        Some((_, slot)) => *slot = value,
                        None => map.push((member.key.clone().into_owned(), value)),
                    }
                }
                Self::Object(Map(map))
            }
        }
    }

    pub(super) fn object(&self) -> Option<&Map> {
        match self {
            Self::Object(map) => Some(map),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// A whole number, however it is written.
    pub(super) fn integer(&self) -> Option<Int> {
        match self {
            Self::Number(token) => integer_of(token).flatten(),
            _ => None,
        }
    }

    pub(super) fn float(&self) -> Option<f64> {
        match self {
            Self::Number(token) => number_of(token),
            _ => None,
        }
    }

    pub(super) fn count(&self) -> Option<u64> {
        self.integer().filter(|int| !int.is_negative()).and_then(|int| u64::try_from(int.magnitude()).ok())
    }

    /// The value behind a pointer, whose steps are not escaped.
    pub(super) fn at(&self, steps: &[String]) -> Option<&Self> {
        let mut value = self;
        for step in steps {
            value = match value {
                Self::Object(map) => map.get(step)?,
                Self::Array(items) => items.get(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(value)
    }

    pub(super) fn at_mut(&mut self, steps: &[String]) -> Option<&mut Self> {
        let mut value = self;
        for step in steps {
            value = match value {
                Self::Object(map) => map.get_mut(step)?,
                Self::Array(items) => items.get_mut(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// Compact JSON text.
    pub(super) fn to_text(&self) -> String {
        let mut out = Writer::default();
        self.write(&mut out);
        out.finish()
    }

    fn write(&self, out: &mut Writer) {
        match self {
            Self::Null => out.null(),
            Self::Bool(value) => out.boolean(*value),
            Self::Number(token) => out.raw(token),
            Self::String(text) => out.string(text),
            Self::Array(items) => {
                out.begin_array();
                for item in items {
                    out.item();
                    item.write(out);
                }
                out.end_array();
            }
            Self::Object(map) => {
                out.begin_object();
                for (key, value) in &map.0 {
                    out.key(key);
                    value.write(out);
                }
                out.end_object();
            }
        }
    }

    /// For the validator. A number beyond its reach becomes the nearest it has.
    pub(super) fn to_value(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Number(token) => serde_json::from_str(token).unwrap_or_else(|_| f64::MAX.into()),
            Self::String(text) => text.as_str().into(),
            Self::Array(items) => items.iter().map(Self::to_value).collect(),
            Self::Object(map) => {
                let members = map.0.iter().map(|(key, value)| (key.clone(), value.to_value()));
                serde_json::Value::Object(members.collect())
            }
        }
    }
}

impl Map {
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        self.0.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.has(key))
    }

    pub(super) fn set(&mut self, key: &str, value: Json) {
        match self.get_mut(key) {
            Some(slot) => *slot = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Json> {
        let at = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.remove(at).1)
    }
}

/// The steps of a JSON Pointer or of a URI fragment that is one.
pub(super) fn steps_of(pointer: &str) -> Option<Vec<String>> {
    let decoded = percent_decoded(pointer)?;
    if decoded.is_empty() {
        return Some(Vec::new());
    }
    let rest = decoded.strip_prefix('/')?;
    Some(rest.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect())
}

pub(super) fn pointer_of(steps: &[String]) -> String {
    steps.iter().flat_map(|step| ["/".to_owned(), step.replace('~', "~0").replace('/', "~1")]).collect()
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        out.push(digit(bytes.next())? << 4 | digit(bytes.next())?);
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::steps_of;

    #[test]
    fn pointers_are_read_as_uri_fragments() {
        assert_eq!(steps_of("/a~1b/%25"), Some(vec!["a/b".to_owned(), "%".to_owned()]));
        assert_eq!(steps_of(""), Some(Vec::new()));
        assert_eq!(steps_of("a"), None);
    }
}
