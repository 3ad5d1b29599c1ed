//! The projection engine: one shape, one profile, and what that provider is sent.

mod annotate;
mod budget;
mod emit;
mod enumeration;
mod merge;
mod names;
mod object;
mod part;
mod prune;
mod reference;
mod scalar;
mod schema;
mod sizes;
mod union;

pub use budget::{StrictCandidate, plan_strict};
pub use names::wire_name;
pub(crate) use part::schema_part;
pub use sizes::SchemaSizes;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::plan::WirePlan;
use crate::profile::SchemaProfile;
use crate::shape::{Property, Shape, Text};

use emit::Emitter;

/// What one provider is sent for a shape, and how to read it back.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The schema as compact JSON. The same contract gives the same bytes, with properties in order of declaration.
    pub schema: Arc<[u8]>,
    /// How the binder undoes what the projection changed.
    pub plan: Arc<WirePlan>,
    /// Whether the provider may be asked to hold the model to the schema.
    pub strict: bool,
    /// What the schema could not say.
    pub losses: Vec<Loss>,
    /// How large the schema is, as its profile's limits count.
    pub sizes: SchemaSizes,
}

/// Something a schema could not say; the binder still enforces it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Where, as a JSON Pointer into a document, with `*` for any item: `/items/*/unit`.
    pub path: String,
    /// What became of it.
    pub kind: LossKind,
    /// The keyword or construct.
    pub what: String,
}

/// What became of something a schema could not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LossKind {
    /// Said in the description instead.
    Described,
    /// Not said at all.
    Dropped,
    /// Why the schema could not be sent strictly.
    NotStrict,
}

/// Projects a shape: the schema that a provider with this profile is sent, and the plan that undoes it.
///
/// `hidden` names properties of the root that are neither in the schema nor known to the binder; they must be optional,
/// and one that is not stays visible. `take` are properties of the root that belong to the caller: they are in the
/// schema, after the type's own, and the binder hands their values back apart. One whose name the type uses itself gets
/// an underscore appended; the plan's `take` has the final names in the same order.
#[must_use]
pub fn project(shape: &Shape, profile: &SchemaProfile, hidden: &[Text], take: &[Property]) -> Projection {
    let first = Emitter::new(shape, profile).project(hidden, take);
    let Some(relaxed) = profile.relaxed.as_deref() else {
        return first;
    };
    let not_strict = |loss: &Loss| loss.kind == LossKind::NotStrict;
    if !first.losses.iter().any(not_strict) {
        return first;
    }
    let mut second = project(shape, relaxed, hidden, take);
    let reasons = first.losses.into_iter().filter(not_strict);
    second.losses.splice(0..0, reasons);
    second.strict = false;
    second
}
