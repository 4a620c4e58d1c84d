//! Receives a provider's webhook. Its content only prompts a fetch from the provider, so it may come twice, late or in any order.
//! Nothing is stored that is neither signed nor confirmed by the provider.

use crate::domain::provider::Provider;
use crate::domain::webhook_event::{
    BODY_BYTES_MAX, IngestResult, WebhookEvent, WebhookObject, WebhookRequest,
};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::hosted::settle_hosted_checkout::pre_authorize;
use crate::flows::steps::webhook::process_webhook::process;
use crate::ports::{PreAuthorizationDecision, WebhookError, WebhookResponse};
use crate::store::webhook_events;
use crate::store::webhook_events::NewWebhookEvent;

pub struct ReceivedWebhook {
    pub result: IngestResult,
    /// What the provider is to read back.
    pub answer: Option<WebhookResponse>,
}

pub async fn receive_webhook(
    checkout: &Checkout,
    provider: Provider,
    request: &WebhookRequest,
) -> Result<ReceivedWebhook> {
    let reader = checkout.providers.of(provider)?.webhooks();
    if request.body.len() > BODY_BYTES_MAX {
        return Err(WebhookError::Unreadable.into());
    }
    let Some(event) = reader.read(request, checkout.clock.now()).await? else {
        metrics::counter!("checkout_webhooks_total", "provider" => provider.name(), "subject" => "unhandled")
            .increment(1);
        return Ok(ReceivedWebhook {
            result: IngestResult::First { needs_fetch: false },
            answer: reader.answer(request, &PreAuthorizationDecision::Accepted),
        });
    };
    if !event.is_well_formed() {
        return Err(WebhookError::Unreadable.into());
    }
    let (receipt, verdict) = match &event.object {
        // Nothing has happened yet: there is nothing to keep.
        WebhookObject::PreAuthorization(reference) => (
            IngestResult::First { needs_fetch: false },
            pre_authorize(checkout, reference).await?,
        ),
        _ => (
            store(checkout, provider, &event, &reader.stored_body(request, &event)).await?,
            PreAuthorizationDecision::Accepted,
        ),
    };
    Ok(ReceivedWebhook {
        result: receipt,
        answer: reader.answer(request, &verdict),
    })
}

async fn store(
    checkout: &Checkout,
    provider: Provider,
    event: &WebhookEvent,
    body: &[u8],
) -> Result<IngestResult> {
    let now = checkout.clock.now();
    let arrived = NewWebhookEvent {
        provider,
        event,
        body,
        received_at: now,
        // Committed with the event: should asking fail below, it is done then.
        next_attempt_at: now + checkout.in_flight_timeout.0,
    };
    let mut connection = checkout.pool.acquire().await?;
    let receipt = webhook_events::receive(&mut connection, &arrived).await?;
    drop(connection);
    let IngestResult::First { needs_fetch: asks } = receipt else {
        return Ok(receipt);
    };
    metrics::counter!("checkout_webhooks_total", "provider" => provider.name(), "subject" => event.object.label())
        .increment(1);
    if asks {
        process_now(checkout, provider, event).await?;
    }
    Ok(receipt)
}

async fn process_now(checkout: &Checkout, provider: Provider, event: &WebhookEvent) -> Result<()> {
    let what = format!("{} {}", provider.name(), event.object.id().unwrap_or_default());
    let following = checkout
        .webhook_fetches
        .run(&what, &event.event_id, async |served| {
            process(checkout, provider, event).await?;
            let mut connection = checkout.pool.acquire().await?;
            Ok(webhook_events::done(&mut connection, provider, served).await?)
        });
    match tokio::time::timeout(checkout.remaining_response_budget(), following).await {
        Ok(Ok(())) => {}
        Ok(Err::<(), Error>(error)) => {
            tracing::warn!(event.id = event.event_id, %error, "webhook event not processed; process_webhooks retries it");
            let mut connection = checkout.pool.acquire().await?;
            webhook_events::schedule_now(&mut connection, provider, &event.event_id).await?;
        }
        Err(_) => tracing::warn!(
            event.id = event.event_id,
            "provider fetch exceeds the budget; process_webhooks retries it"
        ),
    }
    Ok(())
}
