//! What stands on the command line.

use std::path::PathBuf;

use clap::{Args as Group, Parser, Subcommand};
use clap_complete::Shell;

/// Runs LLM agents: a model, tools, and an agent file that says which.
#[derive(Debug, Parser)]
#[command(name = "outrigger", version, max_term_width = 100)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Answers one prompt
    Run(Run),
    /// Talks on one thread, until Ctrl-D
    Chat(Chat),
    /// Shows the tools as the model sees them
    Tools(Tools),
    /// Binds arguments and runs one tool, without a model
    Call(Call),
    /// Checks the agent and tells what it has and does, defaults included
    Check(Check),
    /// Lists the models this program can use
    Models(Models),
    /// Prints the JSON Schema of agent files, for editors
    Schema,
    /// Prints a completion script for a shell
    Completions(Completions),
}

/// Which agent.
#[derive(Debug, Default, Group)]
pub(crate) struct AgentOptions {
    /// The agent file; without it agent.toml, if it is there
    #[arg(long, value_name = "FILE")]
    pub(crate) agent: Option<PathBuf>,
}

/// Which model.
#[derive(Debug, Default, Group)]
pub(crate) struct ModelOptions {
    /// The model, as provider:model
    #[arg(long, env = "OUTRIGGER_MODEL", hide_env_values = true)]
    pub(crate) model: Option<String>,
}

/// Where what the model says is kept.
#[derive(Debug, Default, Group)]
pub(crate) struct RecordOptions {
    /// Writes what the model says, prompts not included, as a script that scripted:FILE plays
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

/// Answers one prompt.
#[derive(Debug, Group)]
pub(crate) struct Run {
    /// What to say; `-` reads it from standard input
    pub(crate) prompt: String,
    #[command(flatten)]
    pub(crate) agent: AgentOptions,
    #[command(flatten)]
    pub(crate) model: ModelOptions,
    /// Prints the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Prints every event as a line of JSON
    #[arg(long)]
    pub(crate) events: bool,
    /// Writes every request as sealed, prompts included, to a file of JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) requests: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) record: RecordOptions,
}

/// Talks, line by line.
#[derive(Debug, Group)]
pub(crate) struct Chat {
    #[command(flatten)]
    pub(crate) agent: AgentOptions,
    #[command(flatten)]
    pub(crate) model: ModelOptions,
    #[command(flatten)]
    pub(crate) record: RecordOptions,
}

/// Shows the tools.
#[derive(Debug, Group)]
pub(crate) struct Tools {
    #[command(flatten)]
    pub(crate) agent: AgentOptions,
    /// Prints one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Whose schema dialect
    #[arg(long, default_value = "canonical")]
    pub(crate) profile: String,
}

/// Runs one tool.
#[derive(Debug, Group)]
pub(crate) struct Call {
    /// The tool, as `calculate` or `Calculator.calculate`
    pub(crate) name: String,
    /// Its arguments, as a JSON object; `-` reads them from standard input
    #[arg(default_value = "{}")]
    pub(crate) args: String,
    #[command(flatten)]
    pub(crate) agent: AgentOptions,
    /// Prints one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Checks the agent.
#[derive(Debug, Group)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) agent: AgentOptions,
    #[command(flatten)]
    pub(crate) model: ModelOptions,
    /// Prints one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Lists models.
#[derive(Debug, Group)]
pub(crate) struct Models {
    /// Prints one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Prints completions.
#[derive(Debug, Group)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
}
