//! The table of all events, in monthly partitions.
use chrono::NaiveDate;
use kit::bus::CloudEvent;
use sqlx::PgConnection;
use sqlx::types::Json;

/// An event with its `subject_ids`.
pub struct EventWithSubjects<'a> {
    pub event: &'a CloudEvent,
    pub subject_ids: Vec<String>,
}

/// Inserts all events with one statement.
pub async fn insert_all(tx: &mut PgConnection, events: &[EventWithSubjects<'_>]) -> Result<(), sqlx::Error> {
    if events.is_empty() {
        return Ok(());
    }
    // Postgres arrays of arrays need equal lengths, so `subject_ids` are passed as JSON.
    sqlx::query(
        "insert into event (event_id, occurred_at, name, source, subject, lang, country, data, subject_ids)
         select event_id, occurred_at, name, source, subject, lang, country, data,
                array(select jsonb_array_elements_text(subject_ids))
         from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                     $8::jsonb[], $9::jsonb[])
              as events (event_id, occurred_at, name, source, subject, lang, country, data, subject_ids)",
    )
    .bind(column_values(events, |event| event.id.as_str()))
    .bind(column_values(events, |event| event.time))
    .bind(column_values(events, |event| event.r#type.as_str()))
    .bind(column_values(events, |event| event.source.as_str()))
    .bind(column_values(events, |event| event.subject.as_deref()))
    .bind(column_values(events, |event| event.lang.as_deref()))
    .bind(column_values(events, |event| event.country.as_deref()))
    .bind(column_values(events, |event| Json(&event.data)))
    .bind(events.iter().map(|event| Json(&event.subject_ids)).collect::<Vec<_>>())
    .execute(tx)
    .await?;
    Ok(())
}

fn column_values<'a, T>(events: &[EventWithSubjects<'a>], column: impl Fn(&'a CloudEvent) -> T) -> Vec<T> {
    events.iter().map(|event| column(event.event)).collect()
}

/// Creates the partition of the month that begins on `first_day`, unless it exists.
pub async fn make_partition(connection: &mut PgConnection, first_day: NaiveDate) -> Result<(), sqlx::Error> {
    sqlx::query("select make_event_partition($1)")
        .bind(first_day)
        .execute(connection)
        .await?;
    Ok(())
}
