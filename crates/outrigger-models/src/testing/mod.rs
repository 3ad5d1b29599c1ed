//! Doors for fuzz targets and benchmarks. Not for hands.

mod anthropic;
mod chat;

pub use anthropic::anthropic_stream;
pub use chat::{ChatStream, chat_stream};
