//! Values that are written as text and parsed: durations and bytes here, other crates' types in the modules below.

mod bytes;
#[cfg(feature = "chrono")]
mod chrono;
mod duration;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;

pub use bytes::Bytes;

use crate::shape::{Check, Kind, Node, StringRules};

/// A string in a format, with the parser that decides.
fn string_in(format: Option<&'static str>, check: Check) -> Node {
    Node::new(Kind::String(StringRules {
        format: format.map(Into::into),
        check: Some(check),
        ..StringRules::default()
    }))
}

/// Implements `Contract` for types that are written as text.
macro_rules! parsed {
    ($($ty:ty, $format:expr, $expected:literal, $parse:expr, $write:expr;)*) => {$(
        impl crate::contract::Contract for $ty {
            const FORM: crate::contract::Form = crate::contract::Form::of(crate::contract::Kinds::STRING);

            fn describe(_: &mut crate::shape::Shapes) -> crate::shape::Node {
                super::string_in($format, crate::shape::Check {
                    accepts: |text| {
                        let parsed: Option<$ty> = $parse(text);
                        parsed.is_some()
                    },
                    expected: $expected,
                })
            }

            fn read(
                reader: &mut crate::reader::Reader<'_>,
                _: crate::plan::Plan<'_>,
            ) -> Result<Self, crate::reader::Refused> {
                let text = reader.string()?;
                $parse(&text).ok_or(reader.refuse(crate::Code::Format))
            }

            fn write(&self, out: &mut crate::writer::Writer) {
                let write: fn(&Self) -> String = $write;
                out.string(&write(self));
            }
        }
    )*};
}

use parsed;
