//! Why a command did not do what it was asked.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use outrigger::agent::config::{ConfigError, ConfigErrors};
use outrigger::agent::{BuildError, BuildProblem};
use outrigger::session::StoreError;

/// Why a command did not do what it was asked. Every one of them is a matter of usage or configuration: what goes wrong
/// in a run is the run's result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked makes no sense.
    Usage(String),
    /// The configuration is wrong.
    Config(Vec<FileError>),
    /// The store of sessions did not do as it was asked, or a thread's file is wrong.
    Sessions(String),
    /// Nobody reads what is printed.
    ClosedPipe,
    /// What is printed cannot be written.
    Output(io::Error),
    /// What is said cannot be read.
    Input(io::Error),
}

/// An error of the configuration, and the file it is in.
#[derive(Clone, Debug)]
pub(crate) struct FileError {
    /// What kind: `config`, or a model's.
    pub(crate) kind: String,
    /// The file, where it is in one.
    pub(crate) file: Option<PathBuf>,
    /// The line, the column and the path, where it has a place there.
    pub(crate) place: Option<(u32, u32, String)>,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do.
    pub(crate) suggestion: Option<String>,
}

impl Failure {
    /// What is wrong with a file as a whole.
    pub(crate) fn file(path: &Path, message: impl Into<String>) -> Self {
        let (message, file) = (message.into(), Some(path.to_owned()));
        Self::Config(vec![FileError { kind: "config".to_owned(), file, place: None, message, suggestion: None }])
    }

    /// What is wrong with the text of a file.
    pub(crate) fn in_file(path: Option<&Path>, errors: ConfigErrors) -> Self {
        Self::Config(errors.errors.into_iter().map(|error| FileError::placed(path, "config", error)).collect())
    }

    /// The kind, as `--json` has it.
    pub(crate) fn kind(&self) -> &str {
        match self {
            Self::Usage(_) => "usage",
            Self::Config(errors) => errors.first().map_or("config", |error| &error.kind),
            Self::Sessions(_) => "sessions",
            Self::ClosedPipe | Self::Output(_) => "output",
            Self::Input(_) => "input",
        }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Config(_) => 2,
            Self::Sessions(_) | Self::Output(_) | Self::Input(_) => 1,
            Self::ClosedPipe => 0,
        }
    }
}

impl FileError {
    pub(crate) fn placed(path: Option<&Path>, kind: &str, error: ConfigError) -> Self {
        let ConfigError { line, column, path: pointer, message, suggestion } = error;
        let (kind, file) = (kind.to_owned(), path.map(Path::to_owned));
        Self { kind, file, place: Some((line, column, pointer)), message, suggestion }
    }

    /// What is wrong with what an agent is built of.
    fn of_problem(problem: &BuildProblem) -> Self {
        let (kind, message) = match problem {
            BuildProblem::Model(error) => (format!("model.{}", error.kind().as_str()), error.to_string()),
            other => ("config".to_owned(), other.to_string()),
        };
        Self { kind, file: None, place: None, message, suggestion: None }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        Self::Config(error.problems.iter().map(FileError::of_problem).collect())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Sessions(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Output(error),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

/// One error a line.
impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Sessions(message) => out.write_str(message),
            Self::Output(error) => write!(out, "the output cannot be written: {error}"),
            Self::Input(error) => write!(out, "standard input cannot be read: {error}"),
            Self::ClosedPipe => out.write_str("nobody reads the output"),
            Self::Config(errors) => {
                for (index, error) in errors.iter().enumerate() {
                    let line = if index == 0 { "" } else { "\n" };
                    write!(out, "{line}{error}")?;
                }
                Ok(())
            }
        }
    }
}

/// `agent.toml:2:14: what is wrong (what to do)`.
impl fmt::Display for FileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(out, "{}:", file.display())?;
            if let Some((line, column, _)) = &self.place {
                write!(out, "{line}:{column}:")?;
            }
            out.write_str(" ")?;
        }
        out.write_str(&self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(out, " ({suggestion})"),
            None => Ok(()),
        }
    }
}
