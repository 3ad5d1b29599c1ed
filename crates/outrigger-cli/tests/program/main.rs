//! The program as its users meet it: the real binary, its output and its exit codes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod agent_file;
mod bad_input;
mod bench;
mod call;
mod chat;
mod check;
mod interrupt;
mod lists;
mod over_http;
mod run;
mod sessions;
mod talk;
#[cfg(unix)]
mod terminal;
mod tools;
