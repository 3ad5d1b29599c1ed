//! What a model is and takes, as plain data.

use std::sync::Arc;

use outrigger_contract::SchemaProfile;

use crate::transcript::{Dialect, ModelName};

/// What sealing must know of a model. A provider module makes one a model; unknown models get safe defaults.
#[derive(Clone, Debug)]
pub struct ModelProfile {
    /// The model.
    pub name: ModelName,
    /// The form its conversations must keep.
    pub dialect: Arc<Dialect>,
    /// The schema keywords it takes.
    pub schemas: Arc<SchemaProfile>,
    /// How many tokens request and answer may have together; `None`: not known.
    pub context_window: Option<u64>,
    /// How many tokens an answer may have; `None`: not known.
    pub output_limit: Option<u64>,
}
