//! Replies: who may hear them, how far they are, and whether somebody still writes.
use std::time::Duration;

use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;
use sqlx::postgres::types::PgInterval;

use crate::domain::reply::{Reason, ReplyId, ReplyState};
use crate::error::Error;

pub struct NewReply<'a> {
    pub reply_id: ReplyId,
    pub idempotency_key: Option<&'a str>,
    pub fingerprint: [u8; 32],
    pub text_type: &'a str,
    pub lang: &'a str,
    /// Empty where it is unknown.
    pub country: &'a str,
    pub lease: Duration,
    pub created_at: DateTime<Utc>,
}

/// A reply by what it answers.
pub struct Known {
    pub reply_id: ReplyId,
    pub fingerprint: Vec<u8>,
}

pub struct Standing {
    pub state: ReplyState,
    /// Whoever wrote it has not been heard of for longer than the lease.
    pub is_abandoned: bool,
}

#[derive(sqlx::FromRow)]
struct StandingRow {
    state: String,
    failure: Option<String>,
    is_abandoned: bool,
}

/// What a closed reply was about.
#[derive(sqlx::FromRow)]
pub struct Closed {
    pub text_type: String,
    pub lang: String,
    pub country: String,
}

/// False when the key is taken.
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

pub async fn by_key(connection: &mut PgConnection, key: &str) -> Result<Option<Known>, sqlx::Error> {
    let row: Option<(ReplyId, Vec<u8>)> =
        sqlx::query_as("select reply_id, fingerprint from ai_reply where idempotency_key = $1")
            .bind(key)
            .fetch_optional(connection)
            .await?;
    Ok(row.map(|(reply_id, fingerprint)| Known {
        reply_id,
        fingerprint,
    }))
}

pub async fn by_id(connection: &mut PgConnection, reply_id: ReplyId) -> Result<Option<Known>, sqlx::Error> {
    let row: Option<(Vec<u8>,)> = sqlx::query_as("select fingerprint from ai_reply where reply_id = $1")
        .bind(reply_id)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|(fingerprint,)| Known {
        reply_id,
        fingerprint,
    }))
}

/// `None` when it is no longer kept.
pub async fn standing(connection: &mut PgConnection, reply_id: ReplyId) -> Result<Option<Standing>, Error> {
    let row: Option<StandingRow> = sqlx::query_as(
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
    Ok(Some(Standing {
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

/// `None` when somebody has closed it before: the first end stands.
pub async fn close(
    tx: &mut PgConnection,
    reply_id: ReplyId,
    state: ReplyState,
) -> Result<Option<Closed>, sqlx::Error> {
    let (name, failure) = written(state);
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

/// Those that nobody writes any more, locked for whoever closes them.
pub async fn abandoned(tx: &mut PgConnection, at_most: i64) -> Result<Vec<ReplyId>, sqlx::Error> {
    sqlx::query_scalar(
        "select reply_id from ai_reply where state = 'writing' and lease_until < now()
         order by lease_until limit $1 for update skip locked",
    )
    .bind(at_most)
    .fetch_all(tx)
    .await
}

/// With their pieces.
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

fn written(state: ReplyState) -> (&'static str, Option<&'static str>) {
    match state {
        ReplyState::Writing => ("writing", None),
        ReplyState::Finished => ("finished", None),
        ReplyState::Failed(reason) => ("failed", Some(reason.code())),
    }
}

fn read_state(row: &StandingRow) -> Option<ReplyState> {
    match (row.state.as_str(), row.failure.as_deref()) {
        ("writing", None) => Some(ReplyState::Writing),
        ("finished", None) => Some(ReplyState::Finished),
        ("failed", Some(code)) => Some(ReplyState::Failed(Reason::from_code(code)?)),
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
