//! Queues of due rows. A worker leases a batch; when the lease ends, also after a crash, the rows are due again.
//!
//! To schedule a row now, independent of the clock, set its due time to `'epoch'` or `'-infinity'`.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use metrics::Gauge;
use sqlx::postgres::PgRow;
use sqlx::{Encode, FromRow, PgExecutor, Postgres, Type};

use super::periodic::ticks;
use crate::telemetry::gauge_value;

const GAUGE_INTERVAL: Duration = Duration::from_secs(10);

/// The statements of a queue, written by [`due_queue!`](crate::due_queue).
#[derive(Clone, Copy, Debug)]
pub struct DueQueue {
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

impl DueQueue {
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
