//! Processes stored webhook events whose processing failed. After repeated failures an event is dead-lettered:
//! it keeps its error, is counted, and can be replayed.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use kit::reconciler::Reconciler;
use kit::telemetry::gauge_value;

use crate::domain::payment::poll_schedule::backoff;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::api::receive_webhook::process;
use crate::flows::steps::payment::not_configured::provider_of;
use crate::store::webhook_events::{self, DueWebhook, QUEUE};

const LEASE: TimeDelta = TimeDelta::minutes(1);
/// The last comes half an hour after the first.
const ATTEMPTS_MAX: i32 = 10;

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
    // A provider that is not configured fails every attempt. The event can be replayed once it is configured.
    let is_over = event.attempts >= ATTEMPTS_MAX || provider_of(&error).is_some();
    let next = (!is_over).then(|| now + backoff(event.attempts));
    let mut connection = checkout.pool.acquire().await?;
    webhook_events::failed(&mut connection, event, &describe(&error), next, now).await?;
    if !is_over {
        return Err(error);
    }
    let provider = event.provider()?.name();
    metrics::counter!("checkout_webhooks_dead_lettered_total", "provider" => provider).increment(1);
    tracing::error!(event.id = event.event_id, %error, "webhook event of {provider} dead-lettered");
    Ok(())
}

fn describe(error: &Error) -> String {
    let mut text = error.to_string();
    text.truncate(text.floor_char_boundary(500));
    text
}
