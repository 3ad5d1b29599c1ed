//! Whether, and when, a provider is asked again.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use crate::model::{ModelError, ModelErrorKind};

/// The wait after the first failure; it doubles with each one after.
const FIRST: Duration = Duration::from_millis(500);

/// The longest wait that is ours to choose.
const LONGEST: Duration = Duration::from_secs(30);

/// How long to wait after the failure of `attempt`, from 1, before the next; `None`: there is no next one. A provider
/// that says how long is heeded, and not asked again at all where that is more than the turn has `left`.
pub(super) fn wait_after(attempt: u32, retries: u32, error: &ModelError, left: Duration) -> Option<Duration> {
    if attempt > retries || !error.kind().is_transient() {
        return None;
    }
    let wait = error.retry_after().unwrap_or_else(|| backoff(attempt, jitter()));
    (wait < left).then_some(wait)
}

/// Most times the body of an idempotent tool runs again within one call.
const BODY_RETRIES: u32 = 2;

/// How long to wait before an idempotent body that failed runs again, after `failures` of them; `None`: it does not.
pub(super) fn wait_before_body(failures: u32) -> Option<Duration> {
    (failures <= BODY_RETRIES).then(|| backoff(failures, jitter()))
}

/// Whether another model is worth asking after this one has failed for good.
pub(super) fn another_may_answer(kind: ModelErrorKind) -> bool {
    use ModelErrorKind::{Cancelled, Hook, Script, Sealing};
    !matches!(kind, Cancelled | Hook | Script | Sealing)
}

/// Between half and the whole of the doubled wait, by `jitter` from 0 to 1: clients that failed together come back
/// apart.
fn backoff(attempt: u32, jitter: f64) -> Duration {
    let doubled = FIRST.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1))).min(LONGEST);
    doubled.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
}

/// From 0 to 1. Hash keys are random enough to spread waits.
fn jitter() -> f64 {
    let random = u32::try_from(RandomState::new().build_hasher().finish() >> 32).unwrap_or(u32::MAX);
    f64::from(random) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn error(kind: ModelErrorKind) -> ModelError {
        ModelError::new(kind, "no")
    }

    // M5: what is worth another attempt, and what is not.
    #[test]
    fn only_what_may_pass_is_tried_again() {
        use ModelErrorKind::*;
        let wait = |kind| wait_after(1, 4, &error(kind), HOUR).is_some();
        for kind in [Connect, RateLimited, Unavailable, TimedOut, Stream] {
            assert!(wait(kind), "{kind:?}");
        }
        for kind in [Rejected, Unauthorized, Overflow, Sealing, Cancelled, Script, Local, Hook] {
            assert!(!wait(kind), "{kind:?}");
        }
        assert!(wait_after(4, 4, &error(Connect), HOUR).is_some());
        assert!(wait_after(5, 4, &error(Connect), HOUR).is_none());
        assert!(wait_after(1, 0, &error(Connect), HOUR).is_none());
    }

    // R11: exponential, with jitter, bounded.
    #[test]
    fn waits_double_up_to_a_bound() {
        let range = |attempt| (backoff(attempt, 0.0).as_millis(), backoff(attempt, 1.0).as_millis());
        let ranges: Vec<_> = [1, 2, 3, 4, 7, 8, u32::MAX].into_iter().map(range).collect();
        let long = (15_000, 30_000);
        assert_eq!(ranges, [(250, 500), (500, 1000), (1000, 2000), (2000, 4000), long, long, long]);
        assert!((0..100).map(|_| jitter()).all(|jitter| (0.0..=1.0).contains(&jitter)));
    }

    // R11: `Retry-After` is heeded, and a wait longer than the turn is none.
    #[test]
    fn a_provider_that_says_when_is_heeded() {
        let asks = |seconds| error(ModelErrorKind::RateLimited).with_retry_after(Duration::from_secs(seconds));
        assert_eq!(wait_after(1, 4, &asks(90), HOUR), Some(Duration::from_secs(90)));
        assert_eq!(wait_after(1, 4, &asks(3600), HOUR), None);
    }
}
