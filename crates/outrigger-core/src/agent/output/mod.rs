//! Runs that end with a value.

mod partial;

use std::any::type_name;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::Stream;
use outrigger_contract::{Kind, Limits, WirePlan};

use super::RunError;
use super::run::{RunStream, TurnResult};
use crate::contract::Contract;
use crate::event::EventKind;
use crate::runtime::OutputMode;
use crate::tool::{Body, NativeTool, Tool, ToolKind, ToolOutput, ToolSpec};
use crate::transcript::{CallId, StopReason};
use crate::turn::Fault;

/// The name of a run's output tool.
const TOOL: &str = "final_answer";

/// A value, and the turn that ended with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed<T> {
    /// The value.
    pub output: T,
    /// How the turn went.
    pub turn: TurnResult,
}

/// The output tool whose arguments are a `T`.
pub(super) fn output_tool<T: Contract>() -> Result<Arc<dyn Tool>, RunError> {
    let shape = T::shape();
    let is_object = shape
        .resolve(&shape.root)
        .is_some_and(|root| !root.nullable && matches!(root.kind, Kind::Object(_) | Kind::Union(_)));
    if !is_object {
        return Err(RunError::OutputNotObject { found: type_name::<T>() });
    }
    let spec = ToolSpec { kind: ToolKind::Output, ..ToolSpec::new(TOOL, super::prompts::FINAL_ANSWER) };
    let body = Body::<(), T>::Future(|_, _, _| Box::pin(std::future::ready(Ok(ToolOutput::default()))));
    Ok(Arc::new(NativeTool::new(Arc::new(()), spec, body)))
}

/// The value a turn ended with.
pub(super) fn typed<T: Contract>(turn: TurnResult) -> Result<Typed<T>, RunError> {
    let missing = |turn: TurnResult, message: String| {
        let fault = Fault { kind: "output.missing".into(), message: message.into(), detail: None };
        RunError::Failed { fault, result: Box::new(turn) }
    };
    let Some(output) = turn.output().filter(|_| turn.stop == StopReason::OutputTool) else {
        let message = format!("the turn ended without its output: {}", turn.stop.as_str());
        return Err(missing(turn, message));
    };
    match outrigger_contract::bind::<T>(output, &WirePlan::default(), &Limits::default()) {
        Ok(bound) => Ok(Typed { output: bound.value, turn }),
        // Another output tool of the agent ended the turn.
        Err(error) => {
            let message = format!("the turn ended with another output: {error}");
            Err(missing(turn, message))
        }
    }
}

/// JSON documents that hold what is complete of a value so far, each more than the one before; then the value.
pub struct OutputStream<T> {
    run: RunStream,
    mode: OutputMode,
    call: Option<CallId>,
    raw: String,
    last: String,
    value: PhantomData<fn() -> T>,
}

impl<T: Contract> OutputStream<T> {
    pub(super) fn new(run: RunStream, mode: OutputMode) -> Self {
        Self { run, mode, call: None, raw: String::new(), last: String::new(), value: PhantomData }
    }

    /// Waits for the value. Documents that were not read are dropped.
    ///
    /// # Errors
    /// When the turn failed or ended without the value.
    pub async fn result(self) -> Result<Typed<T>, RunError> {
        typed(self.run.result().await?)
    }

    /// Asks the run to stop.
    pub fn cancel(&self) {
        self.run.cancel();
    }

    /// What an event adds to the document.
    fn grown(&mut self, event: EventKind) -> Option<String> {
        match event {
            EventKind::ToolCallStarted { call, name } if &*name == TOOL => {
                self.call = Some(call);
                self.raw.clear();
                None
            }
            EventKind::ToolCallArguments { call, delta } if self.call.as_ref() == Some(&call) => self.added(&delta),
            EventKind::TextDelta { text, .. } if self.mode == OutputMode::Native => self.added(&text),
            // What was said before is no part of what comes.
            EventKind::IterationStarted { .. } | EventKind::Retry { .. } => {
                self.raw.clear();
                None
            }
            _ => None,
        }
    }

    fn added(&mut self, delta: &str) -> Option<String> {
        self.raw.push_str(delta);
        let document = partial::complete(&self.raw)?;
        if document == self.last {
            return None;
        }
        self.last.clone_from(&document);
        Some(document)
    }
}

impl<T: Contract> Stream for OutputStream<T> {
    type Item = String;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<String>> {
        loop {
            match Pin::new(&mut self.run).poll_next(cx) {
                Poll::Ready(Some(event)) => {
                    if let Some(document) = self.grown(event.kind) {
                        return Poll::Ready(Some(document));
                    }
                }
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}
