//! What a model is and takes, as plain data.

use std::sync::Arc;

use outrigger_contract::SchemaProfile;

use crate::transcript::{Dialect, ModelName, Text};

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
    /// Whether it reads pictures. One that does not is told that there was one.
    pub images: bool,
    /// Whether it can be held to a schema in what it answers, without a tool.
    pub native_output: bool,
    /// What someone who uses it should know; shown in an agent's report.
    pub notes: Vec<Text>,
}

impl ModelProfile {
    /// What is safe to assume of a model of which nothing is known.
    #[must_use]
    pub fn unknown(name: ModelName, dialect: Dialect, schemas: SchemaProfile) -> Self {
        Self {
            name,
            dialect: Arc::new(dialect),
            schemas: Arc::new(schemas),
            context_window: None,
            output_limit: None,
            images: false,
            native_output: false,
            notes: Vec::new(),
        }
    }
}
