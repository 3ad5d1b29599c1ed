//! One attempt: a sealed request on the wire, its answer put together, its time-outs watched.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::time::{Instant, sleep_until};

use super::model_call::Call;
use super::models::RunModel;
use super::performer::Performer;
use crate::event::EventKind;
use crate::handle::Timeouts;
use crate::middleware::{AttemptCx, AttemptEnd, ModelFuture};
use crate::model::{Assembler, ModelError, ModelErrorKind, Part, SealedRequest};
use crate::transcript::{CallId, ModelResponse, Text};

/// One attempt of a provider call: what wrappers around attempts end in.
pub(super) struct Attempt<'a> {
    pub(super) call: &'a Call<'a>,
    pub(super) model: &'a RunModel,
    /// What the deltas of this attempt belong to.
    pub(super) span: Option<Text>,
}

impl AttemptEnd for Attempt<'_> {
    fn call<'a>(&'a self, _: &'a AttemptCx<'a>, request: &'a Arc<SealedRequest>) -> ModelFuture<'a> {
        Box::pin(self.listen(request))
    }
}

impl Attempt<'_> {
    async fn listen(&self, request: &Arc<SealedRequest>) -> Result<ModelResponse, ModelError> {
        let performer = self.call.performer;
        let model = &self.model.model;
        let mut assembler = Assembler::new(model.profile().name.clone());
        let mut watch = Watch::start(performer.run.timeouts());
        let mut timer = pin!(sleep_until(watch.next_ring()));
        let mut stopped = pin!(performer.stop.stopped());
        let mut parts = model.stream(Arc::clone(request), performer.run.child());
        loop {
            let part = tokio::select! {
                biased;
                _ = &mut stopped => return Err(self.call.keep_partial(assembler)),
                part = parts.next() => part,
                () = &mut timer => match watch.time_out() {
                    Some(error) => return Err(error),
                    None => {
                        timer.as_mut().reset(watch.next_ring());
                        continue;
                    }
                },
            };
            if watch.heard() {
                timer.as_mut().reset(watch.next_ring());
            }
            match part {
                Some(Ok(part)) => {
                    let id = |given: Option<&CallId>, index| self.call_id(given, index);
                    assembler.push(&part, id)?;
                    self.emit_part(performer, &mut assembler, part);
                }
                // A model that watches the run's flag may report the stop before it is seen here.
                Some(Err(error)) if performer.stop.reason().is_some() => {
                    drop(error);
                    return Err(self.call.keep_partial(assembler));
                }
                Some(Err(error)) => return Err(error),
                None if assembler.is_finished() => return Ok(assembler.finish()),
                None => return Err(cut_off()),
            }
        }
    }

    /// The provider's id, unless there is none or the thread has it already: some servers count anew in each answer.
    /// What is made up is stable: the place in the thread, and the place in the answer.
    fn call_id(&self, given: Option<&CallId>, index: usize) -> CallId {
        let known = |id: &CallId| self.model.wire.try_lock().is_ok_and(|wire| wire.has_call(id));
        if let Some(id) = given.filter(|id| !id.as_str().is_empty() && !known(id)) {
            return id.clone();
        }
        let place = self.call.performer.log.view().messages().len();
        let mut name = format!("call_{place}_{}", index.saturating_add(1));
        while known(&name.as_str().into()) {
            name.push('_');
        }
        name.as_str().into()
    }

    fn emit_part(&self, performer: &Performer, assembler: &mut Assembler, part: Part) {
        if !performer.events.wanted() {
            return;
        }
        let of_attempt = || self.span.clone();
        let (kind, span) = match part {
            Part::Text(text) => (EventKind::TextDelta { text, quoted: false }, of_attempt()),
            Part::Quoted(text) => (EventKind::TextDelta { text, quoted: true }, of_attempt()),
            Part::Reasoning(text) => (EventKind::ReasoningDelta { text }, of_attempt()),
            Part::CallStarted { index, name, .. } => match assembler.call_id(index) {
                Some(call) => (EventKind::ToolCallStarted { call: call.clone(), name }, Some(call.as_str().into())),
                None => return,
            },
            Part::CallArguments { index, delta } => match assembler.call_id(index) {
                Some(call) => (EventKind::ToolCallArguments { call: call.clone(), delta }, Some(call.as_str().into())),
                None => return,
            },
            Part::Opaque(_) | Part::Usage(_) | Part::Finish(_) | Part::Alive => return,
        };
        performer.events.emit(kind, span);
    }
}

/// Watches an attempt's time-outs. Hearing more costs a look at the clock: the timer is moved only when it
/// rings.
struct Watch {
    timeouts: Timeouts,
    started: Instant,
    last: Option<Instant>,
}

/// As far away as a timer need be.
const NEVER: Duration = Duration::from_secs(86_400 * 365);

impl Watch {
    fn start(timeouts: Timeouts) -> Self {
        Self { timeouts, started: Instant::now(), last: None }
    }

    /// Something was said. Tells whether it was the first thing: from then on another time-out counts, which may be
    /// met before the timer rings.
    fn heard(&mut self) -> bool {
        self.last.replace(Instant::now()).is_none()
    }

    /// When the first of the time-outs is met, if nothing more is heard.
    fn next_ring(&self) -> Instant {
        self.quiet_until().min(self.whole_until())
    }

    /// The time-out that is met by now.
    fn time_out(&self) -> Option<ModelError> {
        let now = Instant::now();
        if now >= self.whole_until() {
            return Some(timed_out("was not done with its answer", self.timeouts.attempt, "attempt_timeout"));
        }
        (now >= self.quiet_until()).then(|| match self.last {
            Some(_) => timed_out("fell silent in the middle of its answer", self.timeouts.idle, "idle_timeout"),
            None => timed_out("did not answer", self.timeouts.first_byte, "first_byte_timeout"),
        })
    }

    fn quiet_until(&self) -> Instant {
        match self.last {
            Some(last) => after(last, self.timeouts.idle),
            None => after(self.started, self.timeouts.first_byte),
        }
    }

    fn whole_until(&self) -> Instant {
        after(self.started, self.timeouts.attempt)
    }
}

fn after(start: Instant, time: Duration) -> Instant {
    start.checked_add(time.min(NEVER)).unwrap_or(start)
}

fn timed_out(what: &str, after: Duration, limit: &str) -> ModelError {
    ModelError::new(ModelErrorKind::TimedOut, format!("the model {what} within {after:?} ({limit})"))
}

fn cut_off() -> ModelError {
    let message = "the model's stream ended in the middle of its answer: it did not say that, or why, it stopped";
    ModelError::new(ModelErrorKind::Stream, message)
}
