//! A type as the macro understands it, after parsing.

use proc_macro2::Span;
use syn::{Expr, Generics, Ident, Member, Path, Type};

use super::rules::Rules;

/// A type that derives `Contract`.
pub(super) struct Model {
    pub(super) ident: Ident,
    pub(super) generics: Generics,
    /// `#[contract(crate = path)]`.
    pub(super) root: Option<Path>,
    pub(super) description: Option<String>,
    pub(super) data: Data,
}

pub(super) enum Data {
    /// Named fields, or none at all.
    Struct(Vec<Field>),
    /// One unnamed field.
    Newtype(Box<Field>),
    /// Several unnamed fields.
    Tuple(Vec<Field>),
    /// Only variants without data.
    Names(Vec<Variant>),
    /// Variants with data among them.
    Union(Tagging, Vec<Variant>),
}

pub(super) enum Tagging {
    Internal { tag: String },
    Adjacent { tag: String, content: String },
    Untagged,
}

pub(super) struct Variant {
    pub(super) ident: Ident,
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) payload: Payload,
}

pub(super) enum Payload {
    Unit,
    Newtype(Box<Field>),
    Tuple(Vec<Field>),
    Struct(Vec<Field>),
}

pub(super) struct Field {
    pub(super) member: Member,
    pub(super) ty: Type,
    /// The property's name; empty for unnamed fields.
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) description: Option<String>,
    pub(super) default: Option<DefaultValue>,
    pub(super) examples: Vec<Expr>,
    pub(super) rules: Rules,
    /// Its own properties stand among the parent's.
    pub(super) flatten: bool,
    /// It is no part of the contract and takes its `Default`.
    pub(super) skip: bool,
    /// It may be hidden, so it must be possible to leave it out.
    pub(super) hideable: Option<Span>,
}

/// What an absent property becomes.
pub(super) enum DefaultValue {
    /// `Default::default()` of the field's type.
    Trait(Span),
    /// An expression of the field's type, or a string literal.
    Expr(Expr),
    /// A function without parameters.
    Function(Path),
    /// The same field of the whole type's `Default`.
    Container(Span),
    /// The same field of a whole value that a function makes.
    ContainerFunction(Path),
}
