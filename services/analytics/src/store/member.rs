//! What is kept of a member: every event that is about them.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;

#[derive(sqlx::FromRow)]
pub struct Kept {
    pub event_id: String,
    pub occurred_at: DateTime<Utc>,
    pub name: String,
    pub lang: Option<String>,
    pub country: Option<String>,
    pub data: Json<serde_json::Value>,
}

/// The survey orders they signed up with. One that somebody else named before is not theirs, whatever they say.
pub async fn survey_orders(connection: &mut PgConnection, user_id: &str) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select distinct mine.data ->> 'orderId' from event mine
         where mine.about && array[$1] and mine.name = 'stillpoint.auth.user.registered'
           and mine.data ->> 'orderId' like 'svo\\_%'
           and not exists (
               select from event other
               where other.about && array[mine.data ->> 'orderId']
                 and other.name = 'stillpoint.auth.user.registered'
                 and other.data ->> 'userId' <> $1 and other.occurred_at < mine.occurred_at)",
    )
    .bind(user_id)
    .fetch_all(connection)
    .await
}

/// What stands for their address where a page said who they are. `hashed` stands for their id.
pub async fn hashed_addresses(
    connection: &mut PgConnection,
    hashed: &str,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select distinct data -> 'fields' ->> 'email' from event
         where about && array[$1] and data -> 'fields' ->> 'id' = $1 and data -> 'fields' ->> 'email' <> ''",
    )
    .bind(hashed)
    .fetch_all(connection)
    .await
}

/// Whose events: those found by any of these, and not of another who named what is theirs.
#[derive(Clone, Copy)]
pub struct Whose<'a> {
    pub user_id: &'a str,
    pub found_by: &'a [String],
}

/// Some of what comes after `after`, oldest first.
pub async fn events(
    connection: &mut PgConnection,
    whose: Whose<'_>,
    after: Option<(DateTime<Utc>, &str)>,
    at_most: i64,
) -> Result<Vec<Kept>, sqlx::Error> {
    let (at, id) = after.unwrap_or((DateTime::UNIX_EPOCH, ""));
    sqlx::query_as(
        "select event_id, occurred_at, name, lang, country, data from event
         where about && $1 and (occurred_at, event_id) > ($3, $4)
           and coalesce(nullif(data ->> 'userId', ''), nullif(data -> 'fields' ->> 'userid', ''), $2) = $2
         order by occurred_at, event_id limit $5",
    )
    .bind(whose.found_by)
    .bind(whose.user_id)
    .bind(at)
    .bind(id)
    .bind(at_most)
    .fetch_all(connection)
    .await
}

/// The counts stay: they are about nobody.
pub async fn delete_events(connection: &mut PgConnection, whose: Whose<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "delete from event where about && $1
         and coalesce(nullif(data ->> 'userId', ''), nullif(data -> 'fields' ->> 'userid', ''), $2) = $2",
    )
    .bind(whose.found_by)
    .bind(whose.user_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Who has reported that this erasure is done, as far as it has come here.
pub async fn reports(connection: &mut PgConnection, erasure_id: &str) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select data ->> 'service' from event
         where about && array[$1] and name like 'stillpoint.%.member\\_data.erased'",
    )
    .bind(erasure_id)
    .fetch_all(connection)
    .await
}
