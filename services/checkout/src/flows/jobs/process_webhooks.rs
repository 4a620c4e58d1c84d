//! Processes stored webhook events whose processing failed. After repeated failures an event is dead-lettered:
//! it keeps its error, is counted, and can be replayed.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use crate::domain::payment::poll_schedule::backoff;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::api::receive_webhook::process;
use crate::flows::steps::payment::not_configured::provider_of;
use crate::store::webhook_events::{self, DueWebhook};

const BATCH: i64 = 20;
const LEASE: TimeDelta = TimeDelta::minutes(1);
/// The last comes half an hour after the first.
const ATTEMPTS_MAX: i32 = 10;

pub async fn process_webhooks(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    periodic::every(every, "following up webhooks", &shutdown, || {
        process_due(&checkout)
    })
    .await;
}

async fn process_due(checkout: &Checkout) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let due = webhook_events::lease_due(&mut connection, checkout.clock.now(), LEASE, BATCH).await?;
    gauge_dead_lettered(webhook_events::count_dead_lettered(&mut connection).await?);
    drop(connection);
    for event in due {
        let outcome = process_one(checkout, &event).await;
        conclude(checkout, &event, outcome).await?;
    }
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float, and no count of dead letters comes near 2^52"
)]
fn gauge_dead_lettered(count: i64) {
    metrics::gauge!("checkout_webhooks_dead_lettered").set(count as f64);
}

async fn process_one(checkout: &Checkout, event: &DueWebhook) -> Result<()> {
    // The member is erased: only the receipt of the event is stored.
    if event.body.is_empty() {
        return Ok(());
    }
    let read = checkout
        .providers
        .of(event.provider)?
        .webhooks
        .read_stored(&event.body)?;
    process(checkout, event.provider, &read).await
}

async fn conclude(checkout: &Checkout, event: &DueWebhook, outcome: Result<()>) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let (provider, id) = (event.provider, &event.event_id);
    match outcome {
        Ok(()) => webhook_events::done(&mut connection, provider, std::slice::from_ref(id)).await?,
        Err(error) => {
            let now = checkout.clock.now();
            // Without an account there, another try fails as well. It can be replayed once there is one.
            let is_over = event.tries >= ATTEMPTS_MAX || provider_of(&error).is_some();
            let next = (!is_over).then(|| now + backoff(event.tries));
            let why = describe(&error);
            webhook_events::failed(&mut connection, event, &why, next, now).await?;
            if is_over {
                metrics::counter!("checkout_webhooks_dead_lettered_total", "provider" => provider.name())
                    .increment(1);
                tracing::error!(event.id = id, %error, "A webhook of {} is given up", provider.name());
            } else {
                tracing::warn!(event.id = id, %error, "A webhook is not followed up yet");
            }
        }
    }
    Ok(())
}

fn describe(error: &Error) -> String {
    let mut text = error.to_string();
    text.truncate(text.floor_char_boundary(500));
    text
}
