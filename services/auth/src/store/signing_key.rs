//! Keys that sign access tokens.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::crypto::access_tokens::EncryptedKey;
use crate::domain::access_token::SigningPeriod;

/// A lock id unique in this database.
const ROTATION_LOCK: i64 = 0x0061_7574_686b_6579;

/// Replicas make one key between them.
pub async fn lock(tx: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(ROTATION_LOCK)
        .execute(tx)
        .await?;
    Ok(())
}

/// When the last key that this secret opens stops signing.
pub async fn last_until(
    tx: &mut PgConnection,
    secret_id: &[u8],
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar("select max(signs_until) from signing_key where secret_id = $1")
        .bind(secret_id)
        .fetch_one(tx)
        .await
}

pub async fn insert(
    tx: &mut PgConnection,
    key: &EncryptedKey,
    secret_id: &[u8],
    term: SigningPeriod,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into signing_key (key_id, public_key, encrypted_key, secret_id, signs_from, signs_until)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&key.key_id)
    .bind(&key.public_key)
    .bind(&key.ciphertext)
    .bind(secret_id)
    .bind(term.from)
    .bind(term.until)
    .execute(tx)
    .await?;
    Ok(())
}

/// The key whose term it is.
pub async fn signing(
    connection: &mut PgConnection,
    secret_id: &[u8],
    now: DateTime<Utc>,
) -> Result<Option<EncryptedKey>, sqlx::Error> {
    let row: Option<(String, Vec<u8>, Vec<u8>)> = sqlx::query_as(
        "select key_id, public_key, encrypted_key from signing_key
         where secret_id = $1 and signs_from <= $2 and signs_until > $2 order by signs_from desc limit 1",
    )
    .bind(secret_id)
    .bind(now)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|(key_id, public_key, sealed)| EncryptedKey {
        key_id,
        public_key,
        ciphertext: sealed,
    }))
}

/// Name and public half of each key that has good tokens or will have.
pub async fn public(
    connection: &mut PgConnection,
    of_use_since: DateTime<Utc>,
) -> Result<Vec<(String, Vec<u8>)>, sqlx::Error> {
    sqlx::query_as("select key_id, public_key from signing_key where signs_until > $1 order by signs_from")
        .bind(of_use_since)
        .fetch_all(connection)
        .await
}

pub async fn public_of(
    connection: &mut PgConnection,
    key_id: &str,
    of_use_since: DateTime<Utc>,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar("select public_key from signing_key where key_id = $1 and signs_until > $2")
        .bind(key_id)
        .bind(of_use_since)
        .fetch_optional(connection)
        .await
}

pub async fn delete_expired(
    connection: &mut PgConnection,
    of_use_since: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query("delete from signing_key where signs_until <= $1")
        .bind(of_use_since)
        .execute(connection)
        .await?;
    Ok(())
}
