//! Handoff tokens.
use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;

use crate::domain::handoff::{Handoff, Purpose};
use crate::domain::user::UserId;

pub struct NewHandoff {
    pub token_hash: [u8; 32],
    pub user_id: UserId,
    pub purpose: Purpose,
    pub expires_at: DateTime<Utc>,
}

pub async fn insert(tx: &mut PgConnection, new: &NewHandoff) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into handoff_token (token_hash, user_id, purpose, expires_at) values ($1, $2, $3, $4)",
    )
    .bind(new.token_hash.as_slice())
    .bind(new.user_id)
    .bind(new.purpose.as_str())
    .bind(new.expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// Locks the row: of two uses at once, the second sees the first.
pub async fn for_use(tx: &mut PgConnection, token_hash: &[u8; 32]) -> Result<Option<Handoff>, sqlx::Error> {
    let row: Option<(UserId, DateTime<Utc>, Option<DateTime<Utc>>)> = sqlx::query_as(
        "select user_id, expires_at, used_at from handoff_token where token_hash = $1 for update",
    )
    .bind(token_hash.as_slice())
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|(user_id, expires_at, used_at)| Handoff {
        user_id,
        expires_at,
        used_at,
    }))
}

pub async fn mark_used(
    tx: &mut PgConnection,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query("update handoff_token set used_at = $2 where token_hash = $1")
        .bind(token_hash.as_slice())
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn delete_of(tx: &mut PgConnection, user_id: UserId) -> Result<(), sqlx::Error> {
    sqlx::query("delete from handoff_token where user_id = $1")
        .bind(user_id)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn delete_over_before(
    connection: &mut PgConnection,
    before: DateTime<Utc>,
    batch: i64,
) -> Result<(), sqlx::Error> {
    delete_in_batches(
        connection,
        "delete from handoff_token where token_hash in
         (select token_hash from handoff_token where expires_at <= $1
          order by expires_at limit $2 for update skip locked)",
        before,
        batch,
    )
    .await
}
