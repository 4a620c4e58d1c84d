//! The campaign table, and the files that what is on sale comes from.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::ids::CampaignId;
use crate::domain::pricing::campaign::Campaign;
use crate::domain::pricing::seed::SeedFile;
use crate::store::Stored;

/// Any number, the same in every replica: only one of them publishes at a time.
const PUBLISHING_LOCK: i64 = 0x5359_4e43_5052_4943;

pub async fn lock_publishing(conn: &mut PgConnection) -> Stored<()> {
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(PUBLISHING_LOCK)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn upsert(conn: &mut PgConnection, campaign: &Campaign, now: DateTime<Utc>) -> Stored<CampaignId> {
    let campaign_id = sqlx::query_scalar(
        "insert into campaign (campaign_id, code, product, period_months, trial_days, created_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (code) do update
         set product = excluded.product, period_months = excluded.period_months,
             trial_days = excluded.trial_days, retired_at = null
         returning campaign_id",
    )
    .bind(CampaignId::new(now))
    .bind(&campaign.code)
    .bind(&campaign.product)
    .bind(campaign.period_months)
    .bind(campaign.trial_days)
    .bind(now)
    .fetch_one(conn)
    .await?;
    Ok(campaign_id)
}

/// Takes off sale what is no longer in the files.
pub async fn retire_others(conn: &mut PgConnection, kept: &[String], now: DateTime<Utc>) -> Stored<()> {
    sqlx::query("update campaign set retired_at = $2 where retired_at is null and code <> all($1)")
        .bind(kept)
        .bind(now)
        .execute(&mut *conn)
        .await?;
    sqlx::query(
        "update price set retired_at = $1 from campaign
         where campaign.campaign_id = price.campaign_id and campaign.retired_at is not null
             and price.retired_at is null",
    )
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// What is published, in the order of the names.
pub async fn files(conn: &mut PgConnection) -> Stored<Vec<SeedFile>> {
    let rows: Vec<(String, String)> = sqlx::query_as("select name, text from campaign_file order by name")
        .fetch_all(conn)
        .await?;
    Ok(rows
        .into_iter()
        .map(|(name, text)| SeedFile { name, text })
        .collect())
}

pub async fn replace_files(conn: &mut PgConnection, files: &[SeedFile], now: DateTime<Utc>) -> Stored<()> {
    sqlx::query("delete from campaign_file")
        .execute(&mut *conn)
        .await?;
    for file in files {
        sqlx::query("insert into campaign_file (name, text, published_at) values ($1, $2, $3)")
            .bind(&file.name)
            .bind(&file.text)
            .bind(now)
            .execute(&mut *conn)
            .await?;
    }
    Ok(())
}

/// Remembers what a start publishes; false when the last one published the very same.
pub async fn is_new_start(conn: &mut PgConnection, digest: &str) -> Stored<bool> {
    let changed = sqlx::query(
        "insert into seed_import (digest) values ($1)
         on conflict (only_row) do update set digest = excluded.digest where seed_import.digest <> $1",
    )
    .bind(digest)
    .execute(conn)
    .await?;
    Ok(changed.rows_affected() == 1)
}
