//! Stopping a run: one flag for everything that works for it, and one reason.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::transcript::StopReason;

/// How long a body may go on after its flag was raised, to clean up, before it is dropped.
pub(crate) const GRACE: Duration = Duration::from_millis(250);

/// The flag and the reason.
pub(crate) struct Stopper {
    token: CancellationToken,
    out_of_time: AtomicBool,
    deadline: OnceLock<Instant>,
}

impl Stopper {
    pub(crate) fn new(token: CancellationToken) -> Self {
        Self { token, out_of_time: AtomicBool::new(false), deadline: OnceLock::new() }
    }

    /// The run will be out of time at `deadline`.
    pub(crate) fn ends_at(&self, deadline: Instant) {
        // A run has one turn, and a turn one deadline.
        self.deadline.get_or_init(|| deadline);
    }

    /// How much time the run has left.
    pub(crate) fn time_left(&self) -> Duration {
        self.deadline.get().map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The run's time is up.
    pub(crate) fn time_is_up(&self) {
        // Whoever cancelled first gave the reason.
        if !self.token.is_cancelled() {
            self.out_of_time.store(true, Ordering::SeqCst);
            self.token.cancel();
        }
    }

    /// Why the run should stop, if it should.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        self.token.is_cancelled().then(|| {
            if self.out_of_time.load(Ordering::SeqCst) { StopReason::MaxDuration } else { StopReason::Cancelled }
        })
    }

    /// Waits for the stop, and tells why.
    pub(crate) async fn stopped(&self) -> StopReason {
        self.token.cancelled().await;
        self.reason().unwrap_or(StopReason::Cancelled)
    }
}
