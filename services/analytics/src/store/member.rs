//! Queries for all events about a member.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;

#[derive(sqlx::FromRow)]
pub struct MemberEvent {
    pub event_id: String,
    pub occurred_at: DateTime<Utc>,
    pub name: String,
    pub lang: Option<String>,
    pub country: Option<String>,
    pub data: Json<serde_json::Value>,
}

/// Survey orders that the member named at sign-up, except those that another member named before.
pub async fn list_survey_orders(
    connection: &mut PgConnection,
    user_id: &str,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select distinct own.data ->> 'orderId' from event own
         where own.subject_ids && array[$1] and own.name = 'stillpoint.auth.user.registered'
           and own.data ->> 'orderId' like 'svo\\_%'
           and not exists (
               select from event other
               where other.subject_ids && array[own.data ->> 'orderId']
                 and other.name = 'stillpoint.auth.user.registered'
                 and other.data ->> 'userId' <> $1 and other.occurred_at < own.occurred_at)",
    )
    .bind(user_id)
    .fetch_all(connection)
    .await
}

/// Keyed hashes of the member's e-mail addresses. `hashed` is the keyed hash of the member's id.
pub async fn list_hashed_addresses(
    connection: &mut PgConnection,
    hashed: &str,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select distinct data -> 'fields' ->> 'email' from event
         where subject_ids && array[$1] and data -> 'fields' ->> 'id' = $1 and data -> 'fields' ->> 'email' <> ''",
    )
    .bind(hashed)
    .fetch_all(connection)
    .await
}

/// Selects events with any of the identifiers, except those with another member's id.
#[derive(Clone, Copy)]
pub struct SubjectFilter<'a> {
    pub user_id: &'a str,
    pub identifiers: &'a [String],
}

/// One page of events after `after`, oldest first.
pub async fn list_events(
    connection: &mut PgConnection,
    filter: SubjectFilter<'_>,
    after: Option<(DateTime<Utc>, &str)>,
    limit: i64,
) -> Result<Vec<MemberEvent>, sqlx::Error> {
    let (at, id) = after.unwrap_or((DateTime::UNIX_EPOCH, ""));
    sqlx::query_as(
        "select event_id, occurred_at, name, lang, country, data from event
         where subject_ids && $1 and (occurred_at, event_id) > ($3, $4)
           and coalesce(nullif(data ->> 'userId', ''), nullif(data -> 'fields' ->> 'userid', ''), $2) = $2
         order by occurred_at, event_id limit $5",
    )
    .bind(filter.identifiers)
    .bind(filter.user_id)
    .bind(at)
    .bind(id)
    .bind(limit)
    .fetch_all(connection)
    .await
}

/// The daily counts stay: they contain no personal data.
pub async fn delete_events(
    connection: &mut PgConnection,
    filter: SubjectFilter<'_>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "delete from event where subject_ids && $1
         and coalesce(nullif(data ->> 'userId', ''), nullif(data -> 'fields' ->> 'userid', ''), $2) = $2",
    )
    .bind(filter.identifiers)
    .bind(filter.user_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Services whose `member_data.erased` event for this erasure has arrived.
pub async fn list_erasure_reports(
    connection: &mut PgConnection,
    erasure_id: &str,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select data ->> 'service' from event
         where subject_ids && array[$1] and name like 'stillpoint.%.member\\_data.erased'",
    )
    .bind(erasure_id)
    .fetch_all(connection)
    .await
}
