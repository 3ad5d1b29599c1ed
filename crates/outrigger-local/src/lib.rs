//! The embedded local model: a GGUF file, run in process by pure Rust.

mod arguments;
mod attention;
mod cache;
mod conversation;
mod echoes;
mod engine;
mod error;
mod fetch;
mod full;
mod gguf;
mod grammar;
mod linear;
mod math;
mod menu;
mod model;
mod names;
mod nearness;
mod prefix;
mod prompts;
mod rope;
mod schema;
mod session;
mod small;
mod spans;
mod template;
mod text;
mod tokenizer;
mod weights;

pub use conversation::{
    Call, Conversation, Delta, End, Message, Origin, Reply, Status, TextPart, Timings, ToolResult, ToolView, Usage,
    WorkedExample,
};
pub use engine::{Engine, ModelInfo, ModelProfile, Options};
pub use error::LocalError;
pub use fetch::{DEFAULT_MODEL_FILE, FetchError, FetchProgress, cached_default_model, default_model};
pub use linear::Requantise;

#[cfg(test)]
mod tests;
