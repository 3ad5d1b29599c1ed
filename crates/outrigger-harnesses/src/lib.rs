//! Ready harnesses: [`Files`] below one root directory, an exact [`Calculator`], and a [`Clock`].
//!
//! Each is a plain value with a few methods. Results are small and bounded, errors are written for
//! the model that made the call. Nothing here has access that a host did not give: [`Files`] sees
//! its root, [`Clock`] its time source and the machine's time zone data, [`Calculator`] nothing.

pub mod calculator;
pub mod clock;
pub mod files;

pub use calculator::Calculator;
pub use clock::Clock;
pub use files::{Files, FilesOptions};
