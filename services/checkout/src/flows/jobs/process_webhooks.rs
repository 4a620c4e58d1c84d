//! Processes stored webhook events whose processing failed. After repeated failures an event is dead-lettered:
//! it keeps its error, is counted, and can be replayed.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use kit::due_queue::FailedAttempt;
use kit::reconciler::Reconciler;
use kit::telemetry::gauge_value;

use crate::domain::webhook_event::RETRIES;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::not_configured::provider_of;
use crate::flows::steps::webhook::process_webhook::process;
use crate::store::webhook_events::{self, DueWebhook, QUEUE};

const LEASE: TimeDelta = TimeDelta::minutes(1);

pub struct WebhookReconciler(pub Arc<Checkout>);

#[async_trait]
impl Reconciler for WebhookReconciler {
    type Item = DueWebhook;
    type Error = Error;
    const NAME: &'static str = "process-webhooks";
    const CONCURRENCY: usize = 1;

    async fn lease(&self, limit: i64) -> Result<Vec<DueWebhook>> {
        let Self(checkout) = self;
        let mut connection = checkout.pool.acquire().await?;
        let dead_lettered = webhook_events::count_dead_lettered(&mut connection).await?;
        metrics::gauge!("checkout_webhooks_dead_lettered").set(gauge_value(dead_lettered));
        let now = checkout.clock.now();
        Ok(QUEUE.lease(&mut *connection, now, LEASE, limit).await?)
    }

    fn id(event: &DueWebhook) -> String {
        event.event_id.clone()
    }

    async fn process(&self, event: DueWebhook) -> Result<()> {
        let Self(checkout) = self;
        let Err(error) = process_one(checkout, &event).await else {
            let mut connection = checkout.pool.acquire().await?;
            let done = std::slice::from_ref(&event.event_id);
            return Ok(webhook_events::done(&mut connection, event.provider()?, done).await?);
        };
        fail(checkout, &event, error).await
    }
}

async fn process_one(checkout: &Checkout, event: &DueWebhook) -> Result<()> {
    // The member is erased: only the receipt of the event is stored.
    if event.body.is_empty() {
        return Ok(());
    }
    let provider = event.provider()?;
    let port = checkout.providers.of(provider)?;
    let read = port.webhooks().read_stored(&event.body)?;
    process(checkout, provider, &read).await
}

/// Schedules the next attempt and returns the error, or dead-letters the event.
async fn fail(checkout: &Checkout, event: &DueWebhook, error: Error) -> Result<()> {
    let now = checkout.clock.now();
    let failed = FailedAttempt {
        id: event.event_id.clone(),
        attempts: event.attempts,
        created_at: event.received_at,
        error: describe(&error),
    };
    let next = if provider_of(&error).is_none() {
        QUEUE.next_attempt(&RETRIES, &failed, now)
    } else {
        // A provider that is not configured fails every attempt. The event can be replayed once it is configured.
        QUEUE.give_up(&failed);
        None
    };
    let mut connection = checkout.pool.acquire().await?;
    webhook_events::failed(&mut connection, event, &failed.error, next, now).await?;
    next.map_or(Ok(()), |_| Err(error))
}

fn describe(error: &Error) -> String {
    let mut text = error.to_string();
    text.truncate(text.floor_char_boundary(500));
    text
}
