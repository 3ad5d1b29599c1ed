//! What fuzzing and benchmarks reach of the wire. No part of the public interface.

use outrigger_core::model::{ModelError, Part};

use super::chat::Decoder;
use crate::wire::Decode as _;

/// Reads one streamed answer of chat completions.
#[derive(Debug)]
pub struct ChatStream(Decoder);

impl Default for ChatStream {
    fn default() -> Self {
        Self(Decoder::new("test"))
    }
}

impl ChatStream {
    /// Takes one event, and adds what it means to `out`.
    ///
    /// # Errors
    /// When the answer is broken off or over its bounds.
    pub fn event(&mut self, name: &str, data: &str, out: &mut Vec<Part>) -> Result<(), ModelError> {
        self.0.event(name, data, out)
    }

    /// The stream is over.
    ///
    /// # Errors
    /// When the answer is not.
    pub fn end(&mut self, out: &mut Vec<Part>) -> Result<(), ModelError> {
        self.0.end(out)
    }
}
