//! The middleware trait, its contexts, the hook set.
//!
//! A middleware is a value around the steps of a turn. Wrappers nest: the first registered is the outermost, and each
//! decides whether and how often what is inside runs. Sealing is innermost and private: a wrapper around the model
//! edits a [`RequestDraft`], never a sealed request.

mod hooks;
mod next;

use std::sync::Arc;

use futures_util::future::BoxFuture;

pub use hooks::HookSet;
pub(crate) use next::{AttemptEnd, FunctionEnd, ModelEnd};
pub use next::{NextAttempt, NextFunction, NextModel};

use crate::event::{Emit, EventKind};
use crate::handle::RunHandle;
use crate::model::{ModelError, ModelResponse, RequestDraft, SealedRequest};
use crate::transcript::{CallId, CallStatus, OutputPart, Text};

/// What a wrapper around the model returns.
pub type ModelFuture<'a> = BoxFuture<'a, Result<ModelResponse, ModelError>>;

/// What a wrapper around a function returns.
pub type FunctionFuture<'a> = BoxFuture<'a, FunctionOutcome>;

/// Something around the steps of a turn.
///
/// Every hook does nothing unless it is written, and only the hooks named by [`hooks`](Self::hooks) are called.
pub trait Middleware: Send + Sync {
    /// The hooks this middleware has.
    fn hooks(&self) -> HookSet;

    /// Around one provider call: edits the draft, replaces the answer, calls again, or does not call at all.
    fn wrap_model<'a>(&'a self, cx: &'a ModelCx<'a>, draft: RequestDraft, next: NextModel<'a>) -> ModelFuture<'a> {
        next.run(cx, draft)
    }

    /// Around one request on the wire. The request is sealed: what is tried again is what was sealed.
    fn wrap_attempt<'a>(
        &'a self,
        cx: &'a AttemptCx<'a>,
        request: &'a Arc<SealedRequest>,
        next: NextAttempt<'a>,
    ) -> ModelFuture<'a> {
        next.run(cx, request)
    }

    /// Around one function: replaces its outcome, calls it again, or does not call it at all. Arguments are settled
    /// before, and cannot be changed here.
    fn wrap_function<'a>(&'a self, cx: &'a FunctionCx<'a>, next: NextFunction<'a>) -> FunctionFuture<'a> {
        next.run(cx)
    }
}

/// What a wrapper around the model may know.
pub struct ModelCx<'a> {
    /// The run.
    pub run: &'a RunHandle,
    /// The iteration, from 1.
    pub iteration: u32,
    pub(crate) events: &'a dyn Emit,
}

/// What a wrapper around an attempt may know.
pub struct AttemptCx<'a> {
    /// The run.
    pub run: &'a RunHandle,
    /// The iteration, from 1.
    pub iteration: u32,
    /// The number of the provider call in the run, from 1. Attempts of one call share it; the same call to another model is another.
    pub call: u64,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    pub(crate) events: &'a dyn Emit,
}

/// What a wrapper around a function may know.
pub struct FunctionCx<'a> {
    /// The run.
    pub run: &'a RunHandle,
    /// The iteration, from 1.
    pub iteration: u32,
    /// The call.
    pub call: &'a CallId,
    /// The tool's identity, `Harness.tool`.
    pub tool: &'a Text,
    /// The arguments in canonical form.
    pub arguments: &'a Text,
    pub(crate) events: &'a dyn Emit,
}

/// How a function ended, on its way to becoming the call's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionOutcome {
    /// How it ended.
    pub status: CallStatus,
    /// What the model reads.
    pub content: Vec<OutputPart>,
}

impl FunctionOutcome {
    /// An outcome of one text.
    #[must_use]
    pub fn text(status: CallStatus, text: impl Into<Text>) -> Self {
        Self { status, content: vec![OutputPart::Text(text.into())] }
    }
}

macro_rules! says {
    ($($cx:ident),*) => {$(
        impl $cx<'_> {
            /// Tells listeners something in the middleware's own words.
            pub fn emit(&self, name: &str, payload: serde_json::Value) {
                if self.events.wanted() {
                    self.events.emit(EventKind::Custom { name: name.into(), payload }, None);
                }
            }
        }
    )*};
}
says!(ModelCx, AttemptCx, FunctionCx);

/// An agent's middleware, sorted by hook once when the agent is built, so that a hook nobody has costs nothing.
#[derive(Clone, Default)]
pub(crate) struct Pipeline {
    pub(crate) model: Arc<[Arc<dyn Middleware>]>,
    pub(crate) attempt: Arc<[Arc<dyn Middleware>]>,
    pub(crate) function: Arc<[Arc<dyn Middleware>]>,
}

impl Pipeline {
    pub(crate) fn new(all: &[Arc<dyn Middleware>]) -> Self {
        let with = |hook: HookSet| all.iter().filter(|one| one.hooks().contains(hook)).cloned().collect();
        Self {
            model: with(HookSet::WRAP_MODEL),
            attempt: with(HookSet::WRAP_ATTEMPT),
            function: with(HookSet::WRAP_FUNCTION),
        }
    }
}
