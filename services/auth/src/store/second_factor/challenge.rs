//! Sign-ins that wait for their second factor.
use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;

use crate::domain::user::UserId;

pub struct NewChallenge<'a> {
    pub challenge_hash: [u8; 32],
    pub user_id: UserId,
    pub method: &'a str,
    pub lang: Option<&'a str>,
    pub join_provider: &'a str,
    pub browser_hash: Option<[u8; 32]>,
    pub is_known_browser: bool,
    pub expires_at: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
pub struct Challenge {
    pub user_id: UserId,
    pub method: String,
    pub lang: Option<String>,
    pub join_provider: String,
    pub browser_hash: Option<Vec<u8>>,
    pub is_known_browser: bool,
}

pub async fn insert(tx: &mut PgConnection, new: &NewChallenge<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into second_factor_challenge
             (challenge_hash, user_id, method, lang, join_provider, browser_hash, is_known_browser, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(new.challenge_hash.as_slice())
    .bind(new.user_id)
    .bind(new.method)
    .bind(new.lang)
    .bind(new.join_provider)
    .bind(new.browser_hash.as_ref().map(<[u8; 32]>::as_slice))
    .bind(new.is_known_browser)
    .bind(new.expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// Whose sign-in a live challenge belongs to.
pub async fn owner(
    connection: &mut PgConnection,
    challenge_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<UserId>, sqlx::Error> {
    sqlx::query_scalar(
        "select user_id from second_factor_challenge where challenge_hash = $1 and expires_at > $2",
    )
    .bind(challenge_hash.as_slice())
    .bind(now)
    .fetch_optional(connection)
    .await
}

/// Of two uses at once, one gets it.
pub async fn take(
    tx: &mut PgConnection,
    challenge_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<Challenge>, sqlx::Error> {
    sqlx::query_as(
        "delete from second_factor_challenge where challenge_hash = $1 and expires_at > $2
         returning user_id, method, lang, join_provider, browser_hash, is_known_browser",
    )
    .bind(challenge_hash.as_slice())
    .bind(now)
    .fetch_optional(tx)
    .await
}

pub async fn delete_of(tx: &mut PgConnection, user_id: UserId) -> Result<(), sqlx::Error> {
    sqlx::query("delete from second_factor_challenge where user_id = $1")
        .bind(user_id)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn delete_expired(
    connection: &mut PgConnection,
    now: DateTime<Utc>,
    batch: i64,
) -> Result<(), sqlx::Error> {
    delete_in_batches(
        connection,
        "delete from second_factor_challenge where challenge_hash in
         (select challenge_hash from second_factor_challenge where expires_at <= $1
          order by expires_at limit $2 for update skip locked)",
        now,
        batch,
    )
    .await
}
