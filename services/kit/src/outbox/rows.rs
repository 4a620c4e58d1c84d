//! The relay's view of the outbox table.

use std::time::Duration;

use sqlx::types::Json;

use super::NOTIFY_CHANNEL;
use crate::bus::CloudEvent;
use crate::database::Pool;

/// How many rows one round takes at most.
pub(super) const BATCH: i64 = 200;

/// A row that may be published now.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct OutboxRow {
    pub seq: i64,
    pub attempts: i32,
    pub event: Json<CloudEvent>,
}

/// The oldest waiting row of each key, in order; nothing while another relay of this outbox is at work. A younger row stays behind
/// until the older one is published, so each key is published in order.
///
/// Who asks first is at work for as long as its connection lives. A lock of the session is what says so: a row need not be
/// written for it, and nothing that others wait for is held while the stream is being waited for. `attempts >= 0`, which is
/// always so, and `offset 0` leave the planner hardly a choice but an index in the order of the rows and one by key.
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

/// Lets another relay try, if there is one.
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

/// Lets a refused row wait. Younger rows of its key wait behind it: order is worth more than haste.
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

/// How many rows wait, and for how many seconds the oldest has.
pub(super) async fn backlog(pool: &Pool) -> Result<(i64, i64), sqlx::Error> {
    sqlx::query_as(
        "select count(*), coalesce(extract(epoch from max(clock_timestamp() - created_at)), 0)::bigint
         from outbox where published_at is null",
    )
    .fetch_one(pool)
    .await
}
