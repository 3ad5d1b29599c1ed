//! Language models: one module a provider.
//!
//! A provider module knows everything about one provider and nothing about agents: its profile and dialect as plain
//! data, what it sends, what it reads. [`model`] chooses one by a string.

#[cfg(feature = "http")]
#[allow(dead_code, reason = "the HTTP client is being built under it")]
pub mod anthropic;
mod choice;
#[cfg(feature = "local")]
pub mod local;
mod plain;
pub mod profiles;
pub mod scripted;
#[cfg(any(all(test, feature = "http"), feature = "testing"))]
#[doc(hidden)]
pub mod testing;
#[cfg(feature = "http")]
#[allow(dead_code, reason = "providers are being built on it")]
mod wire;

#[cfg(feature = "http")]
pub use wire::Key;

pub use choice::{ModelChoice, OpenOptions, PROVIDERS, Progress, Provider, Watch, model};
