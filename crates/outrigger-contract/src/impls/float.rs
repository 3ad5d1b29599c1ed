//! Floats.

use crate::Code;
use crate::contract::{Contract, Form, Kinds};
use crate::plan::Plan;
use crate::reader::{Reader, Refused};
use crate::shape::{Kind, Node, Number, Shapes};
use crate::writer::Writer;

impl Contract for f64 {
    const FORM: Form = Form::of(Kinds::NUMBER);

    fn describe(_: &mut Shapes) -> Node {
        Node::new(Kind::Number(Number::default()))
    }

    #[inline]
    fn read(reader: &mut Reader<'_>, _: Plan<'_>) -> Result<Self, Refused> {
        reader.float()
    }

    fn write(&self, out: &mut Writer) {
        out.float(*self);
    }
}

impl Contract for f32 {
    const FORM: Form = Form::of(Kinds::NUMBER);

    fn describe(_: &mut Shapes) -> Node {
        Node::new(Kind::Number(Number { single: true, ..Number::default() }))
    }

    fn read(reader: &mut Reader<'_>, _: Plan<'_>) -> Result<Self, Refused> {
        let start = reader.offset();
        let token = reader.number()?;
        let in_range = token.parse::<f64>().is_ok_and(|wide| wide.abs() <= f64::from(Self::MAX));
        // Parsed again as what it is: going through `f64` would round twice.
        let value = token.parse().ok().filter(|_| in_range);
        value.ok_or(Refused { at: start, code: Code::Range })
    }

    fn write(&self, out: &mut Writer) {
        out.single(*self);
    }
}
