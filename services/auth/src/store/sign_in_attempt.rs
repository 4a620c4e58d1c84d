//! Attempt counters, shared by replicas and durable.
use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;

use crate::domain::throttle::Attempts;

/// What an attempt counts against, and when that window would end if it opened now.
pub struct Counter {
    pub throttle_key: [u8; 32],
    /// The account it is about; `None` for a network.
    pub account: Option<[u8; 32]>,
    pub new_window_ends_at: DateTime<Utc>,
}

/// Counts one attempt against each, in the order given; a window that is over starts anew. One statement, so attempts
/// made at once all count.
pub async fn count(
    connection: &mut PgConnection,
    counters: &[Counter],
    now: DateTime<Utc>,
) -> Result<Vec<Attempts>, sqlx::Error> {
    // Rows are locked in the order of their keys, so that concurrent attempts do not deadlock.
    let mut sorted: Vec<&Counter> = counters.iter().collect();
    sorted.sort_unstable_by_key(|counter| counter.throttle_key);
    let keys: Vec<&[u8]> = sorted
        .iter()
        .map(|counter| counter.throttle_key.as_slice())
        .collect();
    let ends: Vec<DateTime<Utc>> = sorted.iter().map(|counter| counter.new_window_ends_at).collect();
    let about: Vec<Option<&[u8]>> = sorted
        .iter()
        .map(|counter| counter.account.as_ref().map(<[u8; 32]>::as_slice))
        .collect();
    let counted: Vec<(Vec<u8>, i32, DateTime<Utc>)> = sqlx::query_as(
        "insert into sign_in_attempt as known (throttle_key, account_key, attempts, window_ends_at)
         select throttle_key, account_key, 1, window_ends_at
         from unnest($1::bytea[], $4::bytea[], $3::timestamptz[]) as new (throttle_key, account_key, window_ends_at)
         on conflict (throttle_key) do update set
             attempts = case when known.window_ends_at <= $2 then 1 else least(known.attempts, 1000000) + 1 end,
             window_ends_at = case when known.window_ends_at <= $2 then excluded.window_ends_at else known.window_ends_at end
         returning throttle_key, attempts, window_ends_at",
    )
    .bind(keys)
    .bind(now)
    .bind(ends)
    .bind(about)
    .fetch_all(connection)
    .await?;
    let of = |counter: &Counter| {
        let found = counted
            .iter()
            .find(|(key, ..)| key.as_slice() == counter.throttle_key);
        found.map(|(_, count, window_ends_at)| Attempts {
            count: *count,
            window_ends_at: *window_ends_at,
        })
    };
    Ok(counters.iter().filter_map(of).collect())
}

/// An attempt that was none after all.
pub async fn decrement(tx: &mut PgConnection, key: &[u8; 32]) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update sign_in_attempt set attempts = attempts - 1 where throttle_key = $1 and attempts > 0",
    )
    .bind(key.as_slice())
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn clear(tx: &mut PgConnection, throttle_key: &[u8; 32]) -> Result<(), sqlx::Error> {
    sqlx::query("delete from sign_in_attempt where throttle_key = $1")
        .bind(throttle_key.as_slice())
        .execute(tx)
        .await?;
    Ok(())
}

/// Whatever was counted against the account.
pub async fn clear_account(tx: &mut PgConnection, about: &[u8; 32]) -> Result<(), sqlx::Error> {
    sqlx::query("delete from sign_in_attempt where account_key = $1")
        .bind(about.as_slice())
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn delete_closed(
    connection: &mut PgConnection,
    now: DateTime<Utc>,
    batch: i64,
) -> Result<(), sqlx::Error> {
    delete_in_batches(
        connection,
        "delete from sign_in_attempt where throttle_key in
         (select throttle_key from sign_in_attempt where window_ends_at <= $1
          order by window_ends_at limit $2 for update skip locked)",
        now,
        batch,
    )
    .await
}
