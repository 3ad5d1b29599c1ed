//! The time-outs of an attempt.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

use crate::handle::Timeouts;
use crate::model::{ModelError, ModelErrorKind};

/// As far away as a timer need be.
const NEVER: Duration = Duration::from_secs(86_400 * 365);

/// A timer that one attempt leaves to the next. To arm one, or to move one nearer, wakes the reactor, which is a system
/// call or two: a timer that rings too early once in a while costs less than one for each attempt.
#[derive(Default)]
pub(crate) struct SharedTimer(Mutex<Option<Pin<Box<Sleep>>>>);

impl SharedTimer {
    /// A timer that rings at `at`, or before it.
    fn take(&self, at: Instant) -> Pin<Box<Sleep>> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(mut timer) => {
                if timer.is_elapsed() || at < timer.deadline() {
                    timer.as_mut().reset(at);
                }
                timer
            }
            None => Box::pin(sleep_until(at)),
        }
    }

    fn give_back(&self, timer: Pin<Box<Sleep>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(timer);
    }
}

/// Watches an attempt's time-outs. Hearing more costs a look at the clock: the timer is moved only when it rings.
pub(super) struct Watch<'a> {
    timeouts: Timeouts,
    started: Instant,
    last: Option<Instant>,
    /// Always there, but for the moment this is dropped.
    timer: Option<Pin<Box<Sleep>>>,
    shared: &'a SharedTimer,
}

impl<'a> Watch<'a> {
    pub(super) fn start(timeouts: Timeouts, shared: &'a SharedTimer) -> Self {
        let started = Instant::now();
        // Whichever of the two counts, it is not missed.
        let quiet = timeouts.first_byte.min(timeouts.idle);
        let timer = shared.take(after(started, quiet.min(timeouts.attempt)));
        Self { timeouts, started, last: None, timer: Some(timer), shared }
    }

    /// Something was said.
    pub(super) fn heard(&mut self) {
        self.last = Some(Instant::now());
    }

    /// Waits for the first of the time-outs that is met.
    pub(super) async fn time_out(&mut self) -> ModelError {
        loop {
            if let Some(timer) = &mut self.timer {
                timer.as_mut().await;
            }
            if let Some(error) = self.met() {
                return error;
            }
            let next = self.quiet_until().min(self.whole_until());
            if let Some(timer) = &mut self.timer {
                timer.as_mut().reset(next);
            }
        }
    }

    /// The time-out that is met by now.
    fn met(&self) -> Option<ModelError> {
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

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if let Some(timer) = self.timer.take() {
            self.shared.give_back(timer);
        }
    }
}

fn after(start: Instant, time: Duration) -> Instant {
    start.checked_add(time.min(NEVER)).unwrap_or(start)
}

fn timed_out(what: &str, after: Duration, limit: &str) -> ModelError {
    ModelError::new(ModelErrorKind::TimedOut, format!("the model {what} within {after:?} ({limit})"))
}
