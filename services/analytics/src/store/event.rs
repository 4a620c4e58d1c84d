//! Every event, in monthly partitions.
use chrono::NaiveDate;
use kit::bus::CloudEvent;
use sqlx::PgConnection;
use sqlx::types::Json;

/// An event and whom it is about.
pub struct Told<'a> {
    pub event: &'a CloudEvent,
    pub about: Vec<String>,
}

/// One row for each, in one statement.
pub async fn insert_all(tx: &mut PgConnection, told: &[Told<'_>]) -> Result<(), sqlx::Error> {
    if told.is_empty() {
        return Ok(());
    }
    // An array of each row's own length does not fit into an array of arrays: `about` goes as JSON.
    sqlx::query(
        "insert into event (event_id, occurred_at, name, source, subject, lang, country, data, about)
         select event_id, occurred_at, name, source, subject, lang, country, data,
                array(select jsonb_array_elements_text(about))
         from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                     $8::jsonb[], $9::jsonb[])
              as told (event_id, occurred_at, name, source, subject, lang, country, data, about)",
    )
    .bind(each(told, |event| event.id.as_str()))
    .bind(each(told, |event| event.time))
    .bind(each(told, |event| event.r#type.as_str()))
    .bind(each(told, |event| event.source.as_str()))
    .bind(each(told, |event| event.subject.as_deref()))
    .bind(each(told, |event| event.lang.as_deref()))
    .bind(each(told, |event| event.country.as_deref()))
    .bind(each(told, |event| Json(&event.data)))
    .bind(told.iter().map(|told| Json(&told.about)).collect::<Vec<_>>())
    .execute(tx)
    .await?;
    Ok(())
}

fn each<'a, T>(told: &[Told<'a>], column: impl Fn(&'a CloudEvent) -> T) -> Vec<T> {
    told.iter().map(|told| column(told.event)).collect()
}

/// Makes the partition of the month that begins on `first_day`; does nothing when it is there.
pub async fn make_partition(connection: &mut PgConnection, first_day: NaiveDate) -> Result<(), sqlx::Error> {
    sqlx::query("select make_event_partition($1)")
        .bind(first_day)
        .execute(connection)
        .await?;
    Ok(())
}
