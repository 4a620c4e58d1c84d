//! Waits for background work by its progress, not by a time. A test proves an absence after such a wait.

use std::time::Duration;

use chrono::TimeDelta;
use futures::TryStreamExt;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::TestHost;
use crate::bus::STREAM;

/// Longer than any wait of a test on a loaded machine.
const TIMEOUT: Duration = Duration::from_mins(1);
const POLL: Duration = Duration::from_millis(20);

impl TestHost {
    /// Waits until each running task of this name has begun and ended `count` rounds after this call. Names are those of
    /// [`crate::periodic`], [`crate::reconciler`], and `relay` for the relay of an outbox. With several replicas of a task,
    /// each has its rounds.
    ///
    /// # Panics
    /// When that takes more than a minute, or no such task runs.
    pub async fn rounds(&self, task: &str, count: u64) {
        self.within_timeout(task, self.rounds.after(task, count)).await;
    }

    /// Advances the clock and waits until the task of this name, one of [`crate::periodic::every_by_clock`], has run once
    /// after that. `by` is at least its period.
    ///
    /// # Panics
    /// As [`TestHost::rounds`].
    pub async fn advance_past_round(&self, by: TimeDelta, task: &str) {
        self.within_timeout(task, self.rounds.idle(task)).await;
        let round = self.rounds.after(task, 1);
        self.clock().advance(by);
        self.within_timeout(task, round).await;
    }

    /// Waits until the outboxes of these services are empty.
    ///
    /// # Panics
    /// When that takes more than a minute, or a service has no outbox.
    pub async fn published(&self, services: &[&str]) {
        for service in services {
            let waiting = async {
                while self.unpublished(service).await > 0 {
                    tokio::time::sleep(POLL).await;
                }
            };
            let in_time = tokio::time::timeout(TIMEOUT, waiting).await.is_ok();
            let left = self.unpublished(service).await;
            assert!(in_time, "{left} events of {service} are not published");
        }
    }

    /// Waits until the consumers of these names have applied and acknowledged every event that is on the stream. A name stands for
    /// all durables of the consumer ([`crate::consumer::ConsumerSpec::durables`]).
    ///
    /// # Panics
    /// When that takes more than a minute.
    pub async fn consumed(&self, consumers: &[&str]) {
        for consumer in consumers {
            let waiting = async {
                while self.unacknowledged(consumer).await != Some(0) {
                    tokio::time::sleep(POLL).await;
                }
            };
            let in_time = tokio::time::timeout(TIMEOUT, waiting).await.is_ok();
            let left = self.unacknowledged(consumer).await;
            assert!(in_time, "`{consumer}` has not acknowledged all events: {left:?}");
        }
    }

    /// The number of events on the stream that a consumer has not acknowledged; `None` without the consumer.
    async fn unacknowledged(&self, consumer: &str) -> Option<u64> {
        let stream = self.context.bus.jetstream().get_stream(STREAM).await.ok()?;
        let per_subject = format!("{consumer}_");
        let mut found = None;
        let mut durables = stream.consumers();
        while let Some(info) = durables.try_next().await.ok()? {
            if info.name == consumer || info.name.starts_with(&per_subject) {
                let in_flight = u64::try_from(info.num_ack_pending).unwrap_or(u64::MAX);
                found = Some(found.unwrap_or(0) + info.num_pending + in_flight);
            }
        }
        found
    }

    #[expect(
        clippy::expect_used,
        reason = "a test whose database is gone should fail there"
    )]
    async fn unpublished(&self, service: &str) -> i64 {
        let mut connection = PgConnection::connect(self.database_url())
            .await
            .expect("the test's database");
        let count = format!("select count(*) from {service}.outbox where published_at is null");
        sqlx::query_scalar(AssertSqlSafe(count))
            .fetch_one(&mut connection)
            .await
            .expect("an outbox")
    }

    async fn within_timeout(&self, task: &str, waiting: impl Future<Output = ()>) {
        let in_time = tokio::time::timeout(TIMEOUT, waiting).await.is_ok();
        let running = self.rounds.names();
        assert!(in_time, "no further round of `{task}`; running: {running:?}");
    }
}
