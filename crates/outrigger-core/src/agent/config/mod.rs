//! Agent files: what an agent is made of, written down.
//!
//! A file is parsed to a tree that knows where everything stands, and the tree is bound by the binder that also checks
//! what models send. So every error comes at once, each with its line and column, and the file's JSON Schema comes for
//! free: [`AgentConfig::json_schema`].
//!
//! ```
//! use outrigger_core::agent::config::AgentConfig;
//!
//! let config = AgentConfig::parse("name = \"assistant\"\nmodel = \"local\"\n").unwrap();
//! assert_eq!(config.name.as_deref(), Some("assistant"));
//!
//! let errors = AgentConfig::parse("nmae = \"assistant\"\n").unwrap_err();
//! assert_eq!(errors.to_string(), "1:1: unknown key \"nmae\" (did you mean \"name\"?)");
//! ```
//!
//! Nothing here touches a file: a host reads the text, and says which directory relative paths start from. A file may
//! say that a command prints a key, and where conversations are sent: a host should not let a file
//! do that which was found rather than named.

mod document;
mod error;
mod file;
mod harness;
mod model;
mod places;
mod toml;
mod types;

#[cfg(test)]
mod tests;

pub use document::Document;
pub use error::{ConfigError, ConfigErrors};
pub use file::AgentFile;
pub use harness::{Given, HarnessType, Refusal};
pub use model::{FallbackEntry, FallbackTable, Hidden, KeyEntry, KeySource, ModelEntry, ModelPlan, ModelTable};
pub use places::{Place, Places};
pub use types::{AgentConfig, HarnessChoice, HarnessEntry};
