//! Counts by event type and day.
use std::collections::BTreeMap;

use chrono::NaiveDate;
use sqlx::PgConnection;

use crate::domain::daily_count::DailyCount;
use crate::domain::period::Period;

/// Always in the same order, so that concurrent transactions do not deadlock.
pub async fn add(
    tx: &mut PgConnection,
    counts: &BTreeMap<(NaiveDate, &str), i64>,
) -> Result<(), sqlx::Error> {
    let (days, events): (Vec<NaiveDate>, Vec<&str>) = counts.keys().copied().unzip();
    let counts: Vec<i64> = counts.values().copied().collect();
    sqlx::query(
        "insert into daily_count (day, event, count)
         select day, event, count from unnest($1::date[], $2::text[], $3::bigint[]) as batch (day, event, count)
         order by day, event
         on conflict (day, event) do update set count = daily_count.count + excluded.count",
    )
    .bind(days)
    .bind(events)
    .bind(counts)
    .execute(tx)
    .await?;
    Ok(())
}

/// Newest day first.
pub async fn within(
    connection: &mut PgConnection,
    period: Period,
    limit: i64,
) -> Result<Vec<DailyCount>, sqlx::Error> {
    let rows: Vec<(NaiveDate, String, i64)> = sqlx::query_as(
        "select day, event, count from daily_count where day between $1 and $2
         order by day desc, event limit $3",
    )
    .bind(period.first)
    .bind(period.last)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(day, event, count)| DailyCount { day, event, count })
        .collect())
}
