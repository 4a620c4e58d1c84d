//! Payments, requests and grants of temporary premium.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::temporary_premium::{Grant, Record};
use crate::domain::user::UserId;

#[derive(sqlx::FromRow)]
struct Row {
    paid_at: Option<DateTime<Utc>>,
    requested_at: Option<DateTime<Utc>>,
    granted_at: Option<DateTime<Utc>>,
    premium_until: Option<DateTime<Utc>>,
}

impl From<Row> for Record {
    fn from(row: Row) -> Self {
        let granted = row.granted_at.zip(row.premium_until);
        Self {
            paid_at: row.paid_at,
            requested_at: row.requested_at,
            granted: granted.map(|(at, until)| Grant { at, until }),
        }
    }
}

pub async fn record_request(
    tx: &mut PgConnection,
    user_id: UserId,
    now: DateTime<Utc>,
) -> Result<Record, sqlx::Error> {
    let row: Row = sqlx::query_as(
        "insert into temporary_premium (user_id, requested_at) values ($1, $2)
         on conflict (user_id) do update set requested_at = excluded.requested_at
         returning paid_at, requested_at, granted_at, premium_until",
    )
    .bind(user_id)
    .bind(now)
    .fetch_one(tx)
    .await?;
    Ok(row.into())
}

/// `None`: there is no such account any more.
pub async fn record_payment(
    tx: &mut PgConnection,
    user_id: UserId,
    paid_at: DateTime<Utc>,
) -> Result<Option<Record>, sqlx::Error> {
    let row: Option<Row> = sqlx::query_as(
        "insert into temporary_premium as known (user_id, paid_at) select user_id, $2 from account where user_id = $1
         on conflict (user_id) do update set paid_at = greatest(known.paid_at, excluded.paid_at)
         returning paid_at, requested_at, granted_at, premium_until",
    )
    .bind(user_id)
    .bind(paid_at)
    .fetch_optional(tx)
    .await?;
    Ok(row.map(Record::from))
}

pub async fn grant(tx: &mut PgConnection, user_id: UserId, grant: Grant) -> Result<(), sqlx::Error> {
    sqlx::query("update temporary_premium set granted_at = $2, premium_until = $3 where user_id = $1")
        .bind(user_id)
        .bind(grant.at)
        .bind(grant.until)
        .execute(tx)
        .await?;
    Ok(())
}
