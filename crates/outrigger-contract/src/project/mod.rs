//! The projection engine: one shape, one profile, and what that provider is sent.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::plan::WirePlan;

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
}

/// Something a schema could not say; the binder still enforces it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Where, as a JSON Pointer into a document: `/items/*/unit`.
    pub path: String,
    /// What was lost.
    pub kind: LossKind,
    /// The keyword or construct.
    pub what: String,
}

/// How bad a loss is.
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
