//! Language models: one module a provider.
//!
//! A provider module knows everything about one provider and nothing about agents: its profile and dialect as plain
//! data, what it sends, what it reads. [`model`] chooses one by a string.

#[cfg(feature = "http")]
pub mod anthropic;
mod choice;
#[cfg(feature = "local")]
pub mod local;
#[cfg(feature = "http")]
pub mod openai;
mod plain;
pub mod profiles;
mod providers;
pub mod scripted;
#[cfg(any(all(test, feature = "http"), feature = "testing"))]
#[doc(hidden)]
pub mod testing;
#[cfg(feature = "http")]
mod wire;

pub use choice::{ModelChoice, OpenOptions, Progress, Watch, model};
#[cfg(feature = "http")]
pub use choice::{anthropic, openai};
pub use providers::{Endpoint, PROVIDERS, Provider};
#[cfg(feature = "http")]
pub use wire::{Key, is_url_of_this_machine};
