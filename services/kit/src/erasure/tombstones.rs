//! Tombstones: hashed identifiers of erased members. Check them before storing personal data.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::clock::Clock;

/// [`is_tombstoned`] is true from the commit of `tx` on. Waits for open transactions that have checked these identifiers.
pub async fn add_tombstones(
    tx: &mut PgConnection,
    clock: &Clock,
    identifiers: &[String],
) -> Result<(), sqlx::Error> {
    sqlx::query("select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as key")
        .bind(keys(identifiers))
        .execute(&mut *tx)
        .await?;
    sqlx::query(
        "insert into erasure_tombstone (identifier_hash, erased_at) select distinct identifier, $2 from unnest($1::bytea[]) identifier
         on conflict do nothing",
    )
    .bind(hashes(identifiers))
    .bind(clock.now())
    .execute(tx)
    .await?;
    Ok(())
}

/// Whether any identifier has a tombstone. Blocks new tombstones for them until `tx` ends.
pub async fn is_tombstoned(tx: &mut PgConnection, identifiers: &[String]) -> Result<bool, sqlx::Error> {
    if identifiers.is_empty() {
        return Ok(false);
    }
    sqlx::query_scalar("select is_tombstoned($1, $2)")
        .bind(keys(identifiers))
        .bind(hashes(identifiers))
        .fetch_one(tx)
        .await
}

/// Both arguments of the SQL function `is_tombstoned`, for statements that check and store at once.
pub fn tombstone_arguments(identifiers: &[String]) -> (Vec<i64>, Vec<Vec<u8>>) {
    (keys(identifiers), hashes(identifiers))
}

/// Always in the same order, so that concurrent transactions do not deadlock.
fn keys(identifiers: &[String]) -> Vec<i64> {
    let mut keys: Vec<i64> = identifiers.iter().map(|identifier| key(identifier)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn hashes(identifiers: &[String]) -> Vec<Vec<u8>> {
    identifiers
        .iter()
        .map(|identifier| Sha256::digest(identifier.as_bytes()).to_vec())
        .collect()
}

fn key(identifier: &str) -> i64 {
    let mut first = [0; 8];
    first.copy_from_slice(&Sha256::digest(identifier.as_bytes())[..8]);
    i64::from_be_bytes(first)
}
