//! The harness itself: transcript, catalog, context, turn, runtime, sessions, agent.
//!
//! The rooms stand on floors, upper ones first here; a room uses only those below it.

pub mod agent;
mod runtime;
pub mod turn;
mod context;
pub mod catalog;
pub mod harness;
pub mod middleware;
pub mod tool;
pub mod question;
pub mod event;
pub mod session;
pub mod model;
pub mod handle;
pub mod transcript;

#[cfg(test)]
mod testing;

// What derives expand to names this crate; inside it, that is itself.
extern crate self as outrigger_core;

pub use outrigger_contract as contract;
pub use outrigger_contract::Contract;

/// What the macros expand to. Not for hands.
#[doc(hidden)]
pub mod __private {
    pub use outrigger_contract::Contract;
    pub use outrigger_contract::__private::*;

    pub use crate::__tool_output as tool_output;
    pub use crate::harness::Harness;
    pub use crate::tool::{Body, Example, NativeTool, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, returned};
}
