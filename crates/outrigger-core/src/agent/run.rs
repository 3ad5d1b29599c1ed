//! Handles to a run.

use std::pin::Pin;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use futures_util::Stream;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::RunError;
use super::state::ThreadState;
use crate::event::{Emit, Event, EventReceiver};
use crate::handle::RunHandle;
use crate::runtime::{AgentParts, Performer, Stopper, drive, store_fault};
use crate::session::ThreadLog;
use crate::transcript::{ModelName, RunId, SessionId, StopReason, ThreadId, Usage, UserMessage};
use crate::turn::TurnEnd;

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
}

impl TurnResult {
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

/// Starts the driver of a run. What it returns only watches and stops it.
pub(super) fn start(
    parts: &Arc<AgentParts>,
    state: &Arc<ThreadState>,
    message: UserMessage,
    handle: RunHandle,
    stop: Arc<Stopper>,
    events: Arc<dyn Emit>,
) -> Result<Run, RunError> {
    let executor = Handle::try_current().map_err(|_| RunError::NoRuntime)?;
    let (tell, done) = oneshot::channel();
    let cancel = handle.cancellation().clone();
    let (parts, state) = (Arc::clone(parts), Arc::clone(state));
    executor.spawn(async move {
        let result = work(parts, state, message, handle, stop, events).await;
        // Whoever started the run may have left.
        drop(tell.send(result));
    });
    Ok(Run { done, guard: cancel.clone().drop_guard(), cancel })
}

async fn work(
    parts: Arc<AgentParts>,
    state: Arc<ThreadState>,
    message: UserMessage,
    run: RunHandle,
    stop: Arc<Stopper>,
    events: Arc<dyn Emit>,
) -> Result<TurnResult, RunError> {
    let log = match state.log(&parts).await {
        Ok(log) => log,
        Err(error) => {
            let end = TurnEnd {
                stop: StopReason::Failed,
                fault: Some(store_fault(&error)),
                usage: Usage::default(),
                iterations: 0,
                answer: None,
            };
            return told(end, &parts, &run);
        }
    };
    let performer = performer(&parts, &state, log, run.clone(), stop, events).await;
    let lease = state.store.lease(&state.key);
    let end = drive(&performer, lease, message, parts.limits.turn(), parts.limits.max_duration).await;
    told(end, &parts, &run)
}

pub(super) async fn performer(
    parts: &Arc<AgentParts>,
    state: &ThreadState,
    log: Arc<ThreadLog>,
    run: RunHandle,
    stop: Arc<Stopper>,
    events: Arc<dyn Emit>,
) -> Performer {
    Performer {
        wire: state.wire(parts).await,
        menu: Arc::clone(&parts.menu),
        agent: Arc::clone(parts),
        log,
        run,
        stop,
        events,
        bound: Mutex::default(),
        provider_calls: AtomicU64::new(0),
    }
}

fn told(end: TurnEnd, parts: &AgentParts, run: &RunHandle) -> Result<TurnResult, RunError> {
    let result = TurnResult {
        stop: end.stop,
        usage: end.usage,
        iterations: end.iterations,
        model: parts.model.profile().name.clone(),
        session: run.session().clone(),
        thread: run.thread().clone(),
        run: run.run().clone(),
        text: end.answer.map(|answer| answer.text()).unwrap_or_default(),
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
