//! Publishes what the outbox holds: woken by a notification or a timer, in order within each key, at least once.

use std::time::Duration;

use sqlx::postgres::PgListener;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::{NOTIFY_CHANNEL, rows};
use crate::bus::{Bus, BusError};
use crate::database::{self, Pool};
use crate::periodic::ticks;
use crate::retention;

/// A notification can be missed (a lost connection); the timer bounds what that costs.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Where one commit rings, more are on their way: one look serves them all.
const BATCH_WINDOW: Duration = Duration::from_millis(20);
const MIN_PAUSE: Duration = Duration::from_millis(250);
const MAX_PAUSE: Duration = Duration::from_secs(4);
const GAUGE_INTERVAL: Duration = Duration::from_secs(10);
const MAX_REFUSED_WAIT: Duration = Duration::from_mins(5);

/// Of the connection on which rows are read and marked, and which is this relay's right to do so.
const SETTINGS: [(&str, &str); 6] = [
    // A relay that is not heard of for so long, longer than any round or pause, leaves the work to another.
    ("idle_session_timeout", "8s"),
    // A identifier that is lost with the last half second before a crash has its events published again, under the same ids.
    ("synchronous_commit", "off"),
    // To plan a look takes longer than to take it. One plan serves them all, because the rest leaves it hardly a choice: left to
    // itself the planner takes one while nothing waits that goes over all that waits for each row of a flood.
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    ("enable_bitmapscan", "off"),
    ("enable_sort", "off"),
];

/// One service's relay. Any number of them may run at once: one works, the others stand by.
#[derive(Debug)]
pub struct Relay {
    name: &'static str,
    pool: Pool,
    /// One connection, with [`SETTINGS`].
    session_pool: Pool,
    bus: Bus,
}

/// How a round went, which decides what happens next.
enum Round {
    /// A full batch: there may be more.
    More,
    Idle,
    /// The stream or the database does not answer.
    Outage,
}

impl Relay {
    pub fn new(name: &'static str, pool: Pool, bus: Bus) -> Self {
        let session_pool = database::dedicated_connection(&pool, &SETTINGS);
        Self {
            name,
            pool,
            session_pool,
            bus,
        }
    }

    pub async fn run(self, shutdown: CancellationToken) {
        tokio::select! {
            () = self.relay_until(&shutdown) => {}
            () = self.report_backlog() => {}
            () = self.purge_periodically() => {}
        }
    }

    /// A round that was begun is finished: events published and not marked would be published again.
    async fn relay_until(&self, shutdown: &CancellationToken) {
        let mut notifier = Notifier::new(self.pool.clone());
        let mut pause = MIN_PAUSE;
        while !shutdown.is_cancelled() {
            match self.round().await {
                Round::More => pause = MIN_PAUSE,
                Round::Idle => {
                    pause = MIN_PAUSE;
                    shutdown.run_until_cancelled(notifier.wait(POLL_INTERVAL)).await;
                }
                Round::Outage => {
                    // The stream may answer another relay.
                    if let Err(error) = rows::release_leadership(&self.session_pool).await {
                        tracing::debug!(%error, relay = self.name, "standing aside with the connection");
                    }
                    shutdown.run_until_cancelled(tokio::time::sleep(pause)).await;
                    pause = (pause * 2).min(MAX_PAUSE);
                }
            }
        }
    }

    async fn round(&self) -> Round {
        if !self.bus.is_connected() {
            return Round::Outage;
        }
        match self.publish_batch().await {
            Ok(round) => round,
            Err(error) => {
                tracing::warn!(%error, relay = self.name, "the outbox cannot be read; trying again");
                Round::Outage
            }
        }
    }

