//! What a stretch of work costs this process.

use std::alloc::System;
use std::time::Duration;

use rustix::time::{ClockId, Timespec, clock_gettime};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What something cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// User and system time of this process, in nanoseconds.
    pub(crate) cpu: f64,
    /// How often memory was asked for, growing included.
    pub(crate) allocations: f64,
}

/// Measures from its making on.
pub(crate) struct Meter {
    region: Region<'static, System>,
    cpu: Duration,
}

impl Meter {
    pub(crate) fn start() -> Self {
        Self { region: Region::new(ALLOCATOR), cpu: cpu() }
    }

    /// The cost since the start, for each of so many units.
    pub(crate) fn each(self, units: usize) -> Cost {
        let cpu = cpu().saturating_sub(self.cpu);
        let stats = self.region.change();
        let each = |total: f64| total / units as f64;
        Cost { cpu: each(cpu.as_nanos() as f64), allocations: each((stats.allocations + stats.reallocations) as f64) }
    }
}

fn cpu() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(tv_sec.try_into().unwrap_or(0), tv_nsec.try_into().unwrap_or(0))
}
