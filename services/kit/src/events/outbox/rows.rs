//! The relay's queries of the outbox table.

use std::time::Duration;

use sqlx::types::Json;

use super::NOTIFY_CHANNEL;
use crate::bus::CloudEvent;
use crate::database::Pool;

/// Rows per batch.
pub(super) const BATCH: i64 = 200;

/// A row that may be published now.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct OutboxRow {
    pub seq: i64,
    pub attempts: i32,
    pub event: Json<CloudEvent>,
}

/// The oldest unpublished row of each key, in order; empty while another relay is the leader. A younger row waits
/// until the older one is published, so each key is published in order.
///
/// The first relay to query becomes the leader for the life of its connection, by a session-level advisory lock: it writes no row,
/// and no row lock is held while the stream is awaited. `attempts >= 0`, which is
/// always true, and `offset 0` make the planner use the index by sequence and the one by key.
pub(super) async fn fetch_due(pool: &Pool) -> Result<Vec<OutboxRow>, sqlx::Error> {
    sqlx::query_as(
        "select seq, attempts, event from outbox head
         where (select pg_try_advisory_lock(hashtextextended($2 || current_schema(), 0)))
           and published_at is null and attempts >= 0
           and claimed_until < clock_timestamp()
           and not exists (
               select from outbox older
               where older.key = head.key and older.published_at is null and older.seq < head.seq
               offset 0)
         order by seq
         limit $1",
    )
    .bind(BATCH)
    .bind(NOTIFY_CHANNEL)
    .fetch_all(pool)
    .await
}

/// Lets another relay become the leader.
pub(super) async fn release_leadership(pool: &Pool) -> Result<(), sqlx::Error> {
    sqlx::query("select pg_advisory_unlock_all()")
        .execute(pool)
        .await?;
    Ok(())
}

pub(super) async fn mark_published(pool: &Pool, seqs: &[i64]) -> Result<(), sqlx::Error> {
    sqlx::query("update outbox set published_at = clock_timestamp(), last_error = null where seq = any($1)")
        .bind(seqs)
        .execute(pool)
        .await?;
    Ok(())
}

/// Delays a refused row. Younger rows of its key wait behind it, to keep their order.
pub(super) async fn postpone(pool: &Pool, seq: i64, wait: Duration, reason: &str) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update outbox
         set attempts = attempts + 1, claimed_until = clock_timestamp() + make_interval(secs => $2), last_error = $3
         where seq = $1",
    )
    .bind(seq)
    .bind(i32::try_from(wait.as_secs()).unwrap_or(i32::MAX))
    .bind(reason)
    .execute(pool)
    .await?;
    Ok(())
}

/// Number of unpublished rows, and the age of the oldest in seconds.
pub(super) async fn backlog(pool: &Pool) -> Result<(i64, i64), sqlx::Error> {
    sqlx::query_as(
        "select count(*), coalesce(extract(epoch from max(clock_timestamp() - created_at)), 0)::bigint
         from outbox where published_at is null",
    )
    .fetch_one(pool)
    .await
}
