//! The types that have a contract without deriving it.

mod any;
mod array;
mod float;
mod integer;
mod map;
mod parsed;
mod pointer;
mod text;

pub use any::Any;
pub use array::position;
pub use parsed::Bytes;

use crate::contract::{Contract, Form, Kinds};
use crate::plan::Plan;
use crate::reader::{Reader, Refused};
use crate::shape::{Kind, Node, Shapes};
use crate::writer::Writer;

impl Contract for bool {
    const FORM: Form = Form::of(Kinds::BOOL);

    fn describe(_: &mut Shapes) -> Node {
        Node::new(Kind::Bool)
    }

    fn read(reader: &mut Reader<'_>, _: Plan<'_>) -> Result<Self, Refused> {
        reader.boolean()
    }

    fn write(&self, out: &mut Writer) {
        out.boolean(*self);
    }
}

impl<T: Contract> Contract for Option<T> {
    const FORM: Form = Form { kinds: T::FORM.kinds.or(Kinds::NULL), ..T::FORM };
    const ABSENT: Option<fn() -> Self> = Some(|| None);

    fn describe(shapes: &mut Shapes) -> Node {
        const {
            assert!(T::ABSENT.is_none(), "an option inside an option: absence and `null` could not be told apart");
        }
        T::describe(shapes).or_null()
    }

    #[inline]
    fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
        if reader.null()? {
            return Ok(None);
        }
        T::read(reader, plan).map(Some)
    }

    fn write(&self, out: &mut Writer) {
        match self {
            Some(value) => value.write(out),
            None => out.null(),
        }
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}
