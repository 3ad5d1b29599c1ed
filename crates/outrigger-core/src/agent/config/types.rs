//! What stands in an agent file.

use std::collections::BTreeMap;

use crate::Contract;
use outrigger_contract::{Any, SchemaProfile, encode, project};

use super::document::Document;
use super::error::ConfigErrors;
use super::model::ModelEntry;
use crate::agent::Limits;

/// What stands in an agent file.
#[derive(Clone, Debug, PartialEq, Contract)]
pub struct AgentConfig {
    /// What the agent is called in events and reports.
    pub name: Option<String>,
    /// Text that stands before every conversation.
    pub instructions: Option<String>,
    /// The model, as `provider:model`, or as a table that says more.
    pub model: Option<ModelEntry>,
    /// Where the model's provider is, for those that may be elsewhere: `http://127.0.0.1:8080/v1`.
    pub base_url: Option<String>,
    /// The harnesses whose tools the agent has.
    #[arg(default)]
    pub harnesses: Vec<HarnessEntry>,
    /// When things end by themselves.
    #[arg(default)]
    pub limits: Limits,
}

/// A harness: its name, or a table that says more.
#[derive(Clone, Debug, PartialEq, Contract)]
#[serde(untagged)]
pub enum HarnessEntry {
    /// The name: every tool, no configuration.
    Name(String),
    /// A table.
    Table(HarnessChoice),
}

/// A harness, configured and chosen from.
#[derive(Clone, Debug, PartialEq, Contract)]
pub struct HarnessChoice {
    /// The harness.
    pub name: String,
    /// Its own configuration.
    pub config: Option<BTreeMap<String, Any>>,
    /// Only these of its tools.
    #[arg(min_items = 1, unique)]
    pub tools: Option<Vec<String>>,
}

impl AgentConfig {
    /// Reads TOML text.
    ///
    /// # Errors
    /// Everything that is wrong with it, with places.
    pub fn parse(text: &str) -> Result<Self, ConfigErrors> {
        Document::from_toml(text)?.bind()
    }

    /// The JSON Schema of agent files, for editors: JSON Schema 2020-12, compact.
    #[must_use]
    pub fn json_schema() -> String {
        let schema = project(&Self::shape(), &SchemaProfile::canonical(), &[], &[]).schema;
        let schema = String::from_utf8_lossy(&schema);
        let members = schema.strip_prefix('{').unwrap_or(&schema);
        format!(r#"{{"$schema":"https://json-schema.org/draft/2020-12/schema",{members}"#)
    }
}

impl HarnessEntry {
    /// The harness's name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) => name,
            Self::Table(choice) => &choice.name,
        }
    }

    /// Its configuration as JSON text; an empty object where there is none.
    pub(super) fn config(&self) -> String {
        match self {
            Self::Name(_) => "{}".to_owned(),
            Self::Table(choice) => choice.config.as_ref().map_or_else(|| "{}".to_owned(), encode),
        }
    }

    pub(super) fn tools(&self) -> Option<&[String]> {
        match self {
            Self::Name(_) => None,
            Self::Table(choice) => choice.tools.as_deref(),
        }
    }
}
