//! What an agent promises.

mod runs;
mod steps;
