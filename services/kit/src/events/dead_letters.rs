//! Dead letters: events that a consumer gave up on, stored with the reason; operators list and retry them.
//!
//! A retry needs no republishing: the consumer reads the event from this table.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// An event that was not applied.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct DeadLetter {
    pub consumer: String,
    pub event_id: String,
    pub subject: String,
    /// The raw payload, which may be malformed.
    pub payload: String,
    pub reason: String,
    pub attempts: i64,
    pub failed_at: DateTime<Utc>,
    pub retry_requested: bool,
}

/// The newest `limit` dead letters of all this service's consumers.
pub async fn list(connection: &mut PgConnection, limit: u32) -> Result<Vec<DeadLetter>, sqlx::Error> {
    sqlx::query_as(
        "select consumer, event_id, subject, payload, reason, attempts, failed_at, retry_requested
         from dead_letter order by failed_at desc, event_id limit $1",
    )
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await
}

/// Marks a dead letter for retry, which follows within about a second. False if it does not exist.
pub async fn retry(
    connection: &mut PgConnection,
    consumer: &str,
    event_id: &str,
) -> Result<bool, sqlx::Error> {
    let asked =
        sqlx::query("update dead_letter set retry_requested = true where consumer = $1 and event_id = $2")
            .bind(consumer)
            .bind(event_id)
            .execute(connection)
            .await?;
    Ok(asked.rows_affected() == 1)
}

/// Stores or updates a dead letter.
pub(crate) async fn store(tx: &mut PgConnection, dead_letter: &DeadLetter) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into dead_letter (consumer, event_id, subject, payload, reason, attempts, failed_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (consumer, event_id) do update
         set reason = excluded.reason, attempts = excluded.attempts, failed_at = excluded.failed_at,
             retry_requested = false",
    )
    .bind(&dead_letter.consumer)
    .bind(&dead_letter.event_id)
    .bind(&dead_letter.subject)
    // Text in Postgres cannot hold a zero byte.
    .bind(dead_letter.payload.replace('\0', "\u{fffd}"))
    .bind(&dead_letter.reason)
    .bind(dead_letter.attempts)
    .bind(dead_letter.failed_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// Locks the oldest dead letter of `consumer` that is marked for retry until `tx` ends.
pub(crate) async fn claim_for_retry(
    tx: &mut PgConnection,
    consumer: &str,
) -> Result<Option<DeadLetter>, sqlx::Error> {
    sqlx::query_as(
        "select consumer, event_id, subject, payload, reason, attempts, failed_at, retry_requested
         from dead_letter where consumer = $1 and retry_requested
         order by failed_at limit 1 for update skip locked",
    )
    .bind(consumer)
    .fetch_optional(tx)
    .await
}

pub(crate) async fn discard(tx: &mut PgConnection, dead_letter: &DeadLetter) -> Result<(), sqlx::Error> {
    sqlx::query("delete from dead_letter where consumer = $1 and event_id = $2")
        .bind(&dead_letter.consumer)
        .bind(&dead_letter.event_id)
        .execute(tx)
        .await?;
    Ok(())
}
