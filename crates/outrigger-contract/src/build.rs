//! Making shapes: the calls that the derive macro generates for `describe`.

use crate::shape::{Branch, EnumValue, Kind, Literal, Node, Object, Property, Tagging, Text, Tuple, Union};

/// A property.
#[must_use]
pub fn property(name: &'static str, required: bool, node: Node) -> Property {
    Property { name: Text::Borrowed(name), required, node }
}

/// A string enumeration: names and what they mean.
#[must_use]
pub fn names(names: &[(&'static str, Option<&'static str>)]) -> Node {
    let value = |(name, description): &(&'static str, Option<&'static str>)| EnumValue {
        value: Literal::String(Text::Borrowed(name)),
        description: description.map(Text::Borrowed),
    };
    Node::new(Kind::Enum(names.iter().map(value).collect()))
}

/// An object without properties: a branch that is its tag alone.
#[must_use]
pub fn empty_object() -> Node {
    Node::new(Kind::Object(Object::default()))
}

/// The content of a branch that has none.
#[must_use]
pub fn nothing() -> Node {
    Node::new(Kind::Null)
}

/// A closed tuple.
#[must_use]
pub fn tuple(items: Vec<Node>) -> Node {
    Node::new(Kind::Tuple(Tuple { min_items: items.len() as u64, items, rest: None }))
}

/// A branch of a union.
#[must_use]
pub fn branch(name: &'static str, description: Option<&'static str>, node: Node) -> Branch {
    Branch { name: Text::Borrowed(name), description: description.map(Text::Borrowed), node }
}

/// An internally tagged union.
#[must_use]
pub fn internal(tag: &'static str, branches: Vec<Branch>) -> Node {
    let tag = Text::Borrowed(tag);
    union(Tagging::Internal { tag }, branches)
}

/// An adjacently tagged union.
#[must_use]
pub fn adjacent(tag: &'static str, content: &'static str, branches: Vec<Branch>) -> Node {
    let (tag, content) = (Text::Borrowed(tag), Text::Borrowed(content));
    union(Tagging::Adjacent { tag, content }, branches)
}

/// A union without a tag.
#[must_use]
pub fn untagged(branches: Vec<Branch>) -> Node {
    union(Tagging::Untagged, branches)
}

fn union(tagging: Tagging, branches: Vec<Branch>) -> Node {
    Node::new(Kind::Union(Union { tagging, branches }))
}