    async fn publish_batch(&self) -> Result<Round, sqlx::Error> {
        let waiting = rows::fetch_due(&self.session_pool).await?;
        if waiting.is_empty() {
            return Ok(Round::Idle);
        }
        let events: Vec<_> = waiting.iter().map(|row| &row.event.0).collect();
        let outcomes = self.bus.publish_all(&events).await;

        let (mut published, mut refused, mut unknown) = (Vec::new(), Vec::new(), 0);
        for (row, outcome) in waiting.iter().zip(outcomes) {
            match outcome {
                Ok(()) => published.push(row.seq),
                Err(BusError::Refused(reason)) => refused.push((row, reason)),
                // No answer is no answer: the row stays, and is published again under the same id.
                Err(BusError::Unavailable | BusError::NoAnswer) => unknown += 1,
            }
        }
        rows::mark_published(&self.session_pool, &published).await?;
        self.count("outbox_published_total", published.len());
        for (row, reason) in refused {
            self.postpone(row, &reason).await?;
        }
        if unknown == 0 {
            // Even a small batch may have uncovered younger rows of the same keys.
            return Ok(Round::More);
        }
        tracing::warn!(
            rows = unknown,
            relay = self.name,
            "the stream gave no answer; keeping the rows"
        );
        self.count("outbox_unanswered_total", unknown);
        Ok(Round::Outage)
    }

    fn count(&self, metric: &'static str, rows: usize) {
        metrics::counter!(metric, "service" => self.name).increment(u64::try_from(rows).unwrap_or(u64::MAX));
    }

    async fn postpone(&self, row: &rows::OutboxRow, reason: &str) -> Result<(), sqlx::Error> {
        let doublings = u32::try_from(row.attempts).unwrap_or(0).min(16);
        let wait = Duration::from_secs(2_u64.pow(doublings)).min(MAX_REFUSED_WAIT);
        tracing::error!(
            relay = self.name,
            event = row.event.id,
            reason,
            wait_secs = wait.as_secs(),
            "the stream refused an event; its key waits"
        );
        self.count("outbox_refused_total", 1);
        rows::postpone(&self.pool, row.seq, wait, reason).await
    }

    async fn report_backlog(&self) {
        let mut ticks = ticks(GAUGE_INTERVAL);
        loop {
            ticks.tick().await;
            let Ok((rows, age_secs)) = rows::backlog(&self.pool).await else {
                continue;
            };
            metrics::gauge!("outbox_backlog_rows", "service" => self.name).set(to_gauge(rows));
            metrics::gauge!("outbox_backlog_age_secs", "service" => self.name).set(to_gauge(age_secs));
        }
    }

    async fn purge_periodically(&self) {
        let mut ticks = ticks(retention::PURGE_INTERVAL);
        loop {
            ticks.tick().await;
            if let Err(error) = retention::purge(&self.pool).await {
                tracing::warn!(%error, relay = self.name, "old rows could not be thrown away");
            }
        }
    }
}

/// Gauges are floats by definition of the exposition format; a count beyond `u32` has long been an alarm.
fn to_gauge(value: i64) -> f64 {
    f64::from(u32::try_from(value.max(0)).unwrap_or(u32::MAX))
}

/// Listens for `append`'s notification. Without a listening connection it degrades to the timer.
struct Notifier {
    pool: Pool,
    listener: Option<PgListener>,
}

impl Notifier {
    fn new(pool: Pool) -> Self {
        Self { pool, listener: None }
    }

    async fn wait(&mut self, at_most: Duration) {
        let until = Instant::now() + at_most;
        if self.listener.is_none() {
            self.listener = listen(&self.pool).await.ok();
        }
        let Some(listener) = self.listener.as_mut() else {
            return sleep_until(until).await;
        };
        tokio::select! {
            () = sleep_until(until) => {}
            rung = listener.try_recv() => if rung.is_ok() {
                tokio::time::sleep(BATCH_WINDOW).await;
                while listener.next_buffered().is_some() {}
            } else {
                self.listener = None;
                sleep_until(until).await;
            }
        }
    }
}

async fn listen(pool: &Pool) -> Result<PgListener, sqlx::Error> {
    let schema: String = sqlx::query_scalar("select current_schema()::text")
        .fetch_one(pool)
        .await?;
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(&format!("{NOTIFY_CHANNEL}{schema}")).await?;
    Ok(listener)
}
