//! Webhook events as received.

use chrono::{DateTime, Utc};
use kit::due_queue::DueQueue;
use kit::erasure::tombstone_arguments;
use sqlx::PgConnection;

use super::{StoreError, Stored};
use crate::domain::provider::Provider;
use crate::domain::webhook_event::{IngestResult, WebhookEvent, WebhookObject};
use crate::store::payment::payments::payment_ref;

/// A new webhook event.
pub struct NewWebhookEvent<'a> {
    pub provider: Provider,
    pub event: &'a WebhookEvent,
    pub body: &'a [u8],
    pub received_at: DateTime<Utc>,
    /// Next attempt if the processing fails, or if the event precedes its object.
    pub next_attempt_at: DateTime<Utc>,
}

/// Stores a new event and schedules the sync of its object now. One statement, because a purchase causes
/// several events. For an erased member only the receipt is stored.
///
/// `$1` to `$2` are of `payment_ref!`; `$11`: the object is fetched at once, `$12`: it concerns refunds.
macro_rules! receive {
    ($payment_ref:expr) => {
        concat!(
            "with payment_ref as (",
            $payment_ref,
            "),
             known as (
                 select coalesce((select is_synced from payment_ref), false) as is_synced,
                     exists (select from payment_ref) as is_known),
             tombstoned as materialized (select is_tombstoned($9, $10) as yes),
             inserted as (
                 insert into webhook_event (provider, event_id, kind, body, received_at, provider_customer_id,
                     next_attempt_at, provider_object_id)
                 select $1, $3, $4, case when yes then '' else $5 end, $6, case when not yes then $7 end,
                     case when $11 and not is_synced or $12 and not is_known then $8 end,
                     case when not yes then $2 end
                 from tombstoned, known
                 on conflict do nothing
                 returning event_id),
             scheduled as (
                 update billing_state billing set due_at = 'epoch', sync_attempts = 0
                 from inserted, payment_ref join subscription using (order_id)
                 where subscription.subscription_id = billing.subscription_id and has_billing_state and not $12
                     and (due_at is distinct from 'epoch' or sync_attempts <> 0)),
             reconciliation as (
                 insert into refund_reconciliation (payment_id, next_check_at)
                 select payment_id, '-infinity' from payment_ref, inserted where $12
                 on conflict (payment_id) do update set next_check_at = excluded.next_check_at, poll_count = 0)
             select is_synced from known, inserted"
        )
    };
}

pub async fn receive(conn: &mut PgConnection, received: &NewWebhookEvent<'_>) -> Stored<IngestResult> {
    let NewWebhookEvent { event, .. } = received;
    let object = &event.object;
    let statement = match object {
        WebhookObject::Subscription(_) => receive!(payment_ref!(subscription)),
        // The invoice's own notifications lead to a renewal.
        WebhookObject::PaymentIntent(_) => receive!(payment_ref!(first_intent)),
        WebhookObject::RefundsOf(_) => receive!(payment_ref!(intent)),
        WebhookObject::Reversal(_) | WebhookObject::PreAuthorization(_) | WebhookObject::Other => {
            receive!(payment_ref!(nothing))
        }
    };
    let about: Vec<String> = event
        .customer
        .as_deref()
        .into_iter()
        .chain(object.id())
        .map(ToOwned::to_owned)
        .collect();
    let (keys, marks) = tombstone_arguments(&about);
    let is_synced: Option<bool> = sqlx::query_scalar(statement)
        .bind(received.provider.name())
        .bind(object.id())
        .bind(&event.event_id)
        .bind(&event.kind)
        .bind(received.body)
        .bind(received.received_at)
        .bind(&event.customer)
        .bind(received.next_attempt_at)
        .bind(keys)
        .bind(marks)
        .bind(object.is_fetched_at_once())
        .bind(matches!(object, WebhookObject::RefundsOf(_)))
        .fetch_optional(conn)
        .await?;
    Ok(match is_synced {
        None => IngestResult::Duplicate,
        Some(is_synced) => IngestResult::First {
            needs_fetch: object.is_fetched_at_once() && !is_synced,
        },
    })
}

