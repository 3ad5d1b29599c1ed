//! The explicit handle of a run: who it is, when it is, whether it should stop.
//!
//! No global, task-local or thread-local carries a run. Whatever needs one is given this.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio_util::sync::CancellationToken;

use crate::transcript::{RunId, SessionId, ThreadId, Timestamp, TurnId};

/// Where the time comes from, so that a test can say what time it is.
pub trait Clock: Send + Sync {
    /// The present time.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// How long one attempt of a provider call may take at each stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Until there is a connection. The model sees to this one; the runtime to the others.
    pub connect: Duration,
    /// Until the provider first says anything.
    pub first_byte: Duration,
    /// Between two things it says.
    pub idle: Duration,
    /// For the whole attempt.
    pub attempt: Duration,
}

impl Timeouts {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        connect: Duration::from_secs(10),
        first_byte: Duration::from_secs(120),
        idle: Duration::from_secs(60),
        attempt: Duration::from_secs(600),
    };
}

impl Default for Timeouts {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A run's identities, its cancellation, its clock and its time-outs. Cheap to clone.
#[derive(Clone)]
pub struct RunHandle {
    names: Arc<RunNames>,
    cancel: CancellationToken,
    timeouts: Timeouts,
}

/// What a run is called.
#[derive(Debug)]
struct RunNames {
    session: SessionId,
    thread: ThreadId,
    run: RunId,
    turn: TurnId,
    clock: ClockBox,
}

struct ClockBox(Arc<dyn Clock>);

impl fmt::Debug for ClockBox {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Clock")
    }
}

impl RunHandle {
    /// A handle for one turn of a new run.
    #[must_use]
    pub fn new(session: SessionId, thread: ThreadId, clock: Arc<dyn Clock>) -> Self {
        let names = RunNames { session, thread, run: RunId::fresh(), turn: TurnId::fresh(), clock: ClockBox(clock) };
        Self { names: Arc::new(names), cancel: CancellationToken::new(), timeouts: Timeouts::DEFAULT }
    }

    /// The same run with other time-outs.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// How long an attempt of a provider call may take at each stage.
    #[must_use]
    pub fn timeouts(&self) -> Timeouts {
        self.timeouts
    }

    /// The session.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.names.session
    }

    /// The thread.
    #[must_use]
    pub fn thread(&self) -> &ThreadId {
        &self.names.thread
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> &RunId {
        &self.names.run
    }

    /// The turn.
    #[must_use]
    pub fn turn(&self) -> &TurnId {
        &self.names.turn
    }

    /// The present time, by the run's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.names.clock.0.now()
    }

    /// The flag that cancelling the run raises.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancel
    }

    /// The same run, with a flag of its own that the run's cancellation raises too.
    #[must_use]
    pub fn child(&self) -> Self {
        Self { names: Arc::clone(&self.names), cancel: self.cancel.child_token(), timeouts: self.timeouts }
    }
}

impl fmt::Debug for RunHandle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("RunHandle")
            .field("run", &self.names.run)
            .field("turn", &self.names.turn)
            .field("cancelled", &self.cancel.is_cancelled())
            .finish()
    }
}
