//! Handles to a run.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex as SyncMutex};
use std::task::{Context, Poll};

use futures_util::Stream;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::RunError;
use super::state::ThreadState;
use crate::catalog::{Catalog, Entry, MenuItem};
use crate::context::ThreadWire;
use crate::event::{Emit, Event, EventReceiver};
use crate::handle::RunHandle;
use crate::runtime::{
    AgentModel, AgentParts, OutputMode, Performer, RunModel, SharedTimer, Stopper, drive, store_fault,
};
use crate::session::ThreadLog;
use crate::tool::Tool;
use crate::transcript::{ModelName, RunId, SessionId, StopReason, Text, ThreadId, Usage, UserMessage};
use crate::turn::{Turn, TurnEnd, WantedOutput};

/// How a turn went.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnResult {
    /// Why it ended.
    pub stop: StopReason,
    /// Tokens of all its provider calls.
    pub usage: Usage,
    /// How many iterations there were.
    pub iterations: u32,
    /// The model.
    pub model: ModelName,
    /// The session.
    pub session: SessionId,
    /// The thread.
    pub thread: ThreadId,
    /// The run.
    pub run: RunId,
    text: String,
    output: Option<Text>,
}

impl TurnResult {
    /// The arguments of the output tool that ended the turn, as canonical JSON.
    #[must_use]
    pub fn output(&self) -> Option<&str> {
        self.output.as_deref()
    }

    /// The text of the last thing the model said; empty if it said nothing.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A run under way.
pub(crate) struct Run {
    done: oneshot::Receiver<Result<TurnResult, RunError>>,
    cancel: CancellationToken,
    guard: DropGuard,
}

impl Run {
    pub(super) async fn result(self) -> Result<TurnResult, RunError> {
        let result = self.done.await.unwrap_or(Err(RunError::Lost));
        drop(self.guard.disarm());
        result
    }
}

/// What a run is made of.
pub(super) struct Start {
    pub(super) parts: Arc<AgentParts>,
    pub(super) state: Arc<ThreadState>,
    pub(super) message: UserMessage,
    pub(super) run: RunHandle,
    pub(super) events: Arc<dyn Emit>,
    /// An output tool of this run alone, with which its turn must end.
    pub(super) output: Option<Arc<dyn Tool>>,
}

/// Starts the driver of a run. What it returns only watches and stops it.
pub(super) fn start(start: Start) -> Result<Run, RunError> {
    let executor = Handle::try_current().map_err(|_| RunError::NoRuntime)?;
    let (tell, done) = oneshot::channel();
    let cancel = start.run.cancellation().clone();
    executor.spawn(async move {
        // Whoever started the run may have left.
        drop(tell.send(start.work().await));
    });
    Ok(Run { done, guard: cancel.clone().drop_guard(), cancel })
}

impl Start {
    async fn work(self) -> Result<TurnResult, RunError> {
        let log = match self.state.log(&self.parts).await {
            Ok(log) => log,
            Err(error) => {
                let end = TurnEnd::before_it_began(StopReason::Failed, Some(store_fault(&error)));
                return told(end, &self.parts, &self.run);
            }
        };
        let performer = self.performer(log).await?;
        let lease = self.state.store.lease(&self.state.key);
        let (limits, message) = (&self.parts.limits, self.message);
        let mut turn = Turn::new(self.run.turn().clone(), self.run.run().clone(), message, limits.turn());
        if let Some(tool) = &self.output {
            let native = self.parts.output == OutputMode::Native;
            turn = turn.wanting(WantedOutput::new(Arc::clone(&tool.spec().name), native));
        }
        let end = drive(&performer, lease, turn, limits.max_duration).await;
        told(end, &self.parts, &self.run)
    }

    pub(super) async fn performer(&self, log: Arc<ThreadLog>) -> Result<Performer, RunError> {
        let parts = &self.parts;
        let native = parts.output == OutputMode::Native;
        let output = self.output.as_ref().map(|tool| Entry::alone(Arc::clone(tool)));
        let extra = output.as_ref().filter(|_| !native);
        let catalog = match extra {
            Some(entry) => Arc::new(parts.catalog.with(entry.clone())?),
            None => Arc::clone(&parts.catalog),
        };
        let extended = extra.is_some().then_some(&catalog);
        let wires = self.state.wires(parts).await;
        let opened = log.view().openings().clone();
        Ok(Performer {
            models: parts
                .models
                .zip(wires, |one, wire| run_model(one, wire, extended, output.as_ref().filter(|_| native))),
            answering: AtomicUsize::new(0),
            catalog,
            native_output: self.output.clone().filter(|_| native),
            agent: Arc::clone(parts),
            log,
            run: self.run.clone(),
            stop: Stopper::new(self.run.cancellation().clone()),
            events: Arc::clone(&self.events),
            bound: SyncMutex::default(),
            provider_calls: AtomicU64::new(0),
            timer: SharedTimer::default(),
            told_open: SyncMutex::new(opened),
        })
    }
}

/// A model as this run uses it: with the run's own tools among the agent's, and with what the answer itself must be.
fn run_model(
    one: &AgentModel,
    wire: &Arc<Mutex<ThreadWire>>,
    extended: Option<&Arc<Catalog>>,
    output: Option<&Entry>,
) -> RunModel {
    let AgentModel { model, menus } = one;
    let menus = match extended {
        Some(catalog) => Arc::new(menus.extended(Arc::clone(catalog))),
        None => Arc::clone(menus),
    };
    let output = output.map(|entry| MenuItem::output(entry, &**model));
    RunModel { model: Arc::clone(model), menus, output, wire: Arc::clone(wire) }
}

fn told(end: TurnEnd, parts: &AgentParts, run: &RunHandle) -> Result<TurnResult, RunError> {
    let result = TurnResult {
        stop: end.stop,
        usage: end.usage,
        iterations: end.iterations,
        model: match &end.answer {
            Some(answer) => answer.by.clone(),
            None => parts.models.first().model.profile().name.clone(),
        },
        session: run.session().clone(),
        thread: run.thread().clone(),
        run: run.run().clone(),
        text: end.answer.map(|answer| answer.text()).unwrap_or_default(),
        output: end.output,
    };
    match end.fault {
        Some(fault) => Err(RunError::Failed { fault, result: Box::new(result) }),
        None => Ok(result),
    }
}

/// The events of a run, and its result. Dropping it cancels the run.
pub struct RunStream {
    events: EventReceiver,
    run: Result<Run, Option<RunError>>,
}

impl RunStream {
    pub(super) fn new(events: EventReceiver, started: Result<Run, RunError>) -> Self {
        Self { events, run: started.map_err(Some) }
    }

    /// Asks the run to stop. It ends soon, with its calls answered and its end on record.
    pub fn cancel(&self) {
        if let Ok(run) = &self.run {
            run.cancel.cancel();
        }
    }

    /// The flag that [`cancel`](Self::cancel) raises, to be raised from elsewhere.
    #[must_use]
    pub fn cancellation(&self) -> CancellationToken {
        self.run.as_ref().map(|run| run.cancel.clone()).unwrap_or_default()
    }

    /// Waits for the end. Events that were not read are dropped.
    ///
    /// # Errors
    /// When the turn failed or the run could not start.
    pub async fn result(self) -> Result<TurnResult, RunError> {
        drop(self.events);
        match self.run {
            Ok(run) => run.result().await,
            Err(error) => Err(error.unwrap_or(RunError::Lost)),
        }
    }
}

impl Stream for RunStream {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        Pin::new(&mut self.events).poll_next(cx)
    }
}
