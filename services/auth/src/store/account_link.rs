//! Links that are mailed, each good for one use.
use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;

use crate::domain::mail::LinkId;
use crate::domain::user::UserId;

pub struct NewLink {
    pub id: LinkId,
    pub token_hash: [u8; 32],
    /// `None`: for an address that nobody has.
    pub user_id: Option<UserId>,
    pub expires_at: DateTime<Utc>,
}

pub async fn insert(tx: &mut PgConnection, new: &NewLink) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into account_link (link_id, token_hash, user_id, expires_at) values ($1, $2, $3, $4)",
    )
    .bind(new.id)
    .bind(new.token_hash.as_slice())
    .bind(new.user_id)
    .bind(new.expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn is_live(
    connection: &mut PgConnection,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "select exists (select from account_link
         where token_hash = $1 and expires_at > $2 and user_id is not null)",
    )
    .bind(token_hash.as_slice())
    .bind(now)
    .fetch_one(connection)
    .await
}

/// Whose link it was. Of two at once, one gets it.
pub async fn take(
    tx: &mut PgConnection,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<UserId>, sqlx::Error> {
    let taken: Option<Option<UserId>> = sqlx::query_scalar(
        "delete from account_link where token_hash = $1 and expires_at > $2 returning user_id",
    )
    .bind(token_hash.as_slice())
    .bind(now)
    .fetch_optional(tx)
    .await?;
    Ok(taken.flatten())
}

pub async fn delete_of(tx: &mut PgConnection, user_id: UserId) -> Result<(), sqlx::Error> {
    sqlx::query("delete from account_link where user_id = $1")
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
        "delete from account_link where link_id in
         (select link_id from account_link where expires_at <= $1 order by expires_at limit $2 for update skip locked)",
        now,
        batch,
    )
    .await
}
