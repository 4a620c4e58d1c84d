//! Inbox of applied events: the row and the effect commit in one transaction, so every effect happens once.

use std::collections::HashSet;

use sqlx::PgConnection;

/// True if `event_id` is new to `consumer`; the caller applies it in the same transaction. A concurrent call
/// waits for the first to commit or roll back.
pub async fn claim(tx: &mut PgConnection, consumer: &str, event_id: &str) -> Result<bool, sqlx::Error> {
    let inserted =
        sqlx::query("insert into inbox (consumer, event_id) values ($1, $2) on conflict do nothing")
            .bind(consumer)
            .bind(event_id)
            .execute(tx)
            .await?;
    Ok(inserted.rows_affected() == 1)
}

/// As [`claim`] for several events: returns the new ones. Always in the same order, so that concurrent calls do not
/// deadlock.
pub async fn claim_all(
    tx: &mut PgConnection,
    consumer: &str,
    event_ids: &[&str],
) -> Result<HashSet<String>, sqlx::Error> {
    let claimed: Vec<String> = sqlx::query_scalar(
        "insert into inbox (consumer, event_id)
         select $1, event_id from unnest($2::text[]) as event_id order by event_id
         on conflict do nothing returning event_id",
    )
    .bind(consumer)
    .bind(event_ids)
    .fetch_all(tx)
    .await?;
    Ok(claimed.into_iter().collect())
}