/// The body as received; empty for an erased member.
pub async fn body(conn: &mut PgConnection, provider: Provider, event_id: &str) -> Stored<Option<Vec<u8>>> {
    let found = sqlx::query_scalar("select body from webhook_event where provider = $1 and event_id = $2")
        .bind(provider.name())
        .bind(event_id)
        .fetch_optional(conn)
        .await?;
    Ok(found)
}

/// The stored bodies of a provider's object, newest first.
pub async fn bodies_about(
    conn: &mut PgConnection,
    provider: Provider,
    subject: &str,
) -> Stored<Vec<Vec<u8>>> {
    let found = sqlx::query_scalar(
        "select body from webhook_event where provider = $1 and provider_object_id = $2 and body <> ''
         order by received_at desc limit 20",
    )
    .bind(provider.name())
    .bind(subject)
    .fetch_all(conn)
    .await?;
    Ok(found)
}

/// Webhook events that are due for processing.
pub const QUEUE: DueQueue = kit::due_queue! {
    table: "webhook_event",
    key: "provider, event_id",
    due_at: "next_attempt_at",
    attempts: "attempts",
    returning: "provider, event_id, body, attempts, received_at",
};

#[derive(Debug, Clone, sqlx::FromRow)]
pub struct DueWebhook {
    provider: String,
    pub event_id: String,
    pub body: Vec<u8>,
    /// This one included.
    pub attempts: i32,
    pub received_at: DateTime<Utc>,
}

impl DueWebhook {
    pub fn provider(&self) -> Stored<Provider> {
        Provider::named(&self.provider)
            .ok_or_else(|| StoreError::inconsistent("webhook_event", "provider", &self.event_id))
    }
}

pub async fn done(conn: &mut PgConnection, provider: Provider, event_ids: &[String]) -> Stored<()> {
    sqlx::query(
        "update webhook_event set next_attempt_at = null, last_error = null, dead_lettered_at = null
         where provider = $1 and event_id = any($2)",
    )
    .bind(provider.name())
    .bind(event_ids)
    .execute(conn)
    .await?;
    Ok(())
}

/// Without a next attempt it is dead-lettered.
pub async fn failed(
    conn: &mut PgConnection,
    event: &DueWebhook,
    error: &str,
    next_try_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Stored<()> {
    sqlx::query(
        "update webhook_event set next_attempt_at = $3, last_error = $4,
             dead_lettered_at = case when $3 is null then $5 end
         where provider = $1 and event_id = $2",
    )
    .bind(&event.provider)
    .bind(&event.event_id)
    .bind(next_try_at)
    .bind(error)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Schedules it now, independent of the clock.
pub async fn schedule_now(conn: &mut PgConnection, provider: Provider, event_id: &str) -> Stored<()> {
    sqlx::query(
        "update webhook_event set next_attempt_at = '-infinity', attempts = 0, last_error = null, dead_lettered_at = null
         where provider = $1 and event_id = $2",
    )
    .bind(provider.name())
    .bind(event_id)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn count_dead_lettered(conn: &mut PgConnection) -> Stored<i64> {
    let count = sqlx::query_scalar("select count(*) from webhook_event where dead_lettered_at is not null")
        .fetch_one(conn)
        .await?;
    Ok(count)
}

/// Dead-lettered events with their errors, newest first.
pub async fn list_dead_lettered(
    conn: &mut PgConnection,
    limit: i64,
) -> Stored<Vec<(String, String, String, String)>> {
    let dead = sqlx::query_as(
        "select provider, event_id, kind, coalesce(last_error, '') from webhook_event
         where dead_lettered_at is not null order by dead_lettered_at desc, event_id limit $1",
    )
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(dead)
}
