//! Second factors: TOTP secrets and their enrolments.
pub mod challenge;
pub mod recovery_code;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::user::UserId;

/// An enabled second factor.
#[derive(sqlx::FromRow)]
pub struct EnabledFactor {
    pub encrypted_secret: Vec<u8>,
    pub last_step: Option<i64>,
}

/// Locks the row: of two uses of a code at once, the second sees the first.
pub async fn for_use(tx: &mut PgConnection, user_id: UserId) -> Result<Option<EnabledFactor>, sqlx::Error> {
    sqlx::query_as(
        "select encrypted_secret, last_step from second_factor
         where user_id = $1 and encrypted_secret is not null for update",
    )
    .bind(user_id)
    .fetch_optional(tx)
    .await
}

pub async fn set_last_step(tx: &mut PgConnection, user_id: UserId, step: i64) -> Result<(), sqlx::Error> {
    sqlx::query("update second_factor set last_step = $2 where user_id = $1")
        .bind(user_id)
        .bind(step)
        .execute(tx)
        .await?;
    Ok(())
}

/// The latest enrolment is the one that can be confirmed.
pub async fn set_pending(
    tx: &mut PgConnection,
    user_id: UserId,
    encrypted_secret: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into second_factor (user_id, pending_secret) values ($1, $2)
         on conflict (user_id) do update set pending_secret = excluded.pending_secret",
    )
    .bind(user_id)
    .bind(encrypted_secret)
    .execute(tx)
    .await?;
    Ok(())
}

/// Locks the row: an enrolment is confirmed once.
pub async fn pending(tx: &mut PgConnection, user_id: UserId) -> Result<Option<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar(
        "select pending_secret from second_factor
         where user_id = $1 and pending_secret is not null for update",
    )
    .bind(user_id)
    .fetch_optional(tx)
    .await
}

/// The pending secret becomes the enabled one. `step` is that of the code that confirmed it.
pub async fn enable(
    tx: &mut PgConnection,
    user_id: UserId,
    step: i64,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update second_factor
         set encrypted_secret = pending_secret, pending_secret = null, last_step = $2, enabled_at = $3
         where user_id = $1 and pending_secret is not null",
    )
    .bind(user_id)
    .bind(step)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn is_enabled(connection: &mut PgConnection, user_id: UserId) -> Result<bool, sqlx::Error> {
    Ok(enabled_at(connection, user_id).await?.is_some())
}

pub async fn enabled_at(
    connection: &mut PgConnection,
    user_id: UserId,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar("select enabled_at from second_factor where user_id = $1 and enabled_at is not null")
        .bind(user_id)
        .fetch_optional(connection)
        .await
}

/// Also deletes an enrolment. `false`: none was enabled.
pub async fn delete(tx: &mut PgConnection, user_id: UserId) -> Result<bool, sqlx::Error> {
    let was_enabled: Option<bool> =
        sqlx::query_scalar("delete from second_factor where user_id = $1 returning enabled_at is not null")
            .bind(user_id)
            .fetch_optional(tx)
            .await?;
    Ok(was_enabled.unwrap_or_default())
}
