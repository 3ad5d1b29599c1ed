//! Arrays, sets and tuples.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

use crate::Code;
use crate::contract::{Contract, Form, Kinds, encode};
use crate::plan::Plan;
use crate::reader::{Reader, Refused};
use crate::shape::{Array, Kind, Node, Shapes, Tuple};
use crate::writer::Writer;

fn array_of<T: Contract>(shapes: &mut Shapes, unique: bool) -> Node {
    Node::new(Kind::Array(Array { items: Box::new(T::describe(shapes)), min_items: None, max_items: None, unique }))
}

#[inline]
fn read_items<T: Contract>(
    reader: &mut Reader<'_>,
    plan: Plan<'_>,
    mut take: impl FnMut(T) -> bool,
) -> Result<(), Refused> {
    let plan = plan.child(0);
    let mut first = true;
    reader.array()?;
    while reader.item(&mut first)? {
        if !take(T::read(reader, plan)?) {
            return Err(reader.refuse(Code::Unique));
        }
    }
    Ok(())
}

fn write_items<'a, T: Contract>(items: impl IntoIterator<Item = &'a T>, out: &mut Writer) {
    out.begin_array();
    for item in items {
        out.item();
        item.write(out);
    }
    out.end_array();
}

macro_rules! sequences {
    ($($name:ident: $push:ident),*) => {$(
        impl<T: Contract> Contract for $name<T> {
            const FORM: Form = Form::of(Kinds::ARRAY);

            fn describe(shapes: &mut Shapes) -> Node {
                array_of::<T>(shapes, false)
            }

            #[inline]
            fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
                let mut items = Self::new();
                read_items(reader, plan, |item| {
                    items.$push(item);
                    true
                })?;
                Ok(items)
            }

            fn write(&self, out: &mut Writer) {
                write_items(self, out);
            }
        }
    )*};
}

sequences!(Vec: push, VecDeque: push_back);

impl<T: Contract + Ord> Contract for BTreeSet<T> {
    const FORM: Form = Form::of(Kinds::ARRAY);

    fn describe(shapes: &mut Shapes) -> Node {
        array_of::<T>(shapes, true)
    }

    fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
        let mut items = Self::new();
        read_items(reader, plan, |item| items.insert(item))?;
        Ok(items)
    }

    fn write(&self, out: &mut Writer) {
        write_items(self, out);
    }
}

impl<T, S> Contract for HashSet<T, S>
where
    T: Contract + Eq + Hash,
    S: BuildHasher + Default + Send + 'static,
{
    const FORM: Form = Form::of(Kinds::ARRAY);

    fn describe(shapes: &mut Shapes) -> Node {
        array_of::<T>(shapes, true)
    }

    fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
        let mut items = Self::default();
        read_items(reader, plan, |item| items.insert(item))?;
        Ok(items)
    }

    /// In the order of the items' own text, since a hash set has none that lasts.
    fn write(&self, out: &mut Writer) {
        let mut items: Vec<String> = self.iter().map(encode).collect();
        items.sort_unstable();
        out.begin_array();
        for item in items {
            out.item();
            out.raw(&item);
        }
        out.end_array();
    }
}

impl<T: Contract, const N: usize> Contract for [T; N] {
    const FORM: Form = Form::of(Kinds::ARRAY);

    fn describe(shapes: &mut Shapes) -> Node {
        Node::new(Kind::Array(Array {
            items: Box::new(T::describe(shapes)),
            min_items: Some(N as u64),
            max_items: Some(N as u64),
            unique: false,
        }))
    }

    fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
        let mut items = Vec::with_capacity(N);
        read_items(reader, plan, |item| {
            items.push(item);
            items.len() <= N
        })?;
        Self::try_from(items).map_err(|_| reader.refuse(Code::Items))
    }

    fn write(&self, out: &mut Writer) {
        write_items(self, out);
    }
}

macro_rules! tuples {
    ($(($($name:ident . $index:tt),+))*) => {$(
        impl<$($name: Contract),+> Contract for ($($name,)+) {
            const FORM: Form = Form::of(Kinds::ARRAY);

            fn describe(shapes: &mut Shapes) -> Node {
                let items = vec![$($name::describe(shapes)),+];
                Node::new(Kind::Tuple(Tuple {
                    min_items: items.len() as u64,
                    items,
                    rest: None,
                }))
            }

            fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
                let mut first = true;
                reader.array()?;
                let tuple = ($(position::<$name>(reader, plan.child($index), &mut first)?,)+);
                if reader.item(&mut first)? {
                    return Err(reader.refuse(Code::Items));
                }
                Ok(tuple)
            }

            fn write(&self, out: &mut Writer) {
                out.begin_array();
                $(
                    out.item();
                    self.$index.write(out);
                )+
                out.end_array();
            }
        }
    )*};
}

/// Reads one position of a tuple.
///
/// # Errors
///
/// If the array ends before it, or the value does not fit.
pub fn position<T: Contract>(reader: &mut Reader<'_>, plan: Plan<'_>, first: &mut bool) -> Result<T, Refused> {
    if reader.item(first)? { T::read(reader, plan) } else { Err(reader.refuse(Code::Items)) }
}

tuples! {
    (A.0)
    (A.0, B.1)
    (A.0, B.1, C.2)
    (A.0, B.1, C.2, D.3)
    (A.0, B.1, C.2, D.3, E.4)
    (A.0, B.1, C.2, D.3, E.4, F.5)
    (A.0, B.1, C.2, D.3, E.4, F.5, G.6)
    (A.0, B.1, C.2, D.3, E.4, F.5, G.6, H.7)
}
