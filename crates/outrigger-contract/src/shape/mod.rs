//! Shapes: what a type looks like as JSON, as one owned and neutral tree.
//!
//! A native type describes itself into a [`Shape`]; a foreign JSON Schema is imported into one. Everything that is sent
//! to a provider is projected from it, and every argument error is found by walking it.

mod int;
mod pattern;
mod shapes;

pub use int::Int;
pub use pattern::{Pattern, PatternError};
pub use shapes::Shapes;

use std::borrow::Cow;

use crate::writer::Writer;

/// Text of a shape: borrowed when a macro made it, owned when it came from a foreign schema.
pub type Text = Cow<'static, str>;

/// One JSON document as compact text.
pub type JsonText = Text;

/// A whole type: its root, and the named types that refer to themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Where a document starts.
    pub root: Node,
    /// Types that [`Kind::Ref`] points to by index. Native shapes keep only recursive types here and inline the others.
    pub defs: Vec<Definition>,
}

impl Shape {
    /// The node a reference stands for: follows [`Kind::Ref`] until something else comes, or gives up on a reference
    /// that leads nowhere or in a circle.
    #[must_use]
    pub fn resolve<'a>(&'a self, node: &'a Node) -> Option<&'a Node> {
        let mut node = node;
        for _ in 0..=self.defs.len() {
            match node.kind {
                Kind::Ref(index) => node = &self.defs.get(index)?.node,
                _ => return Some(node),
            }
        }
        None
    }
}

/// A named type of a [`Shape`].
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Unique within the shape.
    pub name: Text,
    /// What the name stands for.
    pub node: Node,
}

/// One place in a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What stands here.
    pub kind: Kind,
    /// Whether `null` may stand here instead.
    pub nullable: bool,
    /// What the model reads about it.
    pub description: Option<Text>,
    /// The value an absent property takes.
    pub default: Option<JsonText>,
    /// Values worth showing.
    pub examples: Vec<JsonText>,
}

impl Node {
    /// A node of this kind and nothing else.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self { kind, nullable: false, description: None, default: None, examples: Vec::new() }
    }

    /// The same node, where `null` may stand as well.
    #[must_use]
    pub fn or_null(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// The same node with this description in place of its own.
    #[must_use]
    pub fn described(mut self, description: impl Into<Text>) -> Self {
        self.description = Some(description.into());
        self
    }
}

impl From<Kind> for Node {
    fn from(kind: Kind) -> Self {
        Self::new(kind)
    }
}

/// What may stand at a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Any JSON value.
    Any,
    /// Only `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number without a fractional part.
    Integer(Integer),
    /// A finite number.
    Number(Number),
    /// Text.
    String(StringRules),
    /// One of a list of values.
    Enum(Vec<EnumValue>),
    /// Any number of items of one shape.
    Array(Array),
    /// Items with a shape for each position.
    Tuple(Tuple),
    /// Properties by name; a map is an object without properties of its own.
    Object(Object),
    /// One of several shapes.
    Union(Union),
    /// The definition with this index in [`Shape::defs`].
    Ref(usize),
}

/// Bounds of a number; an absent bound does not bind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<T> {
    /// Smallest allowed value.
    pub min: Option<T>,
    /// Largest allowed value.
    pub max: Option<T>,
    /// Every value is above this one.
    pub exclusive_min: Option<T>,
    /// Every value is below this one.
    pub exclusive_max: Option<T>,
    /// Every value is a multiple of this one.
    pub multiple_of: Option<T>,
}

impl<T> Default for Bounds<T> {
    fn default() -> Self {
        Self { min: None, max: None, exclusive_min: None, exclusive_max: None, multiple_of: None }
    }
}

impl<T> Bounds<T> {
    /// The same bounds in another type.
    pub(crate) fn map<U>(self, f: impl Fn(T) -> U) -> Bounds<U> {
        Bounds {
            min: self.min.map(&f),
            max: self.max.map(&f),
            exclusive_min: self.exclusive_min.map(&f),
            exclusive_max: self.exclusive_max.map(&f),
            multiple_of: self.multiple_of.map(&f),
        }
    }
}

/// A number without a fractional part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Integer {
    /// What the Rust type can hold; foreign integers have no such range.
    pub range: Option<(Int, Int)>,
    /// Zero is outside, as for the `NonZero` types.
    pub non_zero: bool,
    /// Bounds that someone wrote, which a profile without bound keywords says in words.
    pub bounds: Bounds<Int>,
}

