//! Waits between attempts.

use std::time::Duration;

/// Doubles from `first` up to `max`.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    pub first: Duration,
    pub max: Duration,
}

impl Backoff {
    pub const fn new(first: Duration, max: Duration) -> Self {
        Self { first, max }
    }

    /// The wait after attempt number `attempt`; the first attempt is 1.
    pub fn after(&self, attempt: impl Into<i64>) -> Duration {
        let doublings = u32::try_from((attempt.into() - 1).clamp(0, 31)).unwrap_or_default();
        self.first.saturating_mul(2_u32.pow(doublings)).min(self.max)
    }

    /// [`Self::after`] shortened at random by up to a half, so that attempts which failed together do not return together.
    pub fn jittered(&self, attempt: impl Into<i64>) -> Duration {
        let longest = u64::try_from(self.after(attempt).as_millis()).unwrap_or(u64::MAX);
        Duration::from_millis(rand::random_range(longest / 2..=longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff = Backoff::new(Duration::from_secs(5), Duration::from_mins(5));

    #[test]
    fn waits_double_up_to_their_maximum() {
        let waits = [1, 2, 3, 7, 1000, i32::MAX, 0, -1].map(|attempt| BACKOFF.after(attempt).as_secs());
        assert_eq!(waits, [5, 10, 20, 300, 300, 300, 5, 5]);
    }

    #[test]
    fn jitter_shortens_a_wait_by_at_most_a_half() {
        for _ in 0..100 {
            let wait = BACKOFF.jittered(2).as_secs_f64();
            assert!((5.0..=10.0).contains(&wait), "{wait}");
        }
    }
}
