//! Compiled contracts: shapes, closed schemas, projections and strict binding.
//!
//! A type that derives [`Contract`] has a [`Shape`]. [`project`] writes the shape as a closed JSON Schema in the dialect
//! of a [`SchemaProfile`], with a [`WirePlan`] to read the answers back by; [`bind`] reads a document strictly into the
//! type, or reports every problem of it as a [`BindError`]; [`encode`] writes the canonical form.
//!
//! # Where schema and binder differ
//!
//! The canonical schema accepts a document exactly when the binder does, but for what JSON Schema cannot say or leaves
//! to annotations:
//!
//! - duplicate keys, size, depth, halves of surrogate pairs, and an empty or `null` root, which bind as `{}`;
//! - formats, base64 among them: `"format"` is an annotation;
//! - numbers beyond `f64` and integers beyond 64 bits, which validators round;
//! - `multiple_of` on floats, which each validator rounds its own way;
//! - items of a set that are written differently and mean the same, such as the durations `"60s"` and `"1m"`.
//!
//! This crate does no I/O and knows no provider.

mod bind;
mod build;
mod contract;
mod diagnose;
#[cfg(feature = "foreign")]
mod foreign;
mod format;
mod impls;
mod issue;
mod plan;
mod profile;
mod project;
mod prompts;
mod reader;
mod record;
mod rewrite;
mod rules;
mod shape;
mod unions;
mod writer;

pub use bind::{Bound, Taken, bind};
pub use contract::{Contract, Declared, Form, Kinds, encode, shape_of};
pub use diagnose::{check, nearest_names};
#[cfg(feature = "foreign")]
pub use foreign::{Degraded, DegradedKind, ForeignError, ForeignSchema, ImportLimits};
pub use impls::{Any, Bytes};
pub use issue::{BindError, Code, Issue, Limits};
pub use plan::{Plan, PlanChild, PlanField, PlanNode, WirePlan};
pub use profile::{
    AnyForm, ConstantForm, EnumForm, Keywords, LongEnum, NameRule, NullForm, OptionalForm, ReferenceForm, SchemaLimits,
    SchemaProfile, StrictBudget, TupleForm, TypeBounds,
};
pub use project::{Loss, LossKind, Projection, SchemaSizes, StrictCandidate, plan_strict, project, wire_name};
pub use reader::{Reader, Refused};
pub use rewrite::Canonical;
pub use shape::{
    Additional, Array, Bounds, Branch, Check, Definition, EnumValue, Int, Integer, JsonText, Kind, Literal, Node,
    Number, Object, Pattern, PatternError, Property, Shape, Shapes, StringRules, Tagging, Text, Tuple, Union,
};
pub use writer::Writer;

/// What the derive macro generates calls of. Not for hand-written code, and free to change.
#[doc(hidden)]
pub mod __private {
    pub use crate::build::{adjacent, branch, empty_object, internal, names, nothing, property, tuple, untagged};
    pub use crate::contract::{Contract, Declared, Form, Kinds, encode};
    pub use crate::format::known_format;
    pub use crate::impls::position;
    pub use crate::plan::{Plan, PlanField};
    pub use crate::reader::{Reader, Refused};
    pub use crate::record::{Fields, Record, Slot, describe_record, read_fields, read_record};
    pub use crate::rules::{
        Constrain, Counted, Fractional, FromLiteral, Numeric, Repeating, Textual, bounded, bounded_by_floats, counted,
        formatted, length, matching, unique,
    };
    pub use crate::shape::{Bounds, Check, Int, Node, Pattern, Property, Shape, Shapes};
    pub use crate::unions::{ReadBranch, read_adjacent, read_lone_tag, read_untagged};
    pub use crate::writer::Writer;
    pub use crate::{Code, shape_of};
    pub use std::clone::Clone;
    pub use std::default::Default;
    pub use std::option::Option::{self, None, Some};
    pub use std::result::Result::{self, Err, Ok};
    pub use std::sync::{Arc, LazyLock, OnceLock};
    pub use std::vec::Vec;
}
