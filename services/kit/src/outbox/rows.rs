//! The relay's view of the outbox table.

use std::time::Duration;

use sqlx::types::Json;

use crate::bus::CloudEvent;
use crate::database::Pool;

/// How many rows one round takes at most.
pub(super) const BATCH: i64 = 200;

/// Longer than a round can take. A relay that dies keeps its rows from the others for no longer than this.
const LEASE_SECS: i32 = 8;

/// A row this relay may publish now.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Claimed {
    pub seq: i64,
    pub attempts: i32,
    pub event: Json<CloudEvent>,
}

/// Takes the oldest waiting row of each key. A younger row stays behind until the older one is published, and a row that
/// another relay holds is skipped, so each key is published in order by one relay at a time.
///
/// The claim is committed: no lock is held while the stream is being waited for. `attempts >= 0`, which is always so, and
/// `offset 0` leave the planner hardly a choice but an index in the order of the rows and one by key.
pub(super) async fn claim(pool: &Pool) -> Result<Vec<Claimed>, sqlx::Error> {
    let mut claimed: Vec<Claimed> = sqlx::query_as(
        "update outbox
         set claimed_until = clock_timestamp() + make_interval(secs => $2)
         where seq in (
             select seq from outbox head
             where published_at is null and attempts >= 0
               and claimed_until < clock_timestamp()
               and not exists (
                   select from outbox older
                   where older.key = head.key and older.published_at is null and older.seq < head.seq
                   offset 0)
             order by seq
             limit $1
             for update skip locked)
         returning seq, attempts, event",
    )
    .bind(BATCH)
    .bind(LEASE_SECS)
    .fetch_all(pool)
    .await?;
    claimed.sort_unstable_by_key(|row| row.seq);
    Ok(claimed)
}

pub(super) async fn mark_published(pool: &Pool, seqs: &[i64]) -> Result<(), sqlx::Error> {
    sqlx::query("update outbox set published_at = clock_timestamp(), last_error = null where seq = any($1)")
        .bind(seqs)
        .execute(pool)
        .await?;
    Ok(())
}

/// Gives rows back whose fate is unknown: they are published again, and whoever has them already knows their id.
pub(super) async fn give_back(pool: &Pool, seqs: &[i64]) -> Result<(), sqlx::Error> {
    sqlx::query("update outbox set claimed_until = '-infinity' where seq = any($1)")
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
