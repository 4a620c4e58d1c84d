//! Retries with jitter, for calls that are idempotent and in one layer only: retries of retries multiply.

use std::time::Duration;

use tonic::Code;

use crate::backoff::Backoff;
use crate::deadline;
use crate::error::{Failure, Kind};

/// Number of attempts and waits between them. Retries end with the caller's deadline.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The first one included.
    pub attempts: u32,
    /// With jitter.
    pub backoff: Backoff,
}

impl Policy {
    /// Three attempts within about a third of a second: for calls within a request.
    pub const QUICK: Self = Self {
        attempts: 3,
        backoff: Backoff::new(Duration::from_millis(50), Duration::from_millis(200)),
    };
}

/// Whether a failure is transient.
pub trait Transient {
    fn is_transient(&self) -> bool;
}

impl Transient for tonic::Status {
    fn is_transient(&self) -> bool {
        matches!(self.code(), Code::Unavailable | Code::Aborted)
    }
}

impl Transient for Failure {
    fn is_transient(&self) -> bool {
        self.kind == Kind::Unavailable
    }
}

impl Transient for sqlx::Error {
    fn is_transient(&self) -> bool {
        crate::database::is_outage(self)
    }
}

/// Repeats a call until it succeeds, fails permanently, or attempts or time are exhausted.
pub async fn retry<T, E, F, Fut>(policy: Policy, call: F) -> Result<T, E>
where
    E: Transient,
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, E>>,
{
    retry_when(policy, E::is_transient, call).await
}

/// [`retry`] with a predicate for transient errors.
pub async fn retry_when<T, E, F, Fut>(
    policy: Policy,
    passes: impl Fn(&E) -> bool,
    mut call: F,
) -> Result<T, E>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, E>>,
{
    let mut attempt = 1;
    loop {
        let error = match call().await {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        let wait = policy.backoff.jittered(attempt);
        let too_late = deadline::remaining().is_some_and(|left| left <= wait);
        if attempt >= policy.attempts || too_late || !passes(&error) {
            return Err(error);
        }
        tokio::time::sleep(wait).await;
        attempt += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    async fn attempts_until(policy: Policy, outcome: impl Fn(u32) -> Result<(), Failure>) -> u32 {
        let count = Cell::new(0);
        let _ = retry(policy, || {
            count.set(count.get() + 1);
            let outcome = outcome(count.get());
            async move { outcome }
        })
        .await;
        count.get()
    }

    #[tokio::test(start_paused = true)]
    async fn it_tries_again_only_what_may_pass() {
        assert_eq!(
            attempts_until(Policy::QUICK, |_| Err(Failure::unavailable())).await,
            3
        );
        assert_eq!(
            attempts_until(Policy::QUICK, |_| Err(Failure::internal())).await,
            1
        );
        let second = |attempt| {
            if attempt == 2 {
                Ok(())
            } else {
                Err(Failure::unavailable())
            }
        };
        assert_eq!(attempts_until(Policy::QUICK, second).await, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn it_does_not_wait_beyond_the_deadline() {
        let policy = Policy {
            attempts: 10,
            backoff: Backoff::new(Duration::from_secs(10), Duration::from_secs(10)),
        };
        let work = attempts_until(policy, |_| Err(Failure::unavailable()));
        assert_eq!(deadline::within(Duration::from_secs(1), work).await, Ok(1));
    }
}
