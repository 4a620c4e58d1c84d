//! Replies: idempotency key, state and lease.
use std::time::Duration;

use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;
use sqlx::postgres::types::PgInterval;

use crate::domain::reply::{FailureReason, ReplyId, ReplyState};
use crate::error::Error;

pub struct NewReply<'a> {
    pub reply_id: ReplyId,
    pub idempotency_key: Option<&'a str>,
    pub fingerprint: [u8; 32],
    pub text_type: &'a str,
    pub lang: &'a str,
    /// Empty if unknown.
    pub country: &'a str,
    pub lease: Duration,
    pub created_at: DateTime<Utc>,
}

/// A reply's id and the fingerprint of its question.
pub struct ReplyIdentity {
    pub reply_id: ReplyId,
    pub fingerprint: Vec<u8>,
}

pub struct ReplyStatus {
    pub state: ReplyState,
    /// The lease has expired.
    pub is_abandoned: bool,
}

#[derive(sqlx::FromRow)]
struct StatusRow {
    state: String,
    failure: Option<String>,
    is_abandoned: bool,
}

/// Fields of a closed reply for its event.
#[derive(sqlx::FromRow)]
pub struct ClosedReply {
    pub text_type: String,
    pub lang: String,
    pub country: String,
}

/// False if a reply with this key exists.
pub async fn insert(connection: &mut PgConnection, new: &NewReply<'_>) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query(
        "insert into ai_reply
             (reply_id, idempotency_key, fingerprint, text_type, lang, country, state, lease_until, created_at)
         values ($1, $2, $3, $4, $5, $6, 'writing', now() + $7, $8)
         on conflict (idempotency_key) do nothing",
    )
    .bind(new.reply_id)
    .bind(new.idempotency_key)
    .bind(new.fingerprint.as_slice())
    .bind(new.text_type)
    .bind(new.lang)
    .bind(new.country)
    .bind(interval(new.lease))
    .bind(new.created_at)
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

pub async fn find_by_key(
    connection: &mut PgConnection,
    key: &str,
) -> Result<Option<ReplyIdentity>, sqlx::Error> {
    let row: Option<(ReplyId, Vec<u8>)> =
        sqlx::query_as("select reply_id, fingerprint from ai_reply where idempotency_key = $1")
            .bind(key)
            .fetch_optional(connection)
            .await?;
    Ok(row.map(|(reply_id, fingerprint)| ReplyIdentity {
        reply_id,
        fingerprint,
    }))
}

pub async fn find_by_id(
    connection: &mut PgConnection,
    reply_id: ReplyId,
) -> Result<Option<ReplyIdentity>, sqlx::Error> {
    let row: Option<(Vec<u8>,)> = sqlx::query_as("select fingerprint from ai_reply where reply_id = $1")
        .bind(reply_id)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|(fingerprint,)| ReplyIdentity {
        reply_id,
        fingerprint,
    }))
}

/// `None` if the reply is purged.
pub async fn status(connection: &mut PgConnection, reply_id: ReplyId) -> Result<Option<ReplyStatus>, Error> {
    let row: Option<StatusRow> = sqlx::query_as(
        "select state, failure, state = 'writing' and lease_until < now() as is_abandoned
         from ai_reply where reply_id = $1",
    )
    .bind(reply_id)
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let state = read_state(&row).ok_or_else(|| Error::Inconsistent {
        column: "state",
        reply_id: reply_id.to_string(),
    })?;
    Ok(Some(ReplyStatus {
        state,
        is_abandoned: row.is_abandoned,
    }))
}

pub async fn extend_lease(
    connection: &mut PgConnection,
    reply_id: ReplyId,
    lease: Duration,
) -> Result<(), sqlx::Error> {
    sqlx::query("update ai_reply set lease_until = now() + $2 where reply_id = $1 and state = 'writing'")
        .bind(reply_id)
        .bind(interval(lease))
        .execute(connection)
        .await?;
    Ok(())
}

/// `None` if the reply was closed before: the first result is final.
pub async fn close(
    tx: &mut PgConnection,
    reply_id: ReplyId,
    state: ReplyState,
) -> Result<Option<ClosedReply>, sqlx::Error> {
    let (name, failure) = state_columns(state);
    sqlx::query_as(
        "update ai_reply set state = $2, failure = $3 where reply_id = $1 and state = 'writing'
         returning text_type, lang, country",
    )
    .bind(reply_id)
    .bind(name)
    .bind(failure)
    .fetch_optional(tx)
    .await
}

/// Replies with an expired lease, locked.
pub async fn lock_abandoned(tx: &mut PgConnection, limit: i64) -> Result<Vec<ReplyId>, sqlx::Error> {
    sqlx::query_scalar(
        "select reply_id from ai_reply where state = 'writing' and lease_until < now()
         order by lease_until limit $1 for update skip locked",
    )
    .bind(limit)
    .fetch_all(tx)
    .await
}

/// Deletes their chunks too (`on delete cascade`).
pub async fn delete_older(
    connection: &mut PgConnection,
    than: DateTime<Utc>,
    batch: i64,
) -> Result<(), sqlx::Error> {
    delete_in_batches(
        connection,
        "delete from ai_reply where reply_id in
         (select reply_id from ai_reply where created_at < $1 and state <> 'writing'
          order by created_at limit $2 for update skip locked)",
        than,
        batch,
    )
    .await
}

fn state_columns(state: ReplyState) -> (&'static str, Option<&'static str>) {
    match state {
        ReplyState::Writing => ("writing", None),
        ReplyState::Finished => ("finished", None),
        ReplyState::Failed(reason) => ("failed", Some(reason.code())),
    }
}

fn read_state(row: &StatusRow) -> Option<ReplyState> {
    match (row.state.as_str(), row.failure.as_deref()) {
        ("writing", None) => Some(ReplyState::Writing),
        ("finished", None) => Some(ReplyState::Finished),
        ("failed", Some(code)) => Some(ReplyState::Failed(FailureReason::from_code(code)?)),
        _ => None,
    }
}

/// A lease is seconds, far below what an interval can hold.
fn interval(lease: Duration) -> PgInterval {
    PgInterval {
        months: 0,
        days: 0,
        microseconds: i64::try_from(lease.as_micros()).unwrap_or(i64::MAX),
    }
}
