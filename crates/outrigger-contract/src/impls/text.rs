//! Text.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::Code;
use crate::contract::{Contract, Form, Kinds};
use crate::plan::Plan;
use crate::reader::{Reader, Refused};
use crate::shape::{Kind, Node, Shapes, StringRules};
use crate::writer::Writer;

impl Contract for String {
    const FORM: Form = Form::of(Kinds::STRING);

    fn describe(_: &mut Shapes) -> Node {
        Node::new(Kind::String(StringRules::default()))
    }

    #[inline]
    fn read(reader: &mut Reader<'_>, _: Plan<'_>) -> Result<Self, Refused> {
        reader.string().map(Cow::into_owned)
    }

    fn write(&self, out: &mut Writer) {
        out.string(self);
    }
}

impl Contract for Cow<'static, str> {
    const FORM: Form = Form::of(Kinds::STRING);

    fn describe(shapes: &mut Shapes) -> Node {
        String::describe(shapes)
    }

    fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
        String::read(reader, plan).map(Cow::Owned)
    }

    fn write(&self, out: &mut Writer) {
        out.string(self);
    }
}

impl Contract for char {
    const FORM: Form = Form::of(Kinds::STRING);

    fn describe(_: &mut Shapes) -> Node {
        Node::new(Kind::String(StringRules { min_len: Some(1), max_len: Some(1), ..StringRules::default() }))
    }

    fn read(reader: &mut Reader<'_>, _: Plan<'_>) -> Result<Self, Refused> {
        let text = reader.string()?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(reader.refuse(Code::Length)),
        }
    }

    fn write(&self, out: &mut Writer) {
        out.string(self.encode_utf8(&mut [0; 4]));
    }
}

/// A path that is not Unicode is written with replacement characters: JSON has no other text.
impl Contract for PathBuf {
    const FORM: Form = Form::of(Kinds::STRING);

    fn describe(shapes: &mut Shapes) -> Node {
        String::describe(shapes)
    }

    fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
        String::read(reader, plan).map(Self::from)
    }

    fn write(&self, out: &mut Writer) {
        out.string(&self.to_string_lossy());
    }
}
