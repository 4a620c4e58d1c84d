//! The campaign table.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::Stored;
use crate::domain::campaign::Campaign;
use crate::domain::ids::CampaignId;

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

/// Takes off sale what is no longer in the files, and returns its codes.
pub async fn retire_others(
    conn: &mut PgConnection,
    kept: &[String],
    now: DateTime<Utc>,
) -> Stored<Vec<String>> {
    let retired = sqlx::query_scalar(
        "update campaign set retired_at = $2 where retired_at is null and code <> all($1) returning code",
    )
    .bind(kept)
    .bind(now)
    .fetch_all(&mut *conn)
    .await?;
    sqlx::query(
        "update price set retired_at = $1 from campaign
         where campaign.campaign_id = price.campaign_id and campaign.retired_at is not null
             and price.retired_at is null",
    )
    .bind(now)
    .execute(conn)
    .await?;
    Ok(retired)
}
