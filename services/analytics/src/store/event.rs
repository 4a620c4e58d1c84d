//! Every event, in monthly partitions.
use chrono::NaiveDate;
use kit::bus::CloudEvent;
use sqlx::PgConnection;
use sqlx::types::Json;

pub async fn insert(tx: &mut PgConnection, event: &CloudEvent, about: &[String]) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into event (event_id, occurred_at, name, source, subject, lang, country, data, about)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&event.id)
    .bind(event.time)
    .bind(&event.r#type)
    .bind(&event.source)
    .bind(&event.subject)
    .bind(&event.lang)
    .bind(&event.country)
    .bind(Json(&event.data))
    .bind(about)
    .execute(tx)
    .await?;
    Ok(())
}

/// Makes the partition of the month that begins on `first_day`; does nothing when it is there.
pub async fn make_partition(connection: &mut PgConnection, first_day: NaiveDate) -> Result<(), sqlx::Error> {
    sqlx::query("select make_event_partition($1)")
        .bind(first_day)
        .execute(connection)
        .await?;
    Ok(())
}
