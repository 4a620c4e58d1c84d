//! Circuit breaker: skips calls of a dependency that does not respond, so that not every request waits for its timeout.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Opens after consecutive failures; while it is open, one caller per pause may try.
#[derive(Debug)]
pub struct Breaker {
    failures_to_open: u32,
    pause: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    failures: u32,
    closed_to_all_until: Option<Instant>,
}

impl Breaker {
    pub const fn new(failures_to_open: u32, pause: Duration) -> Self {
        let state = Mutex::new(State {
            failures: 0,
            closed_to_all_until: None,
        });
        Self {
            failures_to_open,
            pause,
            state,
        }
    }

    /// Whether to call now. A caller that does must report the result.
    pub fn allows(&self) -> bool {
        let mut state = self.lock();
        match state.closed_to_all_until {
            None => true,
            Some(until) if Instant::now() < until => false,
            // The probe: the next caller waits for another pause unless this one reports a success.
            Some(_) => {
                state.closed_to_all_until = Some(Instant::now() + self.pause);
                true
            }
        }
    }

    pub fn succeeded(&self) {
        let mut state = self.lock();
        state.failures = 0;
        state.closed_to_all_until = None;
    }

    pub fn failed(&self) {
        let mut state = self.lock();
        state.failures = state.failures.saturating_add(1);
        if state.failures >= self.failures_to_open {
            state.closed_to_all_until = Some(Instant::now() + self.pause);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(2);

    #[tokio::test(start_paused = true)]
    async fn it_opens_after_failures_in_a_row_and_lets_one_probe_through() {
        let breaker = Breaker::new(2, PAUSE);
        breaker.failed();
        breaker.succeeded();
        breaker.failed();
        assert!(breaker.allows());
        breaker.failed();
        assert!(!breaker.allows());
        tokio::time::advance(PAUSE).await;
        assert!(breaker.allows(), "the probe");
        assert!(!breaker.allows(), "only one");
        breaker.succeeded();
        assert!(breaker.allows());
    }
}
