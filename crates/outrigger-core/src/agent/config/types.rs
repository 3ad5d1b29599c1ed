//! What stands in an agent file.

use std::num::NonZeroU32;

use outrigger_contract::{SchemaProfile, project};
use crate::Contract;

use super::document::Document;
use super::error::ConfigErrors;
use super::values::{OpenObject, Period};
use crate::agent::Limits;

/// What stands in an agent file.
#[derive(Clone, Debug, PartialEq, Contract)]
pub struct AgentConfig {
    /// What the agent is called in events and reports.
    pub name: Option<String>,
    /// Text that stands before every conversation.
    pub instructions: Option<String>,
    /// The model, as `provider:model`.
    #[arg(example = "local", example = "scripted:weather.json")]
    pub model: Option<String>,
    /// The harnesses whose tools the agent has.
    #[arg(default)]
    pub harnesses: Vec<HarnessEntry>,
    /// When things end by themselves.
    #[arg(default)]
    pub limits: LimitsConfig,
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
    pub config: Option<OpenObject>,
    /// Only these of its tools.
    #[arg(min_items = 1, unique)]
    pub tools: Option<Vec<String>>,
}

/// When things end by themselves.
#[derive(Clone, Debug, PartialEq, Contract)]
pub struct LimitsConfig {
    /// Most iterations of a turn.
    #[arg(default = Limits::DEFAULT.max_iterations)]
    pub max_iterations: NonZeroU32,
    /// Longest time a turn may take.
    #[arg(default = Period(Limits::DEFAULT.max_duration))]
    pub max_duration: Period,
    /// Most iterations in a row in which every call failed.
    #[arg(default = Limits::DEFAULT.tool_errors)]
    pub tool_errors: NonZeroU32,
    /// Most calls of one batch that run at once.
    #[arg(default = Limits::DEFAULT.max_parallel_tools)]
    pub max_parallel_tools: NonZeroU32,
    /// Longest time one call may take, where its tool says nothing.
    #[arg(default = Period(Limits::DEFAULT.tool_timeout))]
    pub tool_timeout: Period,
    /// Most events that wait for a slow reader.
    #[arg(default = Limits::DEFAULT.event_buffer)]
    pub event_buffer: NonZeroU32,
    /// Most bytes of one call's arguments.
    #[arg(default = Limits::DEFAULT.argument_bytes)]
    pub argument_bytes: NonZeroU32,
    /// Deepest nesting of one call's arguments.
    #[arg(default = Limits::DEFAULT.argument_depth)]
    pub argument_depth: NonZeroU32,
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
        String::from_utf8_lossy(&schema).into_owned()
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

    pub(super) fn config(&self) -> Option<&str> {
        match self {
            Self::Name(_) => None,
            Self::Table(choice) => choice.config.as_ref().map(|config| config.0.as_str()),
        }
    }

    pub(super) fn tools(&self) -> Option<&[String]> {
        match self {
            Self::Name(_) => None,
            Self::Table(choice) => choice.tools.as_deref(),
        }
    }
}

impl From<LimitsConfig> for Limits {
    fn from(config: LimitsConfig) -> Self {
        Self {
            max_iterations: config.max_iterations,
            max_duration: config.max_duration.0,
            tool_errors: config.tool_errors,
            max_parallel_tools: config.max_parallel_tools,
            tool_timeout: config.tool_timeout.0,
            event_buffer: config.event_buffer,
            argument_bytes: config.argument_bytes,
            argument_depth: config.argument_depth,
        }
    }
}

impl From<Limits> for LimitsConfig {
    fn from(limits: Limits) -> Self {
        Self {
            max_iterations: limits.max_iterations,
            max_duration: Period(limits.max_duration),
            tool_errors: limits.tool_errors,
            max_parallel_tools: limits.max_parallel_tools,
            tool_timeout: Period(limits.tool_timeout),
            event_buffer: limits.event_buffer,
            argument_bytes: limits.argument_bytes,
            argument_depth: limits.argument_depth,
        }
    }
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Limits::DEFAULT.into()
    }
}
