//! Work that is done again and again until shutdown. A round that was begun is finished, the next never begins beside it, and
//! one that failed is only logged: there is always another.

use std::fmt::Display;
use std::time::Duration;

use chrono::TimeDelta;
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;

/// In real time, the first at once.
pub async fn every<E: Display, Round: Future<Output = Result<(), E>>>(
    period: Duration,
    what: &str,
    shutdown: &CancellationToken,
    mut round: impl FnMut() -> Round,
) {
    let mut ticks = ticks(period);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        warn(what, round().await);
    }
}

/// As `every`, in the time of the house: for what is measured in it.
pub async fn every_by_clock<E: Display, Round: Future<Output = Result<(), E>>>(
    (clock, period): (&Clock, TimeDelta),
    what: &str,
    shutdown: &CancellationToken,
    mut round: impl FnMut() -> Round,
) {
    loop {
        let began = clock.now();
        warn(what, round().await);
        // Counted from before the round: a clock that was moved meanwhile must not be slept through.
        let rest = clock.sleep(began + period - clock.now());
        if shutdown.run_until_cancelled(rest).await.is_none() {
            return;
        }
    }
}

/// For a loop that waits for other things too. Ticks that were missed are not made up for.
pub fn ticks(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

fn warn<E: Display>(what: &str, outcome: Result<(), E>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, "{what} failed; trying again");
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_failed_round_is_followed_by_another_and_one_that_was_begun_is_finished() {
        let (shutdown, finished) = (CancellationToken::new(), Cell::new(0));
        every(Duration::from_secs(1), "a test", &shutdown, || async {
            if finished.get() == 2 {
                shutdown.cancel();
            }
            tokio::time::sleep(Duration::from_secs(5)).await;
            finished.set(finished.get() + 1);
            Err("no")
        })
        .await;
        assert_eq!(finished.get(), 3);
    }

    #[tokio::test]
    async fn a_clock_moved_during_a_round_is_not_slept_through() {
        let clock = Clock::manual(chrono::DateTime::UNIX_EPOCH);
        let (shutdown, begun) = (CancellationToken::new(), Cell::new(0));
        let (day, when) = (TimeDelta::days(1), (&clock, TimeDelta::hours(1)));
        every_by_clock(when, "a test", &shutdown, || {
            begun.set(begun.get() + 1);
            if begun.get() == 3 {
                shutdown.cancel();
            }
            clock.advance(day);
            std::future::ready(Ok::<(), &str>(()))
        })
        .await;
        assert_eq!(begun.get(), 3);
    }
}
