//! What happened: one enum, and the stream it travels on.

mod stream;

use serde::{Deserialize, Serialize};

pub use stream::{EventReceiver, EventSender, event_stream};

use crate::transcript::{
    CallId, CallStatus, Finish, ModelName, RunId, SessionId, StopReason, Text, ThreadId, Timestamp, TurnId, Usage,
};

/// Something that happened in a run, with its place there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// What happened; its `type` and fields stand beside the others.
    #[serde(flatten)]
    pub kind: EventKind,
    /// An identity, unique among all events.
    pub id: Text,
    /// Its number in the run, from 1 without gaps.
    pub seq: u64,
    /// When it happened.
    pub time: Timestamp,
    /// The session.
    pub session: SessionId,
    /// The thread.
    pub thread: ThreadId,
    /// The run.
    pub run: RunId,
    /// The turn.
    pub turn: TurnId,
    /// The iteration, from 1; 0 before the first.
    pub iteration: u32,
    /// The path of agents it happened in, the outermost first.
    pub agent: Vec<Text>,
    /// What it belongs to: a call's id, or the provider call's name within the run.
    pub span: Option<Text>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// A run began.
    RunStarted,
    /// A turn began.
    TurnStarted,
    /// An iteration began: the model is about to be called.
    IterationStarted {
        /// The model.
        model: ModelName,
    },
    /// The model wrote text.
    TextDelta {
        /// What it added.
        text: Text,
        /// Whether the model's adapter set it, rather than the model.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        quoted: bool,
    },
    /// The model wrote reasoning.
    ReasoningDelta {
        /// What it added.
        text: Text,
    },
    /// The model began a call.
    ToolCallStarted {
        /// The call.
        call: CallId,
        /// The name the model used.
        name: Text,
    },
    /// The model wrote arguments.
    ToolCallArguments {
        /// The call.
        call: CallId,
        /// What it added to the raw text.
        delta: Text,
    },
    /// The arguments bound.
    ToolCallBound {
        /// The call.
        call: CallId,
        /// The tool's identity.
        tool: Text,
        /// The arguments in canonical form.
        arguments: Text,
    },
    /// A tool tells how far it is.
    ToolProgress {
        /// The call.
        call: CallId,
        /// What it says.
        message: Text,
        /// How much is done, in the unit of `total`.
        done: Option<f64>,
        /// How much there is.
        total: Option<f64>,
    },
    /// A call has its terminal result.
    ToolCallResult {
        /// The call.
        call: CallId,
        /// The name the model used.
        name: Text,
        /// How it ended.
        status: CallStatus,
        /// What the model reads.
        content: Text,
    },
    /// Nothing more will be said of a call.
    ToolCallEnded {
        /// The call.
        call: CallId,
        /// How it ended.
        status: CallStatus,
    },
    /// An iteration ended.
    IterationFinished {
        /// Why the model stopped.
        finish: Finish,
        /// What it cost.
        usage: Usage,
    },
    /// A container was opened.
    ContainerOpened {
        /// The container.
        name: Text,
        /// How many members it has.
        members: u64,
        /// About how many tokens the menu has more, from the first place on that changed.
        tokens_added: u64,
        /// About how many tokens of the menu before are not where they were: what a prompt cache loses.
        prefix_lost: u64,
    },
    /// A container was closed.
    ContainerClosed {
        /// The container.
        name: Text,
    },
    /// The menu has changed.
    ToolsVisible {
        /// How many tools and containers the model sees.
        count: u64,
        /// About how many tokens they are.
        tokens: u64,
    },
    /// An attempt of a provider call failed and there will be another. What the failed one streamed does not count: its
    /// deltas have the same `span` as this event.
    Retry {
        /// Which attempt of the call failed, from 1.
        attempt: u32,
        /// The kind of its failure: `rate_limited`.
        kind: Text,
        /// What happened, for a person.
        message: Text,
        /// How long until the next attempt, in milliseconds.
        wait_ms: u64,
        /// Who is asked next.
        model: ModelName,
    },
    /// The reader fell behind and lost events.
    Missed {
        /// How many.
        count: u64,
    },
    /// Something failed.
    Error {
        /// What kind: `model`, `tool`, `hook` or `store`.
        source: Text,
        /// The kind within that.
        kind: Text,
        /// What happened, for a person.
        message: Text,
    },
    /// Something a host or tool says in its own words.
    Custom {
        /// What it is called.
        name: Text,
        /// What it carries.
        payload: serde_json::Value,
    },
    /// A turn ended.
    TurnFinished {
        /// Why.
        stop: StopReason,
        /// What it cost.
        usage: Usage,
    },
    /// A run ended; nothing follows.
    RunFinished {
        /// Why.
        stop: StopReason,
    },
}

/// Where events go.
pub trait Emit: Send + Sync {
    /// Whether anyone listens. Asked before an event is made, so that a run without listeners makes none.
    fn wanted(&self) -> bool;

    /// Later events belong to this iteration.
    fn at_iteration(&self, iteration: u32);

    /// Says what happened. Never blocks.
    fn emit(&self, kind: EventKind, span: Option<Text>);
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unheard;

impl Emit for Unheard {
    fn wanted(&self) -> bool {
        false
    }

    fn at_iteration(&self, _: u32) {}

    fn emit(&self, _: EventKind, _: Option<Text>) {}
}
