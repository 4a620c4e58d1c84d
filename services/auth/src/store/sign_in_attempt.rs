//! Attempts against a password since the last success, shared by all replicas and kept over restarts.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::throttle::Attempts;

/// Counts one attempt; a window that is over starts anew. One statement, so attempts made at once all count.
pub async fn count(
    connection: &mut PgConnection,
    account_key: &[u8; 32],
    now: DateTime<Utc>,
    new_window_ends_at: DateTime<Utc>,
) -> Result<Attempts, sqlx::Error> {
    let (count, window_ends_at) = sqlx::query_as(
        "insert into sign_in_attempt as known (account_key, attempts, window_ends_at)
         values ($1, 1, $3)
         on conflict (account_key) do update set
             attempts = case when known.window_ends_at <= $2 then 1 else least(known.attempts, 1000000) + 1 end,
             window_ends_at = case when known.window_ends_at <= $2 then $3 else known.window_ends_at end
         returning attempts, window_ends_at",
    )
    .bind(account_key.as_slice())
    .bind(now)
    .bind(new_window_ends_at)
    .fetch_one(connection)
    .await?;
    Ok(Attempts {
        count,
        window_ends_at,
    })
}

pub async fn clear(tx: &mut PgConnection, account_key: &[u8; 32]) -> Result<(), sqlx::Error> {
    sqlx::query("delete from sign_in_attempt where account_key = $1")
        .bind(account_key.as_slice())
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn delete_closed(
    connection: &mut PgConnection,
    now: DateTime<Utc>,
    at_most: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query(
        "delete from sign_in_attempt where account_key in
         (select account_key from sign_in_attempt where window_ends_at <= $1
          order by window_ends_at limit $2 for update skip locked)",
    )
    .bind(now)
    .bind(at_most)
    .execute(connection)
    .await?;
    Ok(deleted.rows_affected())
}
