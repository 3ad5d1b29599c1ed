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
    /// Lists sessions, shows, forks, carries and deletes their threads
    Sessions(Sessions),
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
    /// Writes what the model says, not the prompts, as a script to play again
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
    #[command(flatten)]
    pub(crate) session: SessionOptions,
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
    #[command(flatten)]
    pub(crate) session: SessionOptions,
    /// Goes on with the session that changed last
    #[arg(long, conflicts_with = "session")]
    pub(crate) resume: bool,
}

/// Shows the tools.
#[derive(Debug, Group)]
pub(crate) struct Tools {
    #[command(flatten)]
    pub(crate) agent: AgentOptions,
    /// Prints one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Shows the menu with these containers open
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) expand: Vec<String>,
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

/// Sessions that are kept.
#[derive(Debug, Group)]
pub(crate) struct Sessions {
    #[command(flatten)]
    pub(crate) data: DataOptions,
    /// What to do with them.
    #[command(subcommand)]
    pub(crate) action: SessionsAction,
}

/// Where sessions are kept.
#[derive(Debug, Default, Group)]
pub(crate) struct DataOptions {
    /// The folder of sessions, else the user's own
    #[arg(long, value_name = "DIR", env = "OUTRIGGER_DATA", hide_env_values = true)]
    pub(crate) data: Option<PathBuf>,
}

/// Which session, if one is kept.
#[derive(Debug, Default, Group)]
pub(crate) struct SessionOptions {
    /// Keeps the conversation under this name, and goes on where it stands
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) data: DataOptions,
}

/// What to do with sessions.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionsAction {
    /// Lists the sessions, or the threads of one
    List {
        /// The session
        session: Option<String>,
        /// Prints one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Shows what was said on a thread
    Show {
        #[command(flatten)]
        thread: ThreadName,
        /// Prints one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Makes a thread that begins with another's messages, and prints its name
    Fork {
        #[command(flatten)]
        thread: ThreadName,
        /// How many messages they share; all without
        #[arg(long, value_name = "N")]
        messages: Option<usize>,
        /// The new thread's name; made up without
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
    /// Writes a thread as JSON lines
    Export {
        #[command(flatten)]
        thread: ThreadName,
        /// The file, which must not exist; standard output without
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
    },
    /// Reads a thread that was exported
    Import {
        /// The file
        file: PathBuf,
        /// Another session than it says
        #[arg(long)]
        session: Option<String>,
        /// Another name than it says
        #[arg(long)]
        thread: Option<String>,
    },
    /// Deletes a thread; forks keep what they share with it
    Delete {
        #[command(flatten)]
        thread: ThreadName,
    },
}

/// Which thread.
#[derive(Debug, Group)]
pub(crate) struct ThreadName {
    /// The session
    pub(crate) session: String,
    /// The thread
    #[arg(default_value = "main")]
    pub(crate) thread: String,
}

/// Prints completions.
#[derive(Debug, Group)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
}
