//! Pointers stand for what they point to.

use std::sync::Arc;

use crate::contract::{Contract, Form};
use crate::plan::Plan;
use crate::reader::{Reader, Refused};
use crate::shape::{Node, Shapes};
use crate::writer::Writer;

macro_rules! pointers {
    ($($name:ident<T> where T: $bound:path;)*) => {$(
        /// A property behind a pointer is never absent: put the option outside.
        impl<T: $bound> Contract for $name<T> {
            const FORM: Form = T::FORM;

            fn describe(shapes: &mut Shapes) -> Node {
                T::describe(shapes)
            }

            #[inline]
            fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
                T::read(reader, plan).map(Self::new)
            }

            fn write(&self, out: &mut Writer) {
                T::write(self, out);
            }
        }
    )*};
}

/// What an `Arc` needs to be sent to another thread.
trait Shared: Contract + Sync {}

impl<T: Contract + Sync> Shared for T {}

pointers! {
    Box<T> where T: Contract;
    Arc<T> where T: Shared;
}
