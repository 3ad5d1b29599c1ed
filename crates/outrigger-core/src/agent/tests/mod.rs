//! What an agent promises.

mod outputs;
mod runs;
mod steps;
mod wrappers;
