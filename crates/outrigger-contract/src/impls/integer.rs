//! Integers of every width.

use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroU128, NonZeroUsize,
};

use crate::Code;
use crate::contract::{Contract, Form, Kinds};
use crate::plan::Plan;
use crate::reader::{Reader, Refused};
use crate::shape::{Int, Integer, Kind, Node, Shapes};
use crate::writer::Writer;

macro_rules! integers {
    ($($ty:ident via $wide:ident),*) => {$(
        impl Contract for $ty {
            const FORM: Form = Form::of(Kinds::NUMBER);

            fn describe(_: &mut Shapes) -> Node {
                Node::new(Kind::Integer(Integer {
                    range: Some((Int::$wide(Self::MIN as _), Int::$wide(Self::MAX as _))),
                    ..Integer::default()
                }))
            }

            #[inline]
            fn read(reader: &mut Reader<'_>, _: Plan<'_>) -> Result<Self, Refused> {
                let start = reader.offset();
                let int = reader.integer()?;
                let value = if int.is_negative() {
                    int.to_i128().and_then(|value| Self::try_from(value).ok())
                } else {
                    Self::try_from(int.magnitude()).ok()
                };
                value.ok_or(Refused { at: start, code: Code::Range })
            }

            fn write(&self, out: &mut Writer) {
                out.integer(self);
            }
        }
    )*};
}

integers!(
    i8 via signed, i16 via signed, i32 via signed, i64 via signed, i128 via signed, isize via signed,
    u8 via unsigned, u16 via unsigned, u32 via unsigned, u64 via unsigned, u128 via unsigned, usize via unsigned
);

macro_rules! non_zero_integers {
    ($($ty:ident of $inner:ident),*) => {$(
        impl Contract for $ty {
            const FORM: Form = Form::of(Kinds::NUMBER);

            fn describe(shapes: &mut Shapes) -> Node {
                let mut node = $inner::describe(shapes);
                if let Kind::Integer(integer) = &mut node.kind {
                    integer.non_zero = true;
                    if let Some((min @ Int::ZERO, _)) = &mut integer.range {
                        *min = Int::unsigned(1);
                    }
                }
                node
            }

            fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
                let start = reader.offset();
                let value = $inner::read(reader, plan)?;
                Self::new(value).ok_or(Refused { at: start, code: Code::Range })
            }

            fn write(&self, out: &mut Writer) {
                out.integer(self);
            }
        }
    )*};
}

non_zero_integers!(
    NonZeroI8 of i8, NonZeroI16 of i16, NonZeroI32 of i32, NonZeroI64 of i64, NonZeroI128 of i128,
    NonZeroIsize of isize, NonZeroU8 of u8, NonZeroU16 of u16, NonZeroU32 of u32, NonZeroU64 of u64,
    NonZeroU128 of u128, NonZeroUsize of usize
);
