//! When things end by themselves.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::Contract;
use crate::handle::Timeouts;
use crate::turn::TurnLimits;

/// When things end by themselves. Every limit has a default; none can be turned off.
#[derive(Clone, Debug, PartialEq, Eq, Contract)]
pub struct Limits {
    /// Most iterations of a turn.
    #[arg(default = Limits::DEFAULT.max_iterations)]
    pub max_iterations: NonZeroU32,
    /// Longest time a turn may take.
    #[arg(default = Limits::DEFAULT.max_duration)]
    pub max_duration: Duration,
    /// Most iterations in a row in which every call failed.
    #[arg(default = Limits::DEFAULT.tool_errors)]
    pub tool_errors: NonZeroU32,
    /// Most calls of one batch that run at once.
    #[arg(default = Limits::DEFAULT.max_parallel_tools)]
    pub max_parallel_tools: NonZeroU32,
    /// Longest time one call may take, where its tool says nothing.
    #[arg(default = Limits::DEFAULT.tool_timeout)]
    pub tool_timeout: Duration,
    /// Most times a provider is asked again after a failure that may pass.
    #[arg(default = Limits::DEFAULT.retries)]
    pub retries: u32,
    /// Longest time until there is a connection to a provider.
    #[arg(default = Limits::DEFAULT.connect_timeout)]
    pub connect_timeout: Duration,
    /// Longest time until a provider first says anything.
    #[arg(default = Limits::DEFAULT.first_byte_timeout)]
    pub first_byte_timeout: Duration,
    /// Longest time between two things a provider says.
    #[arg(default = Limits::DEFAULT.idle_timeout)]
    pub idle_timeout: Duration,
    /// Longest time one attempt of a provider call may take.
    #[arg(default = Limits::DEFAULT.attempt_timeout)]
    pub attempt_timeout: Duration,
    /// Most events that wait for a slow reader.
    #[arg(default = Limits::DEFAULT.event_buffer)]
    pub event_buffer: NonZeroU32,
    /// Most bytes of one call's arguments.
    #[arg(default = Limits::DEFAULT.argument_bytes)]
    pub argument_bytes: NonZeroU32,
    /// Deepest nesting of one call's arguments.
    #[arg(default = Limits::DEFAULT.argument_depth, max = 64)]
    pub argument_depth: NonZeroU32,
}

/// A number that is plainly not zero.
const fn nonzero(value: u32) -> NonZeroU32 {
    match NonZeroU32::new(value) {
        Some(value) => value,
        None => NonZeroU32::MIN,
    }
}

impl Limits {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        max_iterations: nonzero(50),
        max_duration: Duration::from_secs(30 * 60),
        tool_errors: nonzero(5),
        max_parallel_tools: nonzero(8),
        tool_timeout: Duration::from_secs(60),
        retries: 4,
        connect_timeout: Timeouts::DEFAULT.connect,
        first_byte_timeout: Timeouts::DEFAULT.first_byte,
        idle_timeout: Timeouts::DEFAULT.idle,
        attempt_timeout: Timeouts::DEFAULT.attempt,
        event_buffer: nonzero(4096),
        argument_bytes: nonzero(1 << 20),
        argument_depth: nonzero(64),
    };

    /// The names of times that are zero.
    pub(crate) fn zero(&self) -> impl Iterator<Item = &'static str> {
        let times = [
            ("max_duration", self.max_duration),
            ("tool_timeout", self.tool_timeout),
            ("connect_timeout", self.connect_timeout),
            ("first_byte_timeout", self.first_byte_timeout),
            ("idle_timeout", self.idle_timeout),
            ("attempt_timeout", self.attempt_timeout),
        ];
        times.into_iter().filter(|(_, time)| time.is_zero()).map(|(name, _)| name)
    }

    pub(crate) fn turn(&self) -> TurnLimits {
        TurnLimits { max_iterations: self.max_iterations.get(), tool_errors: self.tool_errors.get() }
    }

    pub(crate) fn timeouts(&self) -> Timeouts {
        Timeouts {
            connect: self.connect_timeout,
            first_byte: self.first_byte_timeout,
            idle: self.idle_timeout,
            attempt: self.attempt_timeout,
        }
    }

    pub(crate) fn binding(&self) -> outrigger_contract::Limits {
        let text = usize::try_from(self.argument_bytes.get()).unwrap_or(usize::MAX);
        outrigger_contract::Limits { text, depth: self.argument_depth.get() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
