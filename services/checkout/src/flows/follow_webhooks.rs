//! Follows up stored notifications that could not be followed up when they came. One that fails again and again is given up:
//! it stays with its error, is counted, and can be replayed.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use super::Checkout;
use super::not_configured::provider_of;
use super::receive_webhook::follow;
use crate::domain::schedule::backoff;
use crate::error::{Error, Result};
use crate::store::webhook_events::{self, Due};

const BATCH: i64 = 20;
const LEASE: TimeDelta = TimeDelta::minutes(1);
/// The last comes half an hour after the first.
const TRIES_MAX: i32 = 10;

pub async fn follow_webhooks(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    periodic::every(every, "following up webhooks", &shutdown, || {
        follow_due(&checkout)
    })
    .await;
}

async fn follow_due(checkout: &Checkout) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let due = webhook_events::lease_due(&mut connection, checkout.clock.now(), LEASE, BATCH).await?;
    gauge_dead(webhook_events::count_dead(&mut connection).await?);
    drop(connection);
    for event in due {
        let outcome = follow_one(checkout, &event).await;
        conclude(checkout, &event, outcome).await?;
    }
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float, and no count of dead letters comes near 2^52"
)]
fn gauge_dead(count: i64) {
    metrics::gauge!("checkout_webhooks_dead").set(count as f64);
}

async fn follow_one(checkout: &Checkout, event: &Due) -> Result<()> {
    // Of somebody who is erased only that it came is kept.
    if event.body.is_empty() {
        return Ok(());
    }
    let notice = checkout
        .providers
        .of(event.provider)?
        .webhooks
        .read_stored(&event.body)?;
    follow(checkout, event.provider, &notice).await
}

async fn conclude(checkout: &Checkout, event: &Due, outcome: Result<()>) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let (provider, id) = (event.provider, &event.event_id);
    match outcome {
        Ok(()) => webhook_events::done(&mut connection, provider, std::slice::from_ref(id)).await?,
        Err(error) => {
            let now = checkout.clock.now();
            // Without an account there, another try fails as well. It can be replayed once there is one.
            let is_over = event.tries >= TRIES_MAX || provider_of(&error).is_some();
            let next = (!is_over).then(|| now + backoff(event.tries));
            let why = describe(&error);
            webhook_events::failed(&mut connection, event, &why, next, now).await?;
            if is_over {
                metrics::counter!("checkout_webhooks_dead_total", "provider" => provider.name()).increment(1);
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
