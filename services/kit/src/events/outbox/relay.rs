//! Publishes outbox rows: woken by LISTEN/NOTIFY or a timer, in order within each key, at least once.

use std::time::Duration;

use sqlx::postgres::PgListener;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::{NOTIFY_CHANNEL, rows};
use crate::backoff::Backoff;
use crate::bus::{Bus, BusError};
use crate::database::{self, Pool};
use crate::due_queue::report_backlog;
use crate::periodic::ticks;
use crate::retention;
use crate::rounds::RoundCounter;

/// Bounds the delay of a notification lost with its connection.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Wait after a notification, so that one query reads the rows of several commits.
const BATCH_WINDOW: Duration = Duration::from_millis(20);
const OUTAGE_PAUSE: Backoff = Backoff::new(Duration::from_millis(250), Duration::from_secs(4));
const REFUSED_WAIT: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_mins(5));

/// Settings of the connection that reads and marks rows. Its advisory lock makes this relay the leader.
const SETTINGS: [(&str, &str); 6] = [
    // A leader without a query for this long, longer than any batch or pause, loses its lock to another relay.
    ("idle_session_timeout", "8s"),
    // A mark lost in a crash only means that the event is published again under the same id.
    ("synchronous_commit", "off"),
    // Planning this query takes longer than running it, so one generic plan is used, restricted to index scans. A plan made
    // while the outbox is empty would be quadratic for a large backlog.
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    ("enable_bitmapscan", "off"),
    ("enable_sort", "off"),
];

/// One service's relay. With several replicas one is the leader, the others wait for its lock.
#[derive(Debug)]
pub struct Relay {
    name: &'static str,
    pool: Pool,
    /// One connection, with [`SETTINGS`].
    session_pool: Pool,
    bus: Bus,
}

/// Result of one batch, which determines the next pause.
enum BatchOutcome {
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

    /// Shutdown waits for the current batch: events published and not marked would be published again.
    async fn relay_until(&self, shutdown: &CancellationToken) {
        let mut notifier = Notifier::new(self.pool.clone());
        let rounds = RoundCounter::start("relay");
        let mut outages = 0;
        while !shutdown.is_cancelled() {
            match rounds.count(self.next_batch()).await {
                BatchOutcome::More => outages = 0,
                BatchOutcome::Idle => {
                    outages = 0;
                    shutdown.run_until_cancelled(notifier.wait(POLL_INTERVAL)).await;
                }
                BatchOutcome::Outage => {
                    // The stream may answer another relay.
                    if let Err(error) = rows::release_leadership(&self.session_pool).await {
                        tracing::debug!(%error, relay = self.name, "leadership not released; it ends with the connection");
                    }
                    outages += 1;
                    let pause = tokio::time::sleep(OUTAGE_PAUSE.after(outages));
                    shutdown.run_until_cancelled(pause).await;
                }
            }
        }
    }

    async fn next_batch(&self) -> BatchOutcome {
        if !self.bus.is_connected() {
            return BatchOutcome::Outage;
        }
        match self.publish_batch().await {
            Ok(outcome) => outcome,
            Err(error) => {
                tracing::warn!(%error, relay = self.name, "outbox not readable; retrying");
                BatchOutcome::Outage
            }
        }
    }

    async fn publish_batch(&self) -> Result<BatchOutcome, sqlx::Error> {
        let waiting = rows::fetch_due(&self.session_pool).await?;
        if waiting.is_empty() {
            return Ok(BatchOutcome::Idle);
        }
        let events: Vec<_> = waiting.iter().map(|row| &row.event.0).collect();
        let outcomes = self.bus.publish_all(&events).await;

        let (mut published, mut refused, mut unknown) = (Vec::new(), Vec::new(), 0);
        for (row, outcome) in waiting.iter().zip(outcomes) {
            match outcome {
                Ok(()) => published.push(row.seq),
                Err(BusError::Refused(reason)) => refused.push((row, reason)),
                // Outcome unknown: the row stays and is published again under the same id.
                Err(BusError::Unavailable | BusError::NoAnswer) => unknown += 1,
            }
        }
        rows::mark_published(&self.session_pool, &published).await?;
        self.count("outbox_published_total", published.len());
        for (row, reason) in refused {
            self.postpone(row, &reason).await?;
        }
        if unknown == 0 {
            // Younger rows of the same keys may be due now.
            return Ok(BatchOutcome::More);
        }
        tracing::warn!(
            rows = unknown,
            relay = self.name,
            "no acknowledgement from the stream; the rows are published again"
        );
        self.count("outbox_unanswered_total", unknown);
        Ok(BatchOutcome::Outage)
    }

    fn count(&self, metric: &'static str, rows: usize) {
        metrics::counter!(metric, "service" => self.name).increment(u64::try_from(rows).unwrap_or(u64::MAX));
    }

    async fn postpone(&self, row: &rows::OutboxRow, reason: &str) -> Result<(), sqlx::Error> {
        let wait = REFUSED_WAIT.after(row.attempts + 1);
        tracing::error!(
            relay = self.name,
            event = row.event.id,
            reason,
            wait_secs = wait.as_secs(),
            "stream rejected an event; later events of its key wait"
        );
        self.count("outbox_refused_total", 1);
        rows::postpone(&self.pool, row.seq, wait, reason).await
    }

    async fn report_backlog(&self) {
        let rows = metrics::gauge!("outbox_backlog_rows", "service" => self.name);
        let age_secs = metrics::gauge!("outbox_backlog_age_secs", "service" => self.name);
        report_backlog(rows, age_secs, || rows::backlog(&self.pool)).await;
    }

    async fn purge_periodically(&self) {
        let mut ticks = ticks(retention::PURGE_INTERVAL);
        loop {
            ticks.tick().await;
            if let Err(error) = retention::purge(&self.pool).await {
                tracing::warn!(%error, relay = self.name, "old rows not purged; retried at the next interval");
            }
        }
    }
}

/// Listens for the notification of `append`. Without a connection only the timer is left.
struct Notifier {
    pool: Pool,
    listener: Option<PgListener>,
}

impl Notifier {
    fn new(pool: Pool) -> Self {
        Self { pool, listener: None }
    }

    async fn wait(&mut self, timeout: Duration) {
        let until = Instant::now() + timeout;
        if self.listener.is_none() {
            self.listener = listen(&self.pool).await.ok();
        }
        let Some(listener) = self.listener.as_mut() else {
            return sleep_until(until).await;
        };
        tokio::select! {
            () = sleep_until(until) => {}
            notified = listener.try_recv() => if notified.is_ok() {
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
