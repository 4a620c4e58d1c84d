//! Receives a provider's webhook. Its content only prompts a fetch from the provider, so it may come twice, late or in any order.
//! Nothing is stored that is neither signed nor confirmed by the provider.

use crate::domain::ids::PaymentId;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::provider::{CheckoutMode, Provider};
use crate::domain::webhook_event::{
    BODY_BYTES_MAX, IngestResult, WebhookEvent, WebhookObject, WebhookRequest,
};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::api::orders::link_paypal_subscription::link_from_webhook;
use crate::flows::steps::hosted::settle_hosted_checkout::{pre_authorize, settle_from_webhook};
use crate::flows::steps::payment::settle_payment::settle_payment;
use crate::ports::{OwnPageProvider, PreAuthorizationDecision, WebhookError, WebhookResponse};
use crate::store::order::one_time_orders;
use crate::store::payment::payments;
use crate::store::payment::payments::PaymentRef;
use crate::store::refund::refund_reconciliations;
use crate::store::subscription::billing_states;
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

pub async fn find_payment_ref(
    tx: &mut sqlx::PgConnection,
    provider: Provider,
    subject: &WebhookObject,
) -> Result<Option<PaymentRef>> {
    Ok(match subject {
        WebhookObject::Subscription(id) => payments::find_by_provider_subscription(tx, provider, id).await?,
        WebhookObject::PaymentIntent(id) => {
            let payment_ref = payments::find_by_provider_intent(tx, provider, id).await?;
            // The invoice's own notifications lead to a renewal.
            payment_ref.filter(|payment_ref| payment_ref.is_initial)
        }
        WebhookObject::RefundsOf(id) => payments::find_by_provider_intent(tx, provider, id).await?,
        WebhookObject::Reversal(_) | WebhookObject::PreAuthorization(_) | WebhookObject::Other => None,
    })
}

/// Schedules the sync and the refund reconciliation of the payment now.
pub async fn schedule_now(
    tx: &mut sqlx::PgConnection,
    subject: &WebhookObject,
    payment_ref: &PaymentRef,
) -> Result<()> {
    if matches!(subject, WebhookObject::RefundsOf(_)) {
        refund_reconciliations::schedule_now(tx, payment_ref.payment_id).await?;
    } else if payment_ref.has_billing_state {
        billing_states::schedule_now(tx, payment_ref.order_id).await?;
    }
    Ok(())
}

/// Fetches the event's object from the provider and applies it.
pub async fn process(checkout: &Checkout, provider: Provider, event: &WebhookEvent) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let payment_ref = find_payment_ref(&mut connection, provider, &event.object).await?;
    let asks = event.object.is_fetched_at_once();
    if let Some(payment_ref) = &payment_ref
        && (payment_ref.is_synced || !asks)
    {
        return schedule_now(&mut connection, &event.object, payment_ref).await;
    }
    drop(connection);
    if !asks {
        return Ok(());
    }
    let known = payment_ref.map(|payment_ref| payment_ref.payment_id);
    let port = checkout.providers.of(provider)?;
    match (&event.object, known, port.capabilities().checkout) {
        (WebhookObject::Subscription(id), None, CheckoutMode::Approval) => {
            link_from_webhook(checkout, id.as_str()).await
        }
        (WebhookObject::Subscription(id), None, CheckoutMode::Hosted) => {
            settle_from_webhook(checkout, provider, id).await
        }
        (WebhookObject::Reversal(id), ..) => schedule_refund_check(checkout, provider, id).await,
        _ => fetch_object(checkout, provider, event, known).await,
    }
}

/// Schedules the refund reconciliation of the reversed payment.
async fn schedule_refund_check(checkout: &Checkout, provider: Provider, reversal_id: &str) -> Result<()> {
    let refunds = checkout.providers.of(provider)?;
    let of = WebhookObject::RefundsOf(refunds.reversed_intent(reversal_id).await?);
    let mut connection = checkout.pool.acquire().await?;
    match find_payment_ref(&mut connection, provider, &of).await? {
        Some(payment_ref) => schedule_now(&mut connection, &of, &payment_ref).await,
        None => Ok(()),
    }
}

async fn fetch_object(
    checkout: &Checkout,
    provider: Provider,
    event: &WebhookEvent,
    known: Option<PaymentId>,
) -> Result<()> {
    let port = checkout.providers.of(provider)?;
    if let WebhookObject::PaymentIntent(id) = &event.object
        && let Ok(own_page) = port.own_page()
        && fetch_intent(checkout, own_page, id, known).await?
    {
        return Ok(());
    }
    let subscription_id = match (&event.object, known) {
        (WebhookObject::Subscription(id), _) => id.clone(),
        (_, Some(payment_id)) => {
            let mut connection = checkout.pool.acquire().await?;
            let payment = payments::read(&mut connection, payment_id).await?;
            match payment.provider_subscription_id {
                Some(id) => id,
                None => return Ok(()),
            }
        }
        (_, None) => return Ok(()),
    };
    let snapshot = port.fetch_subscription(&subscription_id).await?;
    // The response that created this subscription may be lost: its metadata names the payment.
    let Some(payment_id) = known.or(snapshot.payment_id) else {
        return Ok(());
    };
    if known.is_none() && is_foreign(checkout, payment_id).await? {
        return Ok(());
    }
    settle_payment(checkout, payment_id, &ProviderResult::Snapshot(snapshot.into())).await?;
    Ok(())
}

/// `false`: it is the intent of a subscription, or none of ours.
async fn fetch_intent(
    checkout: &Checkout,
    own_page: &dyn OwnPageProvider,
    intent_id: &str,
    known: Option<PaymentId>,
) -> Result<bool> {
    if let Some(payment_id) = known
        && !is_one_time(checkout, payment_id).await?
    {
        return Ok(false);
    }
    let seen = own_page.fetch_intent(intent_id).await?;
    // The response that created this intent may be lost: its metadata names the payment.
    let Some(payment_id) = known.or(seen.payment_id) else {
        return Ok(false);
    };
    if known.is_none() && !is_one_time(checkout, payment_id).await? {
        return Ok(false);
    }
    settle_payment(checkout, payment_id, &ProviderResult::Snapshot(seen.into())).await?;
    Ok(true)
}

async fn is_one_time(checkout: &Checkout, payment_id: PaymentId) -> Result<bool> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(one_time_orders::is_one_time(&mut connection, payment_id).await? == Some(true))
}

/// Another installation on the same account at the provider made it.
async fn is_foreign(checkout: &Checkout, payment_id: PaymentId) -> Result<bool> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(payments::find_order(&mut connection, payment_id).await?.is_none())
}
