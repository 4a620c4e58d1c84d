//! How often each event happened on each day.
use chrono::NaiveDate;
use sqlx::PgConnection;

use crate::domain::daily_count::DailyCount;
use crate::domain::period::Period;

pub async fn add_one(tx: &mut PgConnection, day: NaiveDate, event: &str) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into daily_count (day, event, count) values ($1, $2, 1)
         on conflict (day, event) do update set count = daily_count.count + 1",
    )
    .bind(day)
    .bind(event)
    .execute(tx)
    .await?;
    Ok(())
}

/// Newest day first.
pub async fn within(
    connection: &mut PgConnection,
    period: Period,
    at_most: i64,
) -> Result<Vec<DailyCount>, sqlx::Error> {
    let rows: Vec<(NaiveDate, String, i64)> = sqlx::query_as(
        "select day, event, count from daily_count where day between $1 and $2
         order by day desc, event limit $3",
    )
    .bind(period.first)
    .bind(period.last)
    .bind(at_most)
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(day, event, count)| DailyCount { day, event, count })
        .collect())
}
