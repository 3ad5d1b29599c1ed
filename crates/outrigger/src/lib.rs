//! A harness for LLM agents.
//!
//! Outrigger turns Rust signatures into tools a model cannot misuse: one signature becomes the closed schema the model
//! sees, the strict binder that checks what it sends, and the adapter that calls the body.
//!
//! ```
//! use outrigger::prelude::*;
//! use outrigger::scripted::{Script, ScriptedModel};
//!
//! struct Weather;
//!
//! /// Weather reports.
//! #[harness]
//! impl Weather {
//!     /// Gets the current weather for a city.
//!     #[tool]
//!     async fn current(
//!         &self,
//!         /// The city to look up.
//!         city: String,
//!     ) -> String {
//!         format!("It is sunny in {city}.")
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> outrigger::Result<()> {
//! let script = Script::new().call("current", r#"{"city":"Chicago"}"#).text("Sunny!");
//! let agent = Agent::builder().model(ScriptedModel::new(script)).harness(Weather).build().await?;
//! let turn = agent.run("What is the weather in Chicago?").await?;
//! assert_eq!(turn.text(), "Sunny!");
//! # Ok(())
//! # }
//! ```
//!
//! | module | what is in it |
//! |---|---|
//! | [`prelude`] | what most programs need |
//! | [`agent`] | the agent, its builder, its threads, handles to runs |
//! | [`tool`] | tools written by hand, and what a body may know of its call |
//! | [`middleware`] | wrappers around the model and around functions |
//! | [`event`] | what a run tells while it goes on |
//! | [`scripted`] | the model that answers by a script, for tests |
//! | [`contract`] | shapes, schemas, binding |
//! | [`session`] | threads as logs of records, and what keeps them |
//! | `store` | threads in SQLite (feature `sqlite`) and Postgres (feature `postgres`) |

// What the macros expand to names this crate, here as elsewhere.
#[allow(unused_extern_crates, reason = "named by what the macros expand to")]
extern crate self as outrigger;

pub use outrigger_core::agent::{Agent, Error, Result};
pub use outrigger_core::{Contract, agent, catalog, contract, event, handle, harness, middleware, model, question};
pub use outrigger_core::{session, tool, transcript, turn};
#[cfg(feature = "harnesses")]
pub use outrigger_harnesses as harnesses;
pub use outrigger_models as models;
pub use outrigger_models::scripted;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub use outrigger_store as store;

#[doc(hidden)]
pub use outrigger_core::__private;

/// What most programs need: `use outrigger::prelude::*;`.
pub mod prelude {
    pub use outrigger_core::Contract;
    pub use outrigger_core::agent::{Agent, Limits, Thread, TurnResult};
    pub use outrigger_core::harness;
    pub use outrigger_core::tool;
    pub use outrigger_core::tool::{CancellationToken, IntoToolOutput, ToolContext, ToolError, ToolOutput};
    pub use outrigger_models::model;
    #[cfg(feature = "http")]
    pub use outrigger_models::{Key, anthropic, openai};
}

/// The README's program compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
