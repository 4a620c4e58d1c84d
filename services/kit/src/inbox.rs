//! What has been applied: the row and the effect commit in one transaction, so every effect happens once.

use sqlx::PgConnection;

/// True when `event_id` is new to `consumer`; the caller applies it in this same transaction. Two at once: the second
/// waits here for the first to commit or roll back.
pub async fn claim(tx: &mut PgConnection, consumer: &str, event_id: &str) -> Result<bool, sqlx::Error> {
    let inserted =
        sqlx::query("insert into inbox (consumer, event_id) values ($1, $2) on conflict do nothing")
            .bind(consumer)
            .bind(event_id)
            .execute(tx)
            .await?;
    Ok(inserted.rows_affected() == 1)
}
