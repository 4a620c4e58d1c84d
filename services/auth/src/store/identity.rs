//! Identities at providers, pending identities and used credentials.
use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;

use crate::domain::social::{Assertion, Provider};
use crate::domain::user::UserId;

pub struct Pending<'a> {
    pub browser_hash: [u8; 32],
    pub provider: Provider,
    pub subject: &'a str,
    pub user_id: UserId,
    /// The provider has verified the address.
    pub is_verified: bool,
    pub expires_at: DateTime<Utc>,
}

/// An identity that its owner may join to the account now.
pub struct LinkableIdentity {
    pub provider: String,
    pub subject: String,
    pub is_verified: bool,
}

pub async fn owner(tx: &mut PgConnection, assertion: &Assertion) -> Result<Option<UserId>, sqlx::Error> {
    sqlx::query_scalar("select user_id from identity where provider = $1 and subject = $2")
        .bind(assertion.provider.as_str())
        .bind(&assertion.subject)
        .fetch_optional(tx)
        .await
}

/// `false`: the identity already belongs to an account.
pub async fn insert(
    tx: &mut PgConnection,
    user_id: UserId,
    provider: &str,
    subject: &str,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query(
        "insert into identity (provider, subject, user_id, created_at) values ($1, $2, $3, $4)
         on conflict on constraint identity_pkey do nothing",
    )
    .bind(provider)
    .bind(subject)
    .bind(user_id)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

pub async fn delete_of(tx: &mut PgConnection, user_id: UserId) -> Result<(), sqlx::Error> {
    sqlx::query("delete from identity where user_id = $1")
        .bind(user_id)
        .execute(tx)
        .await?;
    Ok(())
}

/// The latest sign-in of a browser is the one it may finish.
pub async fn upsert_pending(tx: &mut PgConnection, pending: &Pending<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into pending_identity (browser_hash, provider, subject, user_id, expires_at, is_verified)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (browser_hash) do update
         set provider = excluded.provider, subject = excluded.subject, user_id = excluded.user_id,
             expires_at = excluded.expires_at, is_verified = excluded.is_verified",
    )
    .bind(pending.browser_hash.as_slice())
    .bind(pending.provider.as_str())
    .bind(pending.subject)
    .bind(pending.user_id)
    .bind(pending.expires_at)
    .bind(pending.is_verified)
    .execute(tx)
    .await?;
    Ok(())
}

/// What this browser began for this account. Taken once. One whose address is not verified is taken only by a sign-in that
/// names its provider: the press that joins it is deliberate.
pub async fn take_pending(
    tx: &mut PgConnection,
    browser_hash: &[u8; 32],
    user_id: UserId,
    named: &str,
    now: DateTime<Utc>,
) -> Result<Option<LinkableIdentity>, sqlx::Error> {
    let taken: Option<(String, String, bool)> = sqlx::query_as(
        "delete from pending_identity
         where browser_hash = $1 and user_id = $2 and expires_at > $3 and (is_verified or provider = $4)
         returning provider, subject, is_verified",
    )
    .bind(browser_hash.as_slice())
    .bind(user_id)
    .bind(now)
    .bind(named)
    .fetch_optional(tx)
    .await?;
    Ok(taken.map(|(provider, subject, is_verified)| LinkableIdentity {
        provider,
        subject,
        is_verified,
    }))
}

/// Whether it was still unused. Of two uses at once the second waits for the first.
pub async fn mark_credential_used(
    tx: &mut PgConnection,
    digest: &[u8; 32],
    expires_at: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let spent = sqlx::query(
        "insert into used_credential (digest, expires_at) values ($1, $2) on conflict (digest) do nothing",
    )
    .bind(digest.as_slice())
    .bind(expires_at)
    .execute(tx)
    .await?;
    Ok(spent.rows_affected() == 1)
}

pub async fn delete_expired(
    connection: &mut PgConnection,
    now: DateTime<Utc>,
    batch: i64,
) -> Result<(), sqlx::Error> {
    delete_in_batches(
        connection,
        "delete from pending_identity where browser_hash in
         (select browser_hash from pending_identity where expires_at <= $1
          order by expires_at limit $2 for update skip locked)",
        now,
        batch,
    )
    .await?;
    delete_in_batches(
        connection,
        "delete from used_credential where digest in
         (select digest from used_credential where expires_at <= $1
          order by expires_at limit $2 for update skip locked)",
        now,
        batch,
    )
    .await
}
