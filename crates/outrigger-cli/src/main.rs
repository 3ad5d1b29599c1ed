//! The `outrigger` program: runs agents over an agent file, calls their tools, and shows what they are made of.
//!
//! It reads files and arguments, and prints; everything between is the library's. Exit codes: 0 the answer was given, 1
//! it was not, 2 usage or configuration, 130 a second Ctrl-C.

mod args;
mod choice;
mod commands;
mod failure;
mod harnesses;
mod interrupt;
mod output;
mod requests;
mod runtime;
mod setup;
mod store;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    output::tell_panics_in_a_line();
    commands::perform(args::Args::parse())
}
