//! Compiled contracts: shapes, closed schemas, projections and strict binding.

mod plan;
mod profile;
mod project;
mod shape;

pub use plan::{PlanChild, PlanNode, WirePlan};
pub use profile::{
    ConstantForm, EnumForm, Keywords, NameRule, NullForm, OptionalForm, ReferenceForm,
    SchemaLimits, SchemaProfile, TupleForm,
};
pub use project::{Loss, LossKind, Projection};
pub use shape::{
    Additional, Array, Bounds, Branch, Check, Definition, EnumValue, Int, Integer, JsonText, Kind,
    Literal, Node, Number, Object, Pattern, PatternError, Property, Shape, Shapes, StringRules,
    Tagging, Text, Tuple, Union,
};
