//! What each provider's schema dialect can say, as plain data.
//!
//! Every rule names where it comes from and when that was read; a fixture holds each of them in `tests.rs`. A rule that
//! is only remembered, or read in a secondary place, says so.

pub mod anthropic;
pub mod gemini;
pub mod openai;

#[cfg(test)]
mod tests;

use outrigger_contract::SchemaProfile;

/// A profile, by the name people choose it with.
pub type Named = (&'static str, fn() -> SchemaProfile);

/// The profiles of this build, in the order they are listed to people.
pub const PROFILES: &[Named] = &[
    ("canonical", SchemaProfile::canonical),
    ("openai-strict", openai::strict),
    ("openai", openai::plain),
    ("anthropic-strict", anthropic::strict),
    ("anthropic", anthropic::plain),
    ("gemini", gemini::functions),
];
