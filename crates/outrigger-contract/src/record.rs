//! Objects read property by property: what the derive macro generates for structs and for struct variants.

use crate::contract::Contract;
use crate::plan::{Plan, PlanField};
use crate::reader::{Reader, Refused};
use crate::writer::Writer;
use crate::{Additional, Code, Kind, Node, Object, Property, Shapes};

/// A fixed set of properties and the value they make.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a struct with named fields, so its properties cannot stand among others",
    label = "not a struct with named fields",
    note = "`flatten` takes a struct that derives `Contract`"
)]
pub trait Record {
    /// What the properties make.
    type Output;
    /// The properties read so far.
    type Partial;
    /// How many properties there are.
    const COUNT: usize;

    /// The index of a property by its canonical name.
    fn index(name: &str) -> Option<usize>;

    /// No properties yet.
    fn start() -> Self::Partial;

    /// Reads the property with this index.
    ///
    /// # Errors
    ///
    /// If the value does not fit, or the property has been read before.
    fn field(
        partial: &mut Self::Partial,
        index: usize,
        reader: &mut Reader<'_>,
        field: PlanField<'_>,
    ) -> Result<(), Refused>;

    /// Makes the value.
    ///
    /// # Errors
    ///
    /// If a required property was not there.
    fn finish(partial: Self::Partial, reader: &Reader<'_>) -> Result<Self::Output, Refused>;

    /// Describes the properties, in order of index.
    fn properties(shapes: &mut Shapes, out: &mut Vec<Property>);
}

/// A struct with named fields, which may therefore stand under a tag or among another struct's properties.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a struct with named fields, so its properties cannot stand among others",
    label = "not a struct with named fields",
    note = "under an internal tag a newtype variant holds a struct that derives `Contract`; for other payloads write `#[serde(tag = \"type\", content = \"value\")]`",
    note = "`flatten` takes a struct that derives `Contract`: a map would leave the object open"
)]
pub trait Fields: Contract + Record<Output = Self> {
    /// Writes the properties into an object that is open.
    fn write_fields(&self, out: &mut Writer);
}

/// The closed object of a record.
pub fn describe_record<R: Record>(shapes: &mut Shapes) -> Node {
    let mut properties = Vec::with_capacity(R::COUNT);
    R::properties(shapes, &mut properties);
    Node::new(Kind::Object(Object {
        properties,
        additional: Additional::Closed,
        min_properties: None,
        max_properties: None,
    }))
}

/// Reads a record's object. `tag` is a property that has been read already and is passed over.
///
/// # Errors
///
/// If what comes next is not that object.
#[inline]
pub fn read_record<R: Record>(
    reader: &mut Reader<'_>,
    plan: Plan<'_>,
    tag: Option<&str>,
) -> Result<R::Output, Refused> {
    let mut partial = R::start();
    let mut tag_seen = false;
    let mut first = true;
    reader.object()?;
    while let Some(key) = reader.key(&mut first)? {
        if let Some(index) = plan.index(&key, R::index(&key)) {
            R::field(&mut partial, index, reader, plan.field(index))?;
        } else if tag == Some(&*key) {
            if tag_seen {
                return Err(reader.refuse(Code::DuplicateKey));
            }
            tag_seen = true;
            reader.string()?;
        } else if !reader.take_out(&key)? {
            return Err(reader.refuse(Code::UnknownProperty));
        }
    }
    R::finish(partial, reader)
}

/// Reads the object of a struct that stands under a tag.
///
/// # Errors
///
/// If what comes next is not that object.
pub fn read_fields<T: Fields>(reader: &mut Reader<'_>, plan: Plan<'_>, tag: &str) -> Result<T, Refused> {
    read_record::<T>(reader, plan, Some(tag))
}

impl<R: Record<Output = R>> Record for Box<R> {
    type Output = Self;
    type Partial = R::Partial;
    const COUNT: usize = R::COUNT;

    fn index(name: &str) -> Option<usize> {
        R::index(name)
    }

    fn start() -> Self::Partial {
        R::start()
    }

    fn field(
        partial: &mut Self::Partial,
        index: usize,
        reader: &mut Reader<'_>,
        field: PlanField<'_>,
    ) -> Result<(), Refused> {
        R::field(partial, index, reader, field)
    }

    fn finish(partial: Self::Partial, reader: &Reader<'_>) -> Result<Self, Refused> {
        R::finish(partial, reader).map(Self::new)
    }

    fn properties(shapes: &mut Shapes, out: &mut Vec<Property>) {
        R::properties(shapes, out);
    }
}

impl<T: Fields> Fields for Box<T> {
    fn write_fields(&self, out: &mut Writer) {
        T::write_fields(self, out);
    }
}

/// A property that may have been read.
#[derive(Debug)]
pub enum Slot<T> {
    /// Not met yet.
    Unset,
    /// Met as a `null` that means absence.
    Null,
    /// Met and read.
    Set(T),
}

impl<T> Slot<T> {
    /// Reads the property.
    ///
    /// # Errors
    ///
    /// If the value does not fit, or the property has been read before.
    #[inline]
    pub fn fill(&mut self, reader: &mut Reader<'_>, field: PlanField<'_>) -> Result<(), Refused>
    where
        T: Contract,
    {
        self.fill_if(reader, field, |_| Ok(()))
    }

    /// Reads the property and holds it against its rules.
    ///
    /// # Errors
    ///
    /// If the value does not fit or breaks a rule, or the property has been read before.
    #[inline]
    pub fn fill_if(
        &mut self,
        reader: &mut Reader<'_>,
        field: PlanField<'_>,
        rules: impl FnOnce(&T) -> Result<(), Code>,
    ) -> Result<(), Refused>
    where
        T: Contract,
    {
        if !matches!(self, Self::Unset) {
            return Err(reader.refuse(Code::DuplicateKey));
        }
        if field.null_is_absent && reader.null()? {
            *self = Self::Null;
            return Ok(());
        }
        let value = T::read(reader, field.plan)?;
        rules(&value).map_err(|code| reader.refuse(code))?;
        *self = Self::Set(value);
        Ok(())
    }

    /// The value, or what absence stands for.
    ///
    /// # Errors
    ///
    /// If absence stands for nothing.
    #[inline]
    pub fn required(self, reader: &Reader<'_>) -> Result<T, Refused>
    where
        T: Contract,
    {
        match (self, T::ABSENT) {
            (Self::Set(value), _) => Ok(value),
            (_, Some(absent)) => Ok(absent()),
            (_, None) => Err(reader.refuse(Code::Missing)),
        }
    }

    /// The value, or its default.
    #[inline]
    pub fn or_else(self, default: impl FnOnce() -> T) -> T {
        match self {
            Self::Set(value) => value,
            Self::Unset | Self::Null => default(),
        }
    }
}
