//! Polling a provider: the state of an order's polls, and the intervals between them.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kit::backoff::Backoff;

const BACKOFF: Backoff = Backoff::new(Duration::from_secs(2), Duration::from_secs(1024));

/// How long a payment may stay in flight before the reconciler resolves it. Too short is harmless: two workers
/// use the same keys and settle one after the other.
#[derive(Debug, Clone, Copy)]
pub struct InFlightTimeout(pub TimeDelta);

/// When the reconciler polls the provider about an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PollState {
    /// `None`: no answer is expected.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Polls since the last change.
    pub poll_count: i32,
}

impl PollState {
    pub fn at(next_check_at: DateTime<Utc>) -> Self {
        Self {
            next_check_at: Some(next_check_at),
            poll_count: 0,
        }
    }
}

/// 2 s, 4 s, 8 s … up to 17 minutes.
pub fn backoff(checks: i32) -> Duration {
    BACKOFF.after(checks.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_become_rarer_and_never_stop() {
        assert_eq!(
            [-1, 0, 3, i32::MAX].map(|checks| backoff(checks).as_secs()),
            [2, 2, 16, 1024]
        );
    }
}
