//! The harness itself: transcript, catalog, context, turn, runtime, sessions, agent.
//!
//! The rooms stand on floors, upper ones first here; a room uses only those below it.

// What the macros expand to names this crate, here as elsewhere.
#[allow(unused_extern_crates, reason = "named by what derives expand to")]
extern crate self as outrigger_core;

pub mod agent;
pub mod catalog;
mod context;
pub mod event;
pub mod handle;
pub mod harness;
pub mod middleware;
pub mod model;
pub mod question;
mod runtime;
pub mod session;
pub mod tool;
pub mod transcript;
pub mod turn;

#[cfg(test)]
mod testing;

pub use outrigger_contract as contract;
pub use outrigger_contract::Contract;
pub use outrigger_macros::{Contract, harness, tool};

/// What the macros expand to. Not for hands.
#[doc(hidden)]
pub mod __private {
    pub use outrigger_contract::__private::*;
    pub use outrigger_contract::Contract;
    pub use outrigger_macros::Contract;

    pub use crate::__tool_output as tool_output;
    pub use crate::harness::{Collapse, Harness};
    pub use crate::tool::{
        Body, Example, NativeTool, Tool, ToolContext, ToolError, ToolKind, ToolOutput, ToolSpec, returned,
    };
    pub use crate::transcript::{Lifetime, Text};
}
