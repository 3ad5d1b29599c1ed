//! Why an agent was not built, or a run gave no result.

use crate::catalog::{CatalogProblem, DuplicateName};
use crate::model::ModelError;
use crate::session::StoreError;
use crate::transcript::{ModelName, Text};
use crate::turn::Fault;

use super::run::TurnResult;

/// Any error of an agent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The agent could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A run gave no result.
    #[error(transparent)]
    Run(#[from] RunError),
    /// There is no such model, or it cannot be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The store did not do as it was asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A result with any error of an agent.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an agent could not be built: everything that is wrong, at once.
#[derive(Debug)]
pub struct BuildError {
    /// What is wrong, in the order it was found.
    pub problems: Vec<BuildProblem>,
}

/// One thing that is wrong with an agent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildProblem {
    /// No model was given.
    #[error("no model was given: call `.model(…)` on the builder")]
    NoModel,
    /// The model cannot be used.
    #[error("the model cannot be used: {0}")]
    Model(#[source] ModelError),
    /// A response schema was asked of a model that takes none.
    #[error("{}:{} cannot be held to a response schema: use `OutputMode::Tool`, which asks for values by a tool", model.provider, model.model)]
    NoNativeOutput {
        /// The model.
        model: ModelName,
    },
    /// A time that is over before it began.
    #[error("the limit {name} is zero, so that nothing could ever be done: give a time above zero")]
    ZeroLimit {
        /// The limit.
        name: &'static str,
    },
    /// The tools and containers do not go together.
    #[error(transparent)]
    Catalog(#[from] CatalogProblem),
    /// A tool's worked example does not fit its own arguments.
    #[error("the worked example {ask:?} of {tool} does not bind: {problems}")]
    Example {
        /// The tool's identity.
        tool: Text,
        /// What the example asks.
        ask: Text,
        /// What is wrong with its arguments.
        problems: String,
    },
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.problems.as_slice() {
            [only] => write!(out, "the agent cannot be built: {only}"),
            problems => {
                write!(out, "the agent cannot be built, for {} reasons:", problems.len())?;
                problems.iter().try_for_each(|problem| write!(out, "\n- {problem}"))
            }
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.problems.first().map(|problem| problem as _)
    }
}

/// Why a run gave no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The turn failed; what was achieved until then is in `result` and on record.
    #[error("{fault}")]
    Failed {
        /// What failed.
        #[source]
        fault: Fault,
        /// What there is of a result.
        result: Box<TurnResult>,
    },
    /// The run's output tool has the name of another tool.
    #[error(transparent)]
    Output(#[from] DuplicateName),
    /// A type whose JSON is not an object cannot be a tool's arguments.
    #[error("an output must be a JSON object, and {found} is not: wrap it in a struct with one field")]
    OutputNotObject {
        /// The type.
        found: &'static str,
    },
    /// The message says nothing.
    #[error("the message is empty: say what you want of the agent")]
    EmptyInput,
    /// There is no executor to run on.
    #[error("a run needs a tokio runtime: call it from one, for instance under #[tokio::main]")]
    NoRuntime,
    /// The driver went away with its executor.
    #[error("the run's driver ended before its turn: the executor was shut down")]
    Lost,
}
