//! What erased people were known by, as hashes: whoever is about to store something of somebody asks here first.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::clock::Clock;

/// From the commit of `tx` on, [`is_barred`] says so. Waits for whoever has asked about these and is still storing.
pub async fn bar(tx: &mut PgConnection, clock: &Clock, marks: &[String]) -> Result<(), sqlx::Error> {
    sqlx::query("select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as key")
        .bind(keys(marks))
        .execute(&mut *tx)
        .await?;
    sqlx::query(
        "insert into erased_mark (mark_hash, erased_at) select distinct mark, $2 from unnest($1::bytea[]) mark
         on conflict do nothing",
    )
    .bind(hashes(marks))
    .bind(clock.now())
    .execute(tx)
    .await?;
    Ok(())
}

/// Whether any of these is an erased person's. Until `tx` ends, none of them becomes one.
pub async fn is_barred(tx: &mut PgConnection, marks: &[String]) -> Result<bool, sqlx::Error> {
    if marks.is_empty() {
        return Ok(false);
    }
    sqlx::query_scalar("select is_barred($1, $2)")
        .bind(keys(marks))
        .bind(hashes(marks))
        .fetch_one(tx)
        .await
}

/// What the database's `is_barred` is asked with, for a statement that asks and stores at once: the first and the second
/// of its arguments.
pub fn barring(marks: &[String]) -> (Vec<i64>, Vec<Vec<u8>>) {
    (keys(marks), hashes(marks))
}

/// In one order everywhere, so that two who lock several never wait for each other.
fn keys(marks: &[String]) -> Vec<i64> {
    let mut keys: Vec<i64> = marks.iter().map(|mark| key(mark)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn hashes(marks: &[String]) -> Vec<Vec<u8>> {
    marks
        .iter()
        .map(|mark| Sha256::digest(mark.as_bytes()).to_vec())
        .collect()
}

fn key(mark: &str) -> i64 {
    let mut first = [0; 8];
    first.copy_from_slice(&Sha256::digest(mark.as_bytes())[..8]);
    i64::from_be_bytes(first)
}
