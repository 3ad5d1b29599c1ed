//! A document as a tree that remembers where everything stood. Only a refused document is read into one.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::Code;
use crate::reader::{Reader, Refused, integer_of, number_of};

/// A value and its place in the text.
#[derive(Clone, Debug)]
pub(crate) struct Value<'a> {
    pub(crate) data: Data<'a>,
    /// The text of the value.
    pub(crate) raw: &'a str,
}

#[derive(Clone, Debug)]
pub(crate) enum Data<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    String { text: Cow<'a, str>, lone_surrogate: bool },
    Array(Vec<Value<'a>>),
    Object(Vec<Member<'a>>),
}

#[derive(Clone, Debug)]
pub(crate) struct Member<'a> {
    pub(crate) key: Cow<'a, str>,
    pub(crate) lone_surrogate: bool,
    pub(crate) value: Value<'a>,
}

/// Reads a whole text into a tree.
pub(crate) fn parse<'a>(reader: &mut Reader<'a>) -> Result<Value<'a>, Refused> {
    let value = value(reader)?;
    reader.end()?;
    Ok(value)
}

fn value<'a>(reader: &mut Reader<'a>) -> Result<Value<'a>, Refused> {
    let first = reader.peek();
    let start = reader.offset();
    let data = match first {
        Some(b'{') => Data::Object(members(reader)?),
        Some(b'[') => Data::Array(items(reader)?),
        Some(b'"') => {
            let unquoted = reader.unquoted()?;
            Data::String { text: unquoted.text, lone_surrogate: unquoted.lone_surrogate }
        }
        Some(b't' | b'f') => Data::Bool(reader.boolean()?),
        Some(b'n') => reader.null().map(|_| Data::Null)?,
        Some(b'-' | b'0'..=b'9') => Data::Number(reader.number()?),
        _ => return Err(reader.refuse(Code::NotJson)),
    };
    Ok(Value { data, raw: reader.span(start) })
}

fn items<'a>(reader: &mut Reader<'a>) -> Result<Vec<Value<'a>>, Refused> {
    let mut items = Vec::new();
    let mut first = true;
    reader.array()?;
    while reader.item(&mut first)? {
        items.push(value(reader)?);
    }
    Ok(items)
}

fn members<'a>(reader: &mut Reader<'a>) -> Result<Vec<Member<'a>>, Refused> {
    let mut members = Vec::new();
    let mut first = true;
    reader.object()?;
    while let Some(key) = reader.lenient_key(&mut first)? {
        members.push(Member { key: key.text, lone_surrogate: key.lone_surrogate, value: value(reader)? });
    }
    Ok(members)
}

impl Value<'_> {
    /// A text that two values share exactly when JSON holds them equal: numbers by value, objects in any order.
    pub(crate) fn identity(&self) -> String {
        let mut out = String::new();
        self.write_identity(&mut out);
        out
    }

    fn write_identity(&self, out: &mut String) {
        match &self.data {
            Data::Null => out.push('n'),
            Data::Bool(value) => out.push(if *value { 't' } else { 'f' }),
            Data::Number(token) => {
                // Writing to a `String` cannot fail.
                let _ = match (integer_of(token), number_of(token)) {
                    (Some(Some(int)), _) => write!(out, "{int}"),
                    (_, Some(float)) => write!(out, "{float:?}"),
                    (_, None) => write!(out, "{token}"),
                };
            }
            Data::String { text, .. } => {
                let _ = write!(out, "{text:?}");
            }
            Data::Array(items) => {
                out.push('[');
                for item in items {
                    item.write_identity(out);
                    out.push(',');
                }
                out.push(']');
            }
            Data::Object(members) => {
                let mut sorted: Vec<_> = members.iter().collect();
                sorted.sort_by(|a, b| a.key.cmp(&b.key));
                out.push('{');
                for member in sorted {
                    let _ = write!(out, "{:?}:", member.key);
                    member.value.write_identity(out);
                    out.push(',');
                }
                out.push('}');
            }
        }
    }
}
