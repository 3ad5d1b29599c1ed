//! Maps: objects with any keys.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

use crate::Code;
use crate::contract::{Contract, Form, Kinds};
use crate::plan::Plan;
use crate::reader::{Reader, Refused};
use crate::shape::{Additional, Kind, Node, Object, Shapes};
use crate::writer::Writer;

const FORM: Form = Form { open: true, ..Form::of(Kinds::OBJECT) };

fn map_of<T: Contract>(shapes: &mut Shapes) -> Node {
    Node::new(Kind::Object(Object {
        additional: Additional::Typed(Box::new(T::describe(shapes))),
        ..Object::default()
    }))
}

fn read_entries<T: Contract>(
    reader: &mut Reader<'_>,
    plan: Plan<'_>,
    mut insert: impl FnMut(String, T) -> bool,
) -> Result<(), Refused> {
    let plan = plan.child(0);
    let mut first = true;
    reader.object()?;
    while let Some(key) = reader.key(&mut first)? {
        if reader.take_out(&key)? {
            continue;
        }
        if !insert(key.into_owned(), T::read(reader, plan)?) {
            return Err(reader.refuse(Code::DuplicateKey));
        }
    }
    Ok(())
}

fn write_entries<'a, T: Contract>(entries: impl IntoIterator<Item = (&'a String, &'a T)>, out: &mut Writer) {
    out.begin_object();
    for (key, value) in entries {
        out.key(key);
        value.write(out);
    }
    out.end_object();
}

impl<T: Contract> Contract for BTreeMap<String, T> {
    const FORM: Form = FORM;

    fn describe(shapes: &mut Shapes) -> Node {
        map_of::<T>(shapes)
    }

    fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
        let mut map = Self::new();
        read_entries(reader, plan, |key, value| map.insert(key, value).is_none())?;
        Ok(map)
    }

    fn write(&self, out: &mut Writer) {
        write_entries(self, out);
    }
}

impl<T, S> Contract for HashMap<String, T, S>
where
    T: Contract,
    S: BuildHasher + Default + Send + 'static,
{
    const FORM: Form = FORM;

    fn describe(shapes: &mut Shapes) -> Node {
        map_of::<T>(shapes)
    }

    fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused> {
        let mut map = Self::default();
        read_entries(reader, plan, |key, value| map.insert(key, value).is_none())?;
        Ok(map)
    }

    /// In the order of the keys, since a hash map has none that lasts.
    fn write(&self, out: &mut Writer) {
        let mut entries: Vec<_> = self.iter().collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        write_entries(entries, out);
    }
}
