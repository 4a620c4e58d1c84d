//! What erased people were known by, as hashes: whoever is about to store something of somebody asks here first.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::clock::Clock;

/// From the commit of `tx` on, [`is_tombstoned`] says so. Waits for whoever has asked about these and is still storing.
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

/// Whether any of these is an erased person's. Until `tx` ends, none of them becomes one.
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

/// What the database's `is_tombstoned` is asked with, for a statement that asks and stores at once: the first and the second
/// of its arguments.
pub fn tombstone_arguments(identifiers: &[String]) -> (Vec<i64>, Vec<Vec<u8>>) {
    (keys(identifiers), hashes(identifiers))
}

/// In one order everywhere, so that two who lock several never wait for each other.
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
