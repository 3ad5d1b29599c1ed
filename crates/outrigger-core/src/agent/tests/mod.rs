//! What an agent promises.

mod attempts;
mod outputs;
mod runs;
mod steps;
mod wrappers;
