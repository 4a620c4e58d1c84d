//! State and the event that tells of it commit in one transaction; a relay publishes the event afterwards.

mod relay;
mod rows;

use std::fmt::Display;

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

pub use relay::Relay;

use crate::bus::CloudEvent;
use crate::clock::Clock;
use crate::database::Pool;
use crate::ids::new_uuid;
use crate::requester::{self, Requester};
use crate::telemetry;

/// Where `append` rings, followed by the schema: a channel spans the whole database.
const NOTIFY_CHANNEL: &str = "outbox_";

/// An event that has not been written yet.
#[derive(Clone, Debug)]
pub struct NewEvent {
    subject: &'static str,
    key: String,
    data: serde_json::Value,
    lang: Option<String>,
    country: Option<String>,
    /// Of where it was drafted: it may be written later, and elsewhere.
    traceparent: Option<String>,
}

impl NewEvent {
    /// `subject` in full, such as `stillpoint.checkout.subscription.activated`; `key` is the id of what it happened to:
    /// events of one key are published in the order they were written. `data` is the `proto::events` message. Language and
    /// country are the requester's until others are set.
    pub fn new(
        subject: &'static str,
        key: impl Display,
        data: &impl Serialize,
    ) -> Result<Self, serde_json::Error> {
        let Requester { lang, country } = requester::current();
        Ok(Self {
            subject,
            key: key.to_string(),
            data: serde_json::to_value(data)?,
            lang,
            country,
            traceparent: telemetry::current_traceparent(),
        })
    }

    /// Of the person it is about. Empty counts as unknown: the requester's language stays.
    #[must_use]
    pub fn lang(mut self, lang: &str) -> Self {
        if !lang.is_empty() {
            self.lang = Some(lang.to_owned());
        }
        self
    }

    /// As [`Draft::lang`].
    #[must_use]
    pub fn country(mut self, country: &str) -> Self {
        if !country.is_empty() {
            self.country = Some(country.to_owned());
        }
        self
    }

    /// What [`append_all`] takes, under the id that it keeps.
    #[must_use]
    pub fn into_event(self, clock: &Clock) -> CloudEvent {
        let now = clock.now();
        self.event(new_uuid(now), now)
    }

    fn event(self, id: Uuid, time: DateTime<Utc>) -> CloudEvent {
        CloudEvent {
            subject: Some(self.key),
            lang: self.lang,
            country: self.country,
            traceparent: self.traceparent,
            ..CloudEvent::new(id.to_string(), self.subject, time, self.data)
        }
    }
}

/// Writes the event into the open transaction and wakes the relays when that commits. Returns the event's id.
pub async fn append(tx: &mut PgConnection, clock: &Clock, draft: NewEvent) -> Result<Uuid, sqlx::Error> {
    let now = clock.now();
    let id = new_uuid(now);
    let key = draft.key.clone();
    let event = draft.event(id, now);
    sqlx::query(
        "with written as (
             insert into outbox (id, key, event, created_at) values ($1, $2, $3, $4) returning seq)
         select pg_notify($5 || current_schema(), '') from written",
    )
    .bind(id)
    .bind(key)
    .bind(sqlx::types::Json(event))
    .bind(now)
    .bind(NOTIFY_CHANNEL)
    .execute(tx)
    .await?;
    Ok(id)
}

/// As [`append`], many in one statement: of [`Draft::into_event`].
pub async fn append_all(tx: &mut PgConnection, events: &[CloudEvent]) -> Result<(), sqlx::Error> {
    sqlx::query(
        "with written as (
             insert into outbox (id, key, event, created_at)
             select (event ->> 'id')::uuid, event ->> 'subject', event, (event ->> 'time')::timestamptz
             from unnest($1::jsonb[]) as event
             returning seq)
         select pg_notify($2 || current_schema(), '') from (select from written limit 1) as any_of_them",
    )
    .bind(events.iter().map(sqlx::types::Json).collect::<Vec<_>>())
    .bind(NOTIFY_CHANNEL)
    .execute(tx)
    .await?;
    Ok(())
}

/// Publishes again everything written since then, in the same order and under the same ids: for a stream that lost its
/// last minutes, or a consumer that came late. Consumers skip what they have applied. Returns how many.
pub async fn replay(pool: &Pool, since: DateTime<Utc>) -> Result<u64, sqlx::Error> {
    let mut tx = pool.begin().await?;
    let reopened = sqlx::query(
        "update outbox set published_at = null, claimed_until = '-infinity', attempts = 0
         where created_at >= $1 and published_at is not null",
    )
    .bind(since)
    .execute(&mut *tx)
    .await?;
    sqlx::query("select pg_notify($1 || current_schema(), '')")
        .bind(NOTIFY_CHANNEL)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(reopened.rows_affected())
}