/// A finite number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    /// Whether the Rust type is `f32`, so that larger values are out of range.
    pub single: bool,
    /// Bounds that someone wrote.
    pub bounds: Bounds<f64>,
}

/// Text and the rules it obeys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringRules {
    /// Fewest Unicode scalar values.
    pub min_len: Option<u64>,
    /// Most Unicode scalar values.
    pub max_len: Option<u64>,
    /// Found somewhere in the text, unless anchored.
    pub pattern: Option<Pattern>,
    /// The name of a format, as JSON Schema has them.
    pub format: Option<Text>,
    /// The parser of a native type with that format.
    pub check: Option<Check>,
}

/// The parser behind a native format, and how to write a value it accepts.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Whether the text would parse.
    pub accepts: fn(&str) -> bool,
    /// What is expected, in a few words, with an example: `a duration such as "30s" or "PT5M"`.
    pub expected: &'static str,
}

impl PartialEq for Check {
    /// Function addresses say nothing; two checks that expect the same are the same.
    fn eq(&self, other: &Self) -> bool {
        self.expected == other.expected
    }
}

/// One value of an enumeration.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    /// The value.
    pub value: Literal,
    /// What the model reads about it.
    pub description: Option<Text>,
}

/// A JSON value that stands for itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(Int),
    /// Text.
    String(Text),
    /// Any other value.
    Json(JsonText),
}

/// Any number of items of one shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The shape of each item.
    pub items: Box<Node>,
    /// Fewest items.
    pub min_items: Option<u64>,
    /// Most items.
    pub max_items: Option<u64>,
    /// No two items are equal.
    pub unique: bool,
}

/// Items with a shape for each position.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuple {
    /// One shape a position; all must be there unless `min_items` says less.
    pub items: Vec<Node>,
    /// Further items; `None` closes the tuple.
    pub rest: Option<Box<Node>>,
    /// Fewest items; a native tuple needs all of them.
    pub min_items: u64,
}

/// Properties by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// The declared properties, in the order of their declaration.
    pub properties: Vec<Property>,
    /// What other properties may hold.
    pub additional: Additional,
    /// Fewest properties.
    pub min_properties: Option<u64>,
    /// Most properties.
    pub max_properties: Option<u64>,
}

/// One declared property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its name in JSON.
    pub name: Text,
    /// Whether it must be there. An optional native property has a default or a nullable node.
    pub required: bool,
    /// Its value.
    pub node: Node,
}

/// What properties beyond the declared ones may hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Additional {
    /// There may be none.
    #[default]
    Closed,
    /// Anything.
    Open,
    /// Anything, though nothing says so: a foreign object that does not forbid what it does not declare.
    Unstated,
    /// Values of one shape: a map.
    Typed(Box<Node>),
}

/// One of several shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// How a document says which branch it takes.
    pub tagging: Tagging,
    /// The branches, in the order of their declaration.
    pub branches: Vec<Branch>,
}

/// How a union's branch is recognised.
#[derive(Clone, Debug, PartialEq)]
pub enum Tagging {
    /// One property of the branch's own object holds the branch's name; a branch's node, which is an object, does not
    /// list that property.
    Internal {
        /// That property.
        tag: Text,
    },
    /// An object of two properties: the name, and the branch's node. A branch without content has the node
    /// [`Kind::Null`] and its document only the name.
    Adjacent {
        /// The property with the name.
        tag: Text,
        /// The property with the content.
        content: Text,
    },
    /// The branches tell themselves apart, or, in a foreign shape, overlap.
    Untagged,
}

/// One branch of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The value of the tag, or a name for errors only.
    pub name: Text,
    /// What the model reads about it.
    pub description: Option<Text>,
    /// Its shape, without the tag.
    pub node: Node,
}

impl Literal {
    /// The value as JSON text.
    #[must_use]
    pub fn to_json(&self) -> JsonText {
        match self {
            Self::Null => Text::Borrowed("null"),
            Self::Bool(value) => Text::Borrowed(if *value { "true" } else { "false" }),
            Self::Integer(value) => Text::Owned(value.to_string()),
            Self::String(text) => {
                let mut out = Writer::default();
                out.string(text);
                Text::Owned(out.finish())
            }
            Self::Json(json) => json.clone(),
        }
    }
}
