//! Queues of due rows. A worker leases a batch; when the lease ends, also after a crash, the rows are due again.
//! A [`RetryPolicy`] limits the attempts of a queue whose rows may fail for good.
//!
//! To schedule a row now, independent of the clock, set its due time to `'epoch'` or `'-infinity'`.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use metrics::Gauge;
use sqlx::postgres::PgRow;
use sqlx::{Encode, FromRow, PgExecutor, Postgres, Type};

use super::backoff::Backoff;
use super::periodic::ticks;
use crate::telemetry::gauge_value;

const GAUGE_INTERVAL: Duration = Duration::from_secs(10);

/// The statements of a queue, written by [`due_queue!`](crate::due_queue).
#[derive(Clone, Copy, Debug)]
pub struct DueQueue {
    /// Its name in logs and metrics.
    pub table: &'static str,
    pub lease: &'static str,
    pub postpone: &'static str,
}

/// The [`DueQueue`] of a table. Within `join` and `only` the table is named `due`, within `returning` it is named `leased`.
///
/// - `key`: the columns that identify a row; `postpone` needs a single one.
/// - `attempts`: a column that counts leases.
/// - `join`: locks further rows together with the due one; rows that another transaction has locked are skipped.
/// - `only`: a further condition for due rows.
#[macro_export]
macro_rules! due_queue {
    (
        table: $table:literal, key: $key:literal, due_at: $due_at:literal
        $(, attempts: $attempts:literal)? $(, join: $join:literal)? $(, only: $only:literal)?
        , returning: $returning:literal $(,)?
    ) => {
        $crate::due_queue::DueQueue {
            table: $table,
            lease: concat!(
                "update ", $table, " as leased set ", $due_at, " = $2", $(", ", $attempts, " = ", $attempts, " + 1",)?
                " where (", $key, ") in (select ", $key, " from ", $table, " as due ", $($join,)?
                " where due.", $due_at, " <= $1", $(" and ", $only,)?
                " order by due.", $due_at, " limit $3 for update skip locked) returning ", $returning
            ),
            postpone: concat!(
                "update ", $table, " set ", $due_at, " = $2 where ", $key, " = $1 and ", $due_at, " > 'epoch'"
            ),
        }
    };
}

/// When a failed row is tried again, and when it is given up.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    pub backoff: Backoff,
    pub give_up_after: GiveUpAfter,
}

#[derive(Clone, Copy, Debug)]
pub enum GiveUpAfter {
    /// The first included.
    Attempts(i32),
    Age(TimeDelta),
}

/// A failed attempt of a leased row.
#[derive(Clone, Debug)]
pub struct FailedAttempt {
    pub id: String,
    /// This one included.
    pub attempts: i32,
    /// Start of the row's age.
    pub created_at: DateTime<Utc>,
    pub error: String,
}

impl DueQueue {
    /// When a failed row is due again, or `None` if it is given up. The caller stores either.
    pub fn next_attempt(
        &self,
        policy: &RetryPolicy,
        failed: &FailedAttempt,
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let is_over = match policy.give_up_after {
            GiveUpAfter::Attempts(most) => failed.attempts >= most,
            GiveUpAfter::Age(most) => now - failed.created_at >= most,
        };
        if is_over {
            self.give_up(failed);
            return None;
        }
        Some(now + policy.backoff.jittered(failed.attempts))
    }

    /// Logs and counts a row that gets no further attempt.
    pub fn give_up(&self, failed: &FailedAttempt) {
        let FailedAttempt {
            id, attempts, error, ..
        } = failed;
        metrics::counter!("due_queue_given_up_total", "queue" => self.table).increment(1);
        tracing::error!(
            queue = self.table,
            id,
            attempts,
            error,
            "row given up; not retried"
        );
    }

    /// Leases at most `limit` rows that are due at `now`, the longest due first, for `lease`.
    pub async fn lease<'c, T>(
        &self,
        executor: impl PgExecutor<'c>,
        now: DateTime<Utc>,
        lease: TimeDelta,
        limit: i64,
    ) -> Result<Vec<T>, sqlx::Error>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        sqlx::query_as(self.lease)
            .bind(now)
            .bind(now + lease)
            .bind(limit)
            .fetch_all(executor)
            .await
    }

    /// Moves a leased row to `until`. A row that was scheduled now meanwhile, or needs no further run, stays as it is.
    pub async fn postpone<'c, K>(
        &self,
        executor: impl PgExecutor<'c>,
        key: K,
        until: DateTime<Utc>,
    ) -> Result<(), sqlx::Error>
    where
        K: for<'q> Encode<'q, Postgres> + Type<Postgres> + Send,
    {
        sqlx::query(self.postpone)
            .bind(key)
            .bind(until)
            .execute(executor)
            .await?;
        Ok(())
    }
}

/// Sets two gauges of a queue every ten seconds: its number of rows, and the age of the oldest in seconds.
pub async fn report_backlog<Read: Future<Output = Result<(i64, i64), sqlx::Error>>>(
    rows: Gauge,
    age_secs: Gauge,
    mut backlog: impl FnMut() -> Read,
) {
    let mut ticks = ticks(GAUGE_INTERVAL);
    loop {
        ticks.tick().await;
        if let Ok((count, oldest_secs)) = backlog().await {
            rows.set(gauge_value(count));
            age_secs.set(gauge_value(oldest_secs));
        }
    }
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    const QUEUE: DueQueue = due_queue! {
        table: "job",
        key: "job_id",
        due_at: "due_at",
        returning: "job_id",
    };
    const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

    fn policy(give_up_after: GiveUpAfter) -> RetryPolicy {
        RetryPolicy {
            backoff: Backoff::new(Duration::from_secs(4), Duration::from_mins(1)),
            give_up_after,
        }
    }

    fn failed(attempts: i32, age: TimeDelta) -> FailedAttempt {
        FailedAttempt {
            id: "job_1".to_owned(),
            attempts,
            created_at: NOW - age,
            error: "no answer".to_owned(),
        }
    }

    #[test]
    fn failed_row_is_due_again_within_its_backoff() {
        let policy = policy(GiveUpAfter::Attempts(3));
        let next = QUEUE.next_attempt(&policy, &failed(2, TimeDelta::days(9)), NOW);
        let wait = next.unwrap() - NOW;
        assert!((4..=8).contains(&wait.num_seconds()), "{wait}");
    }

    #[test]
    fn row_is_given_up_after_its_attempts_or_its_age() {
        let is_given_up = |give_up_after, failed| {
            let next = QUEUE.next_attempt(&policy(give_up_after), &failed, NOW);
            next.is_none()
        };
        let hour = TimeDelta::hours(1);
        assert!(is_given_up(GiveUpAfter::Attempts(3), failed(3, hour)));
        assert!(is_given_up(GiveUpAfter::Age(hour), failed(1, hour)));
        assert!(!is_given_up(GiveUpAfter::Age(hour * 2), failed(99, hour)));
    }

    #[test]
    fn given_up_row_is_counted_by_its_queue() {
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || QUEUE.give_up(&failed(3, TimeDelta::hours(1))));
        let counted = recorder.handle().render();
        assert!(
            counted.contains("due_queue_given_up_total{queue=\"job\"} 1"),
            "{counted}"
        );
    }
}
