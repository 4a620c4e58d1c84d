//! Replays a stored webhook event.

use kit::database::Pool;

use crate::domain::provider::Provider;
use crate::domain::webhook_event::{ReplayOutcome, WebhookEvent};
use crate::error::Result;
use crate::flows::steps::webhook::process_webhook::{find_payment_ref, schedule_now};
use crate::ports::WebhookError;
use crate::store::webhook_events;

/// `read` says what a stored body is about: no provider is asked here.
pub async fn replay_webhook(
    pool: &Pool,
    provider: Provider,
    event_id: &str,
    read: impl Fn(Provider, &[u8]) -> std::result::Result<WebhookEvent, WebhookError>,
) -> Result<ReplayOutcome> {
    let mut tx = kit::database::begin(pool).await?;
    let Some(body) = webhook_events::body(&mut tx, provider, event_id).await? else {
        return Ok(ReplayOutcome::Unknown);
    };
    if body.is_empty() {
        return Ok(ReplayOutcome::Erased);
    }
    let event = read(provider, &body)?;
    webhook_events::schedule_now(&mut tx, provider, event_id).await?;
    let Some(payment_ref) = find_payment_ref(&mut tx, provider, &event.object).await? else {
        // The service asks the provider what it is about all the same.
        tx.commit().await?;
        return Ok(ReplayOutcome::Foreign);
    };
    schedule_now(&mut tx, &event.object, &payment_ref).await?;
    tx.commit().await?;
    Ok(ReplayOutcome::Scheduled(payment_ref.payment_id))
}
