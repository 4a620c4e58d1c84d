//! Periodic tasks until shutdown. Runs never overlap, shutdown waits for the current run, and a failed run is logged and repeated
//! at the next interval. The metric `periodic_rounds_total` counts the runs by task and outcome.

use std::fmt::Display;
use std::time::Duration;

use chrono::TimeDelta;
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::rounds::RoundCounter;
use crate::clock::Clock;

/// In real time; the first run starts at once. `name` is for logs and metrics.
pub async fn every<E: Display, Run: Future<Output = Result<(), E>>>(
    period: Duration,
    name: &str,
    shutdown: &CancellationToken,
    mut run: impl FnMut() -> Run,
) {
    let rounds = RoundCounter::start(name);
    let mut ticks = ticks(period);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        report(name, rounds.count(run()).await);
    }
}

/// As [`every`], by the virtual clock, for intervals of business time.
pub async fn every_by_clock<E: Display, Run: Future<Output = Result<(), E>>>(
    clock: &Clock,
    period: TimeDelta,
    name: &str,
    shutdown: &CancellationToken,
    mut run: impl FnMut() -> Run,
) {
    let rounds = RoundCounter::start(name);
    loop {
        let started = clock.now();
        report(name, rounds.count(run()).await);
        // From the start of the run: a clock that was advanced meanwhile starts the next run at once.
        let rest = clock.sleep(started + period - clock.now());
        if shutdown.run_until_cancelled(rest).await.is_none() {
            return;
        }
    }
}

/// For a loop that waits for other things too. Missed ticks are skipped.
pub fn ticks(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

fn report<E: Display>(name: &str, outcome: Result<(), E>) {
    let label = if outcome.is_ok() { "done" } else { "failed" };
    metrics::counter!("periodic_rounds_total", "task" => name.to_owned(), "outcome" => label).increment(1);
    if let Err(error) = outcome {
        tracing::warn!(task = name, %error, "periodic task failed; retried at the next interval");
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn failed_run_is_repeated_and_shutdown_waits_for_the_current_run() {
        let (shutdown, finished) = (CancellationToken::new(), Cell::new(0));
        every(Duration::from_secs(1), "a-test", &shutdown, || async {
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
    async fn clock_advanced_during_a_run_starts_the_next_at_once() {
        let clock = Clock::manual(chrono::DateTime::UNIX_EPOCH);
        let (shutdown, runs) = (CancellationToken::new(), Cell::new(0));
        let (day, hour) = (TimeDelta::days(1), TimeDelta::hours(1));
        every_by_clock(&clock, hour, "a-test", &shutdown, || {
            runs.set(runs.get() + 1);
            if runs.get() == 3 {
                shutdown.cancel();
            }
            clock.advance(day);
            std::future::ready(Ok::<(), &str>(()))
        })
        .await;
        assert_eq!(runs.get(), 3);
    }
}
