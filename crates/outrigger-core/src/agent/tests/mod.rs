//! What an agent promises.

mod attempts;
mod menus;
mod outputs;
mod runs;
mod steps;
mod wrappers;
