//! Mailed links, each valid for one use.
use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;

use crate::domain::email::Email;
use crate::domain::mail::LinkId;
use crate::domain::session::SessionId;
use crate::domain::user::UserId;

pub struct NewLink<'a> {
    pub id: LinkId,
    pub token_hash: [u8; 32],
    /// `None`: an address without an account.
    pub user_id: Option<UserId>,
    pub expires_at: DateTime<Utc>,
    /// The address that it makes the account's.
    pub new_email: Option<&'a Email>,
    /// The address that it restores, with a new password.
    pub former_email: Option<&'a Email>,
    /// The session that it ends.
    pub ends_session: Option<SessionId>,
}

/// A link that sets a password, used.
pub struct PasswordLink {
    pub user_id: UserId,
    pub former_email: Option<Email>,
    pub expires_at: DateTime<Utc>,
}

/// Whose password a link sets.
pub struct Owner {
    pub full_name: String,
    /// The one that the account has afterwards.
    pub email: Email,
}

pub async fn insert(tx: &mut PgConnection, new: &NewLink<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into account_link (link_id, token_hash, user_id, expires_at, new_email, former_email, ends_session)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(new.id)
    .bind(new.token_hash.as_slice())
    .bind(new.user_id)
    .bind(new.expires_at)
    .bind(new.new_email.map(Email::as_str))
    .bind(new.former_email.map(Email::as_str))
    .bind(new.ends_session)
    .execute(tx)
    .await?;
    Ok(())
}

/// `None` where no live link sets a password.
pub async fn owner(
    connection: &mut PgConnection,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<Owner>, sqlx::Error> {
    let row: Option<(String, String)> = sqlx::query_as(
        "select account.full_name, coalesce(link.former_email, account.email)
         from account_link link join account using (user_id)
         where link.token_hash = $1 and link.expires_at > $2 and link.new_email is null
             and link.ends_session is null",
    )
    .bind(token_hash.as_slice())
    .bind(now)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|(full_name, email)| Owner {
        full_name,
        email: Email::stored(email),
    }))
}

/// A link that sets a password. Of two uses at once, one gets it.
pub async fn take(
    tx: &mut PgConnection,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<PasswordLink>, sqlx::Error> {
    let taken: Option<(Option<UserId>, Option<String>, DateTime<Utc>)> = sqlx::query_as(
        "delete from account_link where token_hash = $1 and expires_at > $2 and new_email is null
             and ends_session is null
         returning user_id, former_email, expires_at",
    )
    .bind(token_hash.as_slice())
    .bind(now)
    .fetch_optional(tx)
    .await?;
    Ok(taken.and_then(|(user_id, former_email, expires_at)| {
        Some(PasswordLink {
            user_id: user_id?,
            former_email: former_email.map(Email::stored),
            expires_at,
        })
    }))
}

/// The account and the address that a live link makes its own.
pub async fn new_email(
    connection: &mut PgConnection,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<(UserId, Email)>, sqlx::Error> {
    let found: Option<(UserId, String)> = sqlx::query_as(
        "select user_id, new_email from account_link
         where token_hash = $1 and expires_at > $2 and new_email is not null",
    )
    .bind(token_hash.as_slice())
    .bind(now)
    .fetch_optional(connection)
    .await?;
    Ok(found.map(|(user_id, email)| (user_id, Email::stored(email))))
}

/// Of two uses at once, one deletes it.
pub async fn delete_new_email(tx: &mut PgConnection, token_hash: &[u8; 32]) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query("delete from account_link where token_hash = $1 and new_email is not null")
        .bind(token_hash.as_slice())
        .execute(tx)
        .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Links that restore a former address or end a session stay, so an attacker cannot remove them.
pub async fn delete_of(tx: &mut PgConnection, user_id: UserId) -> Result<(), sqlx::Error> {
    sqlx::query(
        "delete from account_link where user_id = $1 and former_email is null and ends_session is null",
    )
    .bind(user_id)
    .execute(tx)
    .await?;
    Ok(())
}

/// The user and the session that a live link ends. Of two uses at once, one gets it.
pub async fn take_session(
    tx: &mut PgConnection,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<(UserId, SessionId)>, sqlx::Error> {
    sqlx::query_as(
        "delete from account_link
         where token_hash = $1 and expires_at > $2 and ends_session is not null and user_id is not null
         returning user_id, ends_session",
    )
    .bind(token_hash.as_slice())
    .bind(now)
    .fetch_optional(tx)
    .await
}

/// Those that await the confirmation of an address.
pub async fn delete_new_emails(tx: &mut PgConnection, user_id: UserId) -> Result<(), sqlx::Error> {
    sqlx::query("delete from account_link where user_id = $1 and new_email is not null")
        .bind(user_id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Those that restore an address which the account got later than the one restored now.
pub async fn delete_later_restores(
    tx: &mut PgConnection,
    user_id: UserId,
    expires_at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "delete from account_link where user_id = $1 and former_email is not null and expires_at >= $2",
    )
    .bind(user_id)
    .bind(expires_at)
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
