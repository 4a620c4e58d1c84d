//! What erased people were known by, as hashes: whoever is about to store something of somebody asks here first.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::clock::Clock;

/// From the commit of `tx` on, [`is_barred`] says so. Waits for whoever has asked about these and is still storing.
pub async fn bar(tx: &mut PgConnection, clock: &Clock, marks: &[String]) -> Result<(), sqlx::Error> {
    let alone = "select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as key";
    lock(tx, alone, marks).await?;
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

/// Whether any of these is an erased person's. Until `tx` ends, none of them becomes one. Two statements whatever the number:
/// the second sees what was committed while the first waited.
pub async fn is_barred(tx: &mut PgConnection, marks: &[String]) -> Result<bool, sqlx::Error> {
    if marks.is_empty() {
        return Ok(false);
    }
    let shared = "select pg_advisory_xact_lock_shared(key) from unnest($1::bigint[]) as key";
    lock(tx, shared, marks).await?;
    sqlx::query_scalar("select exists (select from erased_mark where mark_hash = any($1))")
        .bind(hashes(marks))
        .fetch_one(tx)
        .await
}

/// In one order everywhere, so that two who lock several never wait for each other.
async fn lock(tx: &mut PgConnection, statement: &'static str, marks: &[String]) -> Result<(), sqlx::Error> {
    let mut keys: Vec<i64> = marks.iter().map(|mark| key(mark)).collect();
    keys.sort_unstable();
    keys.dedup();
    sqlx::query(statement).bind(keys).execute(tx).await?;
    Ok(())
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
