//! What each provider's schema dialect can say, as plain data.
//!
//! Every rule names where it comes from and when that was read; a fixture holds each of them in `tests.rs`. A rule that
//! is only remembered, or read in a secondary place, says so.

pub mod anthropic;
pub mod gemini;
pub mod openai;

#[cfg(test)]
mod tests;
