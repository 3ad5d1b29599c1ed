//! Why a turn ended.

use serde::{Deserialize, Serialize};

/// Why a turn ended. The list is closed: formats use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model answered without calls.
    Answered,
    /// An output tool was called.
    OutputTool,
    /// The limit of iterations was met.
    MaxIterations,
    /// The limit of time was met.
    MaxDuration,
    /// Too many iterations in a row in which every call failed.
    ToolErrors,
    /// The shared budget is spent.
    Budget,
    /// A hook ended the turn.
    Ended,
    /// The provider refused to go on.
    Refused,
    /// The turn was cancelled.
    Cancelled,
    /// The turn was found open after a crash.
    Interrupted,
    /// An error that retrying did not mend.
    Failed,
}

impl StopReason {
    /// The word formats use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::OutputTool => "output_tool",
            Self::MaxIterations => "max_iterations",
            Self::MaxDuration => "max_duration",
            Self::ToolErrors => "tool_errors",
            Self::Budget => "budget",
            Self::Ended => "ended",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}
