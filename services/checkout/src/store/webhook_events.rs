//! What providers told us, as it arrived.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use super::{StoreError, Stored};
use crate::domain::notice::{Notice, Receipt};
use crate::domain::provider::Provider;

/// A notification that has just come.
pub struct Arrived<'a> {
    pub provider: Provider,
    pub notice: &'a Notice,
    /// Nothing of somebody who is erased: then only that it came is kept.
    pub body: Option<&'a [u8]>,
    pub received_at: DateTime<Utc>,
    /// Should whoever follows it up now not come to an end; `None`: there is nothing to follow up.
    pub next_try_at: Option<DateTime<Utc>>,
}

pub async fn insert(conn: &mut PgConnection, arrived: &Arrived<'_>) -> Stored<Receipt> {
    let Arrived { notice, body, .. } = arrived;
    let inserted = sqlx::query(
        "insert into webhook_event (provider, event_id, kind, body, received_at, provider_customer_id, next_try_at,
             provider_subject_id)
         values ($6, $1, $2, $3, $4, $5, $7, $8) on conflict do nothing",
    )
    .bind(&notice.event_id)
    .bind(&notice.kind)
    .bind(body.unwrap_or_default())
    .bind(arrived.received_at)
    .bind(body.and(notice.customer.as_deref()))
    .bind(arrived.provider.name())
    .bind(arrived.next_try_at)
    .bind(body.and(notice.subject.id()))
    .execute(conn)
    .await?;
    Ok(if inserted.rows_affected() == 1 {
        Receipt::First
    } else {
        Receipt::Duplicate
    })
}

/// As it arrived; empty of somebody who is erased.
pub async fn body(conn: &mut PgConnection, provider: Provider, event_id: &str) -> Stored<Option<Vec<u8>>> {
    let found = sqlx::query_scalar("select body from webhook_event where provider = $1 and event_id = $2")
        .bind(provider.name())
        .bind(event_id)
        .fetch_optional(conn)
        .await?;
    Ok(found)
}

/// Everything the provider has told of one of its objects, newest first.
pub async fn bodies_about(
    conn: &mut PgConnection,
    provider: Provider,
    subject: &str,
) -> Stored<Vec<Vec<u8>>> {
    let found = sqlx::query_scalar(
        "select body from webhook_event where provider = $1 and provider_subject_id = $2 and body <> ''
         order by received_at desc limit 20",
    )
    .bind(provider.name())
    .bind(subject)
    .fetch_all(conn)
    .await?;
    Ok(found)
}

/// A notification that is still to be followed up.
#[derive(Debug, Clone)]
pub struct Due {
    pub provider: Provider,
    pub event_id: String,
    pub body: Vec<u8>,
    pub tries: i32,
}

/// Takes what is due for `lease`: should its holder die, somebody else finds it due again afterwards.
pub async fn lease_due(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
    lease: TimeDelta,
    limit: i64,
) -> Stored<Vec<Due>> {
    let rows: Vec<(String, String, Vec<u8>, i32)> = sqlx::query_as(
        "update webhook_event set next_try_at = $2, tries = tries + 1
         where (provider, event_id) in (
             select provider, event_id from webhook_event
             where next_try_at <= $1 order by next_try_at limit $3
             for update skip locked)
         returning provider, event_id, body, tries",
    )
    .bind(now)
    .bind(now + lease)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|(provider, event_id, body, tries)| {
            let known = Provider::named(&provider);
            Ok(Due {
                provider: known
                    .ok_or_else(|| StoreError::inconsistent("webhook_event", "provider", &event_id))?,
                event_id,
                body,
                tries,
            })
        })
        .collect()
}

pub async fn done(conn: &mut PgConnection, provider: Provider, event_ids: &[String]) -> Stored<()> {
    sqlx::query(
        "update webhook_event set next_try_at = null, last_error = null, dead_at = null
         where provider = $1 and event_id = any($2)",
    )
    .bind(provider.name())
    .bind(event_ids)
    .execute(conn)
    .await?;
    Ok(())
}

/// Without a next try it is given up.
pub async fn failed(
    conn: &mut PgConnection,
    event: &Due,
    error: &str,
    next_try_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Stored<()> {
    sqlx::query(
        "update webhook_event set next_try_at = $3, last_error = $4, dead_at = case when $3 is null then $5 end
         where provider = $1 and event_id = $2",
    )
    .bind(event.provider.name())
    .bind(&event.event_id)
    .bind(next_try_at)
    .bind(error)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// As if it came now, by whichever clock.
pub async fn revive(conn: &mut PgConnection, provider: Provider, event_id: &str) -> Stored<()> {
    sqlx::query(
        "update webhook_event set next_try_at = '-infinity', tries = 0, last_error = null, dead_at = null
         where provider = $1 and event_id = $2",
    )
    .bind(provider.name())
    .bind(event_id)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn count_dead(conn: &mut PgConnection) -> Stored<i64> {
    let count = sqlx::query_scalar("select count(*) from webhook_event where dead_at is not null")
        .fetch_one(conn)
        .await?;
    Ok(count)
}

/// Those that are given up, with why, newest first.
pub async fn dead(conn: &mut PgConnection, limit: i64) -> Stored<Vec<(String, String, String, String)>> {
    let dead = sqlx::query_as(
        "select provider, event_id, kind, coalesce(last_error, '') from webhook_event
         where dead_at is not null order by dead_at desc, event_id limit $1",
    )
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(dead)
}
