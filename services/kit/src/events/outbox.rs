//! Transactional outbox: state and event commit in one transaction; a relay publishes the event afterwards.

mod relay;
mod rows;

use std::borrow::Cow;
use std::fmt::Display;

use chrono::{DateTime, Utc};
use proto::events::Event;
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

/// Prefix of the LISTEN/NOTIFY channel; the schema follows, because channels span the database.
const NOTIFY_CHANNEL: &str = "outbox_";

/// An event to be written.
#[derive(Clone, Debug)]
pub struct NewEvent {
    subject: Cow<'static, str>,
    key: String,
    data: serde_json::Value,
    lang: Option<String>,
    country: Option<String>,
    /// The trace at construction: the event may be written later.
    traceparent: Option<String>,
}

impl NewEvent {
    /// `key` is the id of the entity: events of one key are published in the order they were written. Language and country
    /// are the requester's until others are set.
    pub fn new<E: Event>(key: impl Display, data: &E) -> Result<Self, serde_json::Error> {
        Self::with_subject(E::SUBJECT, key, data)
    }

    /// For messages whose subject varies.
    pub(crate) fn with_subject(
        subject: impl Into<Cow<'static, str>>,
        key: impl Display,
        data: &impl Serialize,
    ) -> Result<Self, serde_json::Error> {
        let Requester { lang, country } = requester::current();
        Ok(Self {
            subject: subject.into(),
            key: key.to_string(),
            data: serde_json::to_value(data)?,
            lang,
            country,
            traceparent: telemetry::current_traceparent(),
        })
    }

    /// Language of the person concerned. Empty leaves the requester's.
    #[must_use]
    pub fn lang(mut self, lang: &str) -> Self {
        if !lang.is_empty() {
            self.lang = Some(lang.to_owned());
        }
        self
    }

    /// As [`NewEvent::lang`].
    #[must_use]
    pub fn country(mut self, country: &str) -> Self {
        if !country.is_empty() {
            self.country = Some(country.to_owned());
        }
        self
    }

    /// Assigns the id, for [`append_all`].
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
            ..CloudEvent::new(id.to_string(), &self.subject, time, self.data)
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

/// As [`append`] for several events of [`NewEvent::into_event`] in one statement.
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

/// Publishes all events since a time again, in the same order and under the same ids: for a stream that lost its
/// last minutes, or a new consumer. Consumers skip applied events. Returns their number.
pub async fn replay(pool: &Pool, since: DateTime<Utc>) -> Result<u64, sqlx::Error> {
    let mut tx = crate::database::begin(pool).await?;
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
