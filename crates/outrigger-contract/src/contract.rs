//! The trait behind every argument, and what its implementations say about themselves at compile time.

use std::sync::Arc;

use crate::plan::Plan;
use crate::reader::{Reader, Refused};
use crate::writer::Writer;
use crate::{Node, Shape, Shapes};

/// A type with a closed schema, a strict reader and a canonical form, all three from one declaration.
///
/// Derive it; implement it by hand only for a type whose JSON is not that of its fields. Then `describe` and `read`
/// must say the same: a document is refused exactly when the described shape refuses it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no contract, so it cannot be part of a tool's arguments",
    label = "not a contract type",
    note = "derive it with `#[derive(Contract)]`; for open JSON wrap `serde_json::Value` in `Any`; maps have `String` keys",
    note = "types of other crates need a feature: `jiff`, `chrono`, `url`, `uuid`",
    note = "values of the running program (`ToolContext`, `CancellationToken`) are parameters of the tool itself, never fields"
)]
pub trait Contract: Sized + Send + 'static {
    /// What documents of this type look like from outside; used to tell union branches apart at compile time.
    const FORM: Form = Form::ANY;

    /// The value of an absent property, for types that may be absent.
    const ABSENT: Option<fn() -> Self> = None;

    /// Describes the type.
    fn describe(shapes: &mut Shapes) -> Node;

    /// Reads a value, undoing what `plan` says was changed.
    ///
    /// # Errors
    ///
    /// If what comes next is not a value of this type.
    fn read(reader: &mut Reader<'_>, plan: Plan<'_>) -> Result<Self, Refused>;

    /// Writes the canonical form.
    fn write(&self, out: &mut Writer);

    /// Whether the value is the one that absence stands for, and so is left out of its object.
    fn is_absent(&self) -> bool {
        false
    }

    /// The whole shape. Derived types keep it once made.
    #[must_use]
    fn shape() -> Arc<Shape> {
        Arc::new(shape_of::<Self>())
    }
}

/// The shape of a type, made anew.
#[must_use]
pub fn shape_of<T: Contract>() -> Shape {
    Shapes::collect(T::describe)
}

/// The canonical form of a value: compact JSON, properties in order of declaration, absent options left out.
#[must_use]
pub fn encode<T: Contract>(value: &T) -> String {
    let mut out = Writer::default();
    value.write(&mut out);
    out.finish()
}

/// The outside of a type: which JSON types it takes, and which properties if it is an object.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// JSON types.
    pub kinds: Kinds,
    /// Properties declared by the type itself.
    pub properties: &'static [Declared],
    /// Types whose properties stand among those of this one.
    pub flattened: &'static [&'static Form],
    /// Whether there may be other properties.
    pub open: bool,
}

/// A property as a [`Form`] knows it.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// Its name in JSON.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
}

/// A set of JSON types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    /// `null`.
    pub const NULL: Self = Self(1);
    /// `true` and `false`.
    pub const BOOL: Self = Self(1 << 1);
    /// Numbers.
    pub const NUMBER: Self = Self(1 << 2);
    /// Strings.
    pub const STRING: Self = Self(1 << 3);
    /// Arrays.
    pub const ARRAY: Self = Self(1 << 4);
    /// Objects.
    pub const OBJECT: Self = Self(1 << 5);
    /// All of them.
    pub const ALL: Self = Self(0b11_1111);

    /// No type at all.
    #[must_use]
    pub const fn none() -> Self {
        Self(0)
    }

    /// Both sets together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the sets share a type.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The type of the value that begins with this byte.
    #[must_use]
    pub const fn of_byte(byte: u8) -> Option<Self> {
        match byte {
            b'n' => Some(Self::NULL),
            b't' | b'f' => Some(Self::BOOL),
            b'-' | b'0'..=b'9' => Some(Self::NUMBER),
            b'"' => Some(Self::STRING),
            b'[' => Some(Self::ARRAY),
            b'{' => Some(Self::OBJECT),
            _ => None,
        }
    }
}

impl Form {
    /// Anything.
    pub const ANY: Self = Self { open: true, ..Self::of(Kinds::ALL) };

    /// These JSON types, and no properties.
    #[must_use]
    pub const fn of(kinds: Kinds) -> Self {
        Self { kinds, properties: &[], flattened: &[], open: false }
    }

    /// Whether no document fits both forms: their JSON types differ, or one needs a property the other does not have.
    #[must_use]
    pub const fn is_disjoint(&self, other: &Self) -> bool {
        let shared = self.kinds.0 & other.kinds.0;
        if shared == 0 {
            return true;
        }
        shared == Kinds::OBJECT.0 && (self.needs_more_than(other) || other.needs_more_than(self))
    }

    /// Whether a property with this name is declared.
    #[must_use]
    pub const fn declares(&self, name: &str) -> bool {
        let mut i = 0;
        while i < self.properties.len() {
            #[allow(clippy::indexing_slicing)]
            if same(self.properties[i].name, name) {
                return true;
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.flattened.len() {
            #[allow(clippy::indexing_slicing)]
            if self.flattened[i].declares(name) {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether the two share a declared property; flattening would then have it twice.
    #[must_use]
    pub const fn shares_property(&self, other: &Self) -> bool {
        let mut i = 0;
        while i < self.properties.len() {
            #[allow(clippy::indexing_slicing)]
            if other.declares(self.properties[i].name) {
                return true;
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.flattened.len() {
            #[allow(clippy::indexing_slicing)]
            if self.flattened[i].shares_property(other) {
                return true;
            }
            i += 1;
        }
        false
    }

    /// A declared property by its name.
    pub(crate) fn property(&self, name: &str) -> Option<&Declared> {
        let own = self.properties.iter().find(|property| property.name == name);
        own.or_else(|| self.flattened.iter().find_map(|form| form.property(name)))
    }

    /// How many properties must be there.
    pub(crate) fn required_count(&self) -> usize {
        let own = self.properties.iter().filter(|property| property.required).count();
        own + self.flattened.iter().map(|form| form.required_count()).sum::<usize>()
    }

    const fn needs_more_than(&self, other: &Self) -> bool {
        if other.open {
            return false;
        }
        let mut i = 0;
        while i < self.properties.len() {
            #[allow(clippy::indexing_slicing)]
            let property = self.properties[i];
            if property.required && !other.declares(property.name) {
                return true;
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.flattened.len() {
            #[allow(clippy::indexing_slicing)]
            if self.flattened[i].needs_more_than(other) {
                return true;
            }
            i += 1;
        }
        false
    }
}

/// String equality, which the standard library does not offer at compile time.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        #[allow(clippy::indexing_slicing)]
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
