//! How often each event happened on each day.
use chrono::NaiveDate;
use sqlx::PgConnection;

use crate::domain::period::Period;

#[derive(Debug, sqlx::FromRow)]
pub struct DailyCount {
    pub day: NaiveDate,
    pub event: String,
    pub count: i64,
}

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
    sqlx::query_as(
        "select day, event, count from daily_count where day between $1 and $2
         order by day desc, event limit $3",
    )
    .bind(period.first)
    .bind(period.last)
    .bind(at_most)
    .fetch_all(connection)
    .await
}
