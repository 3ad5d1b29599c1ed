//! What a turn asks for, and what it is told.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use crate::transcript::{
    Answer, AssistantMessage, CallResult, ModelResponse, Question, Record, StopReason, Text, ToolCall, Usage,
};

/// What to do next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Step {
    /// Write these facts.
    Append(Vec<Record>),
    /// Call the model.
    Model {
        /// The iteration, from 1.
        iteration: u32,
    },
    /// Resolve and bind the message's calls and apply the rules; no effects outside.
    Prepare(Arc<AssistantMessage>),
    /// Ask people or clients.
    Ask {
        /// The questions.
        questions: Vec<Question>,
        /// The batch they are about.
        batch: Vec<Prepared>,
    },
    /// Run the batch and write its intents and results.
    Tools(Vec<Prepared>),
    /// The turn is over.
    Done(TurnEnd),
    /// The turn was over before; there is nothing to do.
    Over,
}

/// One call of a batch, ready to be run or already answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prepared {
    /// Its body is to run.
    Run(PreparedCall),
    /// Its arguments are the turn's result.
    Output(PreparedCall),
    /// It has its result.
    Settled(Arc<CallResult>),
}

/// A call whose arguments have bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreparedCall {
    /// The call as the model wrote it.
    pub call: ToolCall,
    /// The tool's identity.
    pub tool: Text,
    /// The arguments in canonical form.
    pub arguments: Text,
    /// Whether someone must allow it first.
    pub gated: bool,
}

/// How a step went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Outcome {
    /// The facts are written.
    Appended,
    /// How the model's call ended.
    Model(ModelEnd),
    /// The batch is ready.
    Prepared {
        /// One entry a call, in call order.
        batch: Vec<Prepared>,
        /// What its calls opened.
        facts: Vec<Record>,
    },
    /// What an answer without calls binds to, or what is wrong with it.
    Output(Result<Text, Text>),
    /// The answers, in the order of the questions.
    Answers(Vec<Answer>),
    /// Every call of the batch has its result on record.
    Tools(BatchEnd),
    /// The run was stopped while waiting.
    Stopped(StopReason),
    /// Facts could not be written.
    Failed(Fault),
}

/// How a call of the model ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModelEnd {
    /// With an answer.
    Answered(ModelResponse),
    /// With an error that retrying did not mend.
    Failed(Fault),
    /// By a stop, perhaps in the middle of an answer.
    Stopped {
        /// Why.
        stop: StopReason,
        /// What was streamed until then.
        partial: Option<ModelResponse>,
    },
}

/// How a batch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchEnd {
    /// Whether no call of it succeeded.
    pub all_failed: bool,
    /// Why the run was stopped meanwhile.
    pub stopped: Option<StopReason>,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnEnd {
    /// Why.
    pub stop: StopReason,
    /// What failed, if something did.
    pub fault: Option<Fault>,
    /// Tokens of all provider calls.
    pub usage: Usage,
    /// How many iterations there were.
    pub iterations: u32,
    /// The arguments of the output tool that ended the turn, in canonical form.
    pub output: Option<Text>,
    /// The last thing the model said.
    pub answer: Option<Arc<AssistantMessage>>,
}

impl TurnEnd {
    /// The end of a turn of which nothing came.
    pub(crate) fn before_it_began(stop: StopReason, fault: Option<Fault>) -> Self {
        Self { stop, fault, usage: Usage::default(), iterations: 0, output: None, answer: None }
    }
}

impl Prepared {
    /// The turn's result, if the call carries it.
    pub(super) fn output(&self) -> Option<Text> {
        match self {
            Self::Output(call) => Some(Arc::clone(&call.arguments)),
            _ => None,
        }
    }

    /// The question that must be answered before the call may run.
    pub(super) fn question(&self) -> Option<Question> {
        match self {
            Self::Run(PreparedCall { call, tool, arguments, gated: true }) => Some(Question::Permission {
                call: call.id.clone(),
                tool: Arc::clone(tool),
                arguments: Arc::clone(arguments),
            }),
            _ => None,
        }
    }
}

impl Step {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Append(_) => "an append",
            Self::Model { .. } => "a model call",
            Self::Prepare(_) => "preparing a batch",
            Self::Ask { .. } => "questions",
            Self::Tools(_) => "a batch",
            Self::Done(_) | Self::Over => "nothing: it is over",
        }
    }
}

impl Outcome {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Appended => "that of an append",
            Self::Model(_) => "that of a model call",
            Self::Prepared { .. } => "that of preparing a batch",
            Self::Output(_) => "that of binding an answer",
            Self::Answers(_) => "answers",
            Self::Tools(_) => "that of a batch",
            Self::Stopped(_) => "a stop",
            Self::Failed(_) => "a failed write",
        }
    }
}
