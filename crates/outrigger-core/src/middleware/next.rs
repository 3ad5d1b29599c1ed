//! What is inside a wrapper.
//!
//! A `Next` is `Copy`: a wrapper that tries again calls it twice.

use std::sync::Arc;

use super::{AttemptCx, FunctionCx, FunctionFuture, Middleware, ModelCx, ModelFuture};
use crate::model::{RequestDraft, SealedRequest};

/// The innermost step of a provider call: sealing and dispatch.
pub(crate) trait ModelEnd: Send + Sync {
    fn call<'a>(&'a self, cx: &'a ModelCx<'a>, draft: RequestDraft) -> ModelFuture<'a>;
}

/// The innermost step of an attempt: the wire.
pub(crate) trait AttemptEnd: Send + Sync {
    fn call<'a>(&'a self, cx: &'a AttemptCx<'a>, request: &'a Arc<SealedRequest>) -> ModelFuture<'a>;
}

/// The innermost step of a function: intent and body.
pub(crate) trait FunctionEnd: Send + Sync {
    fn call<'a>(&'a self, cx: &'a FunctionCx<'a>) -> FunctionFuture<'a>;
}

/// What is inside a wrapper around the model.
#[derive(Clone, Copy)]
pub struct NextModel<'a> {
    pub(crate) chain: &'a [Arc<dyn Middleware>],
    pub(crate) end: &'a dyn ModelEnd,
}

impl<'a> NextModel<'a> {
    /// Makes the provider call.
    pub fn run(self, cx: &'a ModelCx<'a>, draft: RequestDraft) -> ModelFuture<'a> {
        match self.chain.split_first() {
            Some((first, chain)) => first.wrap_model(cx, draft, Self { chain, ..self }),
            None => self.end.call(cx, draft),
        }
    }
}

/// What is inside a wrapper around an attempt.
#[derive(Clone, Copy)]
pub struct NextAttempt<'a> {
    pub(crate) chain: &'a [Arc<dyn Middleware>],
    pub(crate) end: &'a dyn AttemptEnd,
}

impl<'a> NextAttempt<'a> {
    /// Sends the request.
    pub fn run(self, cx: &'a AttemptCx<'a>, request: &'a Arc<SealedRequest>) -> ModelFuture<'a> {
        match self.chain.split_first() {
            Some((first, chain)) => first.wrap_attempt(cx, request, Self { chain, ..self }),
            None => self.end.call(cx, request),
        }
    }
}

/// What is inside a wrapper around a function.
#[derive(Clone, Copy)]
pub struct NextFunction<'a> {
    pub(crate) chain: &'a [Arc<dyn Middleware>],
    pub(crate) end: &'a dyn FunctionEnd,
}

impl<'a> NextFunction<'a> {
    /// Runs the function.
    pub fn run(self, cx: &'a FunctionCx<'a>) -> FunctionFuture<'a> {
        match self.chain.split_first() {
            Some((first, chain)) => first.wrap_function(cx, Self { chain, ..self }),
            None => self.end.call(cx),
        }
    }
}
