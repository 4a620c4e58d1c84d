//! Fetches the object of a webhook event from the provider and applies it. Idempotent.

use crate::domain::ids::PaymentId;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::provider::{CheckoutMode, Provider};
use crate::domain::webhook_event::{WebhookEvent, WebhookObject};
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::hosted::link_subscription::link_from_webhook;
use crate::flows::steps::hosted::settle_hosted_checkout::settle_from_webhook;
use crate::flows::steps::payment::settle_payment::settle_payment;
use crate::ports::OwnPageProvider;
use crate::store::order::one_time_orders;
use crate::store::payment::payments;
use crate::store::payment::payments::PaymentRef;
use crate::store::refund::refund_reconciliations;
use crate::store::subscription::billing_states;

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
