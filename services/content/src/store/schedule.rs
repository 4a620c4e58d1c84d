//! Schedules.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;

use super::content_key;
use crate::domain::{ReleaseId, Schedule, ScheduleId, ScheduleState, Scheduled, StoredValidationError};
use crate::error::Error;

#[derive(sqlx::FromRow)]
struct Row {
    id: ScheduleId,
    item: Option<String>,
    locale: Option<String>,
    release_id: Option<ReleaseId>,
    local_time: String,
    time_zone: String,
    due_at: DateTime<Utc>,
    state: String,
    errors: Json<Vec<StoredValidationError>>,
}

impl Row {
    fn read(self) -> Result<Schedule, Error> {
        let what = match (self.release_id, &self.item, &self.locale) {
            (Some(release), _, _) => Some(Scheduled::Release(release)),
            (None, Some(item), Some(locale)) => {
                Some(Scheduled::Draft(content_key::read("schedule", item, locale)?))
            }
            _ => None,
        };
        let (Some(what), Some(state)) = (what, ScheduleState::from_name(&self.state)) else {
            return Err(Error::BrokenRow {
                table: "schedule",
                id: self.id.to_string(),
                reason: format!("names nothing, or its state is {}", self.state),
            });
        };
        Ok(Schedule {
            id: self.id,
            what,
            local_time: self.local_time,
            time_zone: self.time_zone,
            at: self.due_at,
            state,
            errors: self.errors.0,
        })
    }
}

pub async fn insert(
    connection: &mut PgConnection,
    schedule: &Schedule,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let (content_key, release) = match &schedule.what {
        Scheduled::Draft(content_key) => (Some(content_key), None),
        Scheduled::Release(id) => (None, Some(*id)),
    };
    sqlx::query(
        "insert into schedule (id, item, locale, release_id, local_time, time_zone, due_at, state, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(schedule.id)
    .bind(content_key.map(|content_key| content_key.item.stored()))
    .bind(content_key.map(|content_key| content_key.locale.code()))
    .bind(release)
    .bind(&schedule.local_time)
    .bind(&schedule.time_zone)
    .bind(schedule.at)
    .bind(schedule.state.name())
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find(connection: &mut PgConnection, id: ScheduleId) -> Result<Option<Schedule>, Error> {
    let row: Option<Row> = sqlx::query_as(
        "select id, item, locale, release_id, local_time, time_zone, due_at, state, errors
         from schedule where id = $1",
    )
    .bind(id)
    .fetch_optional(connection)
    .await?;
    row.map(Row::read).transpose()
}

/// The next due schedule without a lock, locked until the transaction ends.
pub async fn claim_due(connection: &mut PgConnection, now: DateTime<Utc>) -> Result<Option<Schedule>, Error> {
    let row: Option<Row> = sqlx::query_as(
        "select id, item, locale, release_id, local_time, time_zone, due_at, state, errors
         from schedule
         where state = 'pending' and due_at <= $1
         order by due_at, id
         limit 1
         for update skip locked",
    )
    .bind(now)
    .fetch_optional(connection)
    .await?;
    row.map(Row::read).transpose()
}

/// Ends one that is still pending; false when it is no longer.
pub async fn finish(
    connection: &mut PgConnection,
    id: ScheduleId,
    state: ScheduleState,
    errors: &[StoredValidationError],
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let done = sqlx::query(
        "update schedule set state = $2, errors = $3, finished_at = $4 where id = $1 and state = 'pending'",
    )
    .bind(id)
    .bind(state.name())
    .bind(Json(errors))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The next ones first.
pub async fn list(
    connection: &mut PgConnection,
    state: Option<ScheduleState>,
    limit: i64,
) -> Result<Vec<Schedule>, Error> {
    let rows: Vec<Row> = sqlx::query_as(
        "select id, item, locale, release_id, local_time, time_zone, due_at, state, errors
         from schedule
         where $1::text is null or state = $1
         order by due_at, id
         limit $2",
    )
    .bind(state.map(ScheduleState::name))
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Row::read).collect()
}
