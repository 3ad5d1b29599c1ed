//! What the program does: one file a command.

mod call;
mod chat;
mod check;
mod completions;
mod models;
mod run;
mod schema;
mod sessions;
mod tools;

use std::process::ExitCode;

use crate::args::{Args, Command};
use crate::failure::Failure;
use crate::output;

/// The exit code of what was done and gave no answer.
const NO_ANSWER: u8 = 1;

/// Performs a command and says what went wrong.
pub(crate) fn perform(args: Args) -> ExitCode {
    let done = match args.command {
        Command::Run(options) => run::run(&options),
        Command::Chat(options) => chat::chat(&options),
        Command::Tools(options) => tools::tools(&options),
        Command::Call(options) => call::call(&options),
        Command::Check(options) => check::check(&options),
        Command::Models(options) => models::models(&options),
        Command::Sessions(options) => sessions::sessions(options),
        Command::Schema => schema::schema(),
        Command::Completions(options) => completions::completions(&options),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            match &failure {
                Failure::ClosedPipe => {}
                Failure::Config(errors) => errors.iter().for_each(|one| output::error(&one.to_string())),
                other => output::error(&other.to_string()),
            }
            ExitCode::from(failure.code())
        }
    }
}
