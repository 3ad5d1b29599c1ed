//! Language models: one module a provider.
//!
//! A provider module knows everything about one provider and nothing about agents: its profile and dialect as plain
//! data, what it sends, what it reads. [`model`] chooses one by a string.

mod choice;
#[cfg(feature = "local")]
pub mod local;
#[allow(dead_code, reason = "the HTTP client is being built under it")]
pub mod openai;
mod plain;
pub mod profiles;
pub mod scripted;
#[allow(dead_code, reason = "providers are being built on it")]
mod wire;

pub use choice::{ModelChoice, OpenOptions, PROVIDERS, Progress, Provider, Watch, model};
