//! Compiled contracts: shapes, closed schemas, projections and strict binding.

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
pub use diagnose::check;
#[cfg(feature = "foreign")]
pub use foreign::{Degraded, DegradedKind, ForeignError, ForeignSchema, ImportLimits};
pub use impls::{Any, Bytes};
pub use issue::{BindError, Code, Issue, Limits};
pub use plan::{Plan, PlanChild, PlanField, PlanNode, WirePlan};
pub use profile::{
    AnyForm, ConstantForm, EnumForm, Keywords, LongEnum, NameRule, NullForm, OptionalForm, ReferenceForm, SchemaLimits,
    SchemaProfile, StrictBudget, TupleForm, TypeBounds,
};
pub use project::{
    Loss, LossKind, Projection, SchemaSizes, StrictCandidate, plan_strict, project, wire_name,
};
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
