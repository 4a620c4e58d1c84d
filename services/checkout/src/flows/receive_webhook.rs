//! A provider tells us something. What it says is only a reason to go and ask, so it may come twice, late or in any order.

use chrono::{DateTime, Utc};
use kit::erasure::is_barred;

use super::Checkout;
use super::settle_payment::settle_payment;
use crate::domain::ids::PaymentId;
use crate::domain::notice::{Notice, Receipt, Subject};
use crate::domain::provider::Provider;
use crate::domain::report::Report;
use crate::error::Result;
use crate::ports::Delivery;
use crate::store::{payments, purchases, refund_watches, subscriptions, webhook_events};

pub async fn receive_webhook(checkout: &Checkout, provider: Provider, delivery: &Delivery) -> Result<Receipt> {
    let now = checkout.clock.now();
    let ports = checkout.providers.of(provider)?;
    let notice = ports.webhooks.read(delivery, now).await?;

    let mut tx = checkout.pool.begin().await?;
    let of_erased = is_barred(&mut tx, notice.customer.as_slice()).await?;
    let kept = (!of_erased).then_some(delivery.body.as_slice());
    let receipt = webhook_events::insert(&mut tx, provider, &notice, kept, now).await?;
    if receipt == Receipt::Duplicate {
        return Ok(receipt);
    }
    let known = find_payment(&mut tx, provider, &notice.subject).await?;
    if let Some(payment_id) = known {
        // Committed with the event: should asking fail below, the reconciler does it.
        make_due(&mut tx, &notice.subject, payment_id, now).await?;
    }
    tx.commit().await?;

    metrics::counter!("checkout_webhooks_total", "provider" => provider.name(), "kind" => notice.kind.clone()).increment(1);
    match tokio::time::timeout(checkout.time_to_answer(), ask(checkout, provider, &notice, known)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(event.id = notice.event_id, %error, "A webhook is not followed up yet");
        }
        Err(_) => tracing::warn!(
            event.id = notice.event_id,
            "The provider takes long; the webhook is followed up later"
        ),
    }
    Ok(receipt)
}

pub async fn find_payment(
    tx: &mut sqlx::PgConnection,
    provider: Provider,
    subject: &Subject,
) -> Result<Option<PaymentId>> {
    Ok(match subject {
        Subject::Subscription(id) => payments::find_by_provider_subscription(tx, provider, id).await?,
        Subject::PaymentIntent(id) | Subject::RefundsOf(id) => {
            payments::find_by_provider_intent(tx, provider, id).await?
        }
        Subject::Other => None,
    })
}

pub async fn make_due(
    tx: &mut sqlx::PgConnection,
    subject: &Subject,
    payment_id: PaymentId,
    now: DateTime<Utc>,
) -> Result<()> {
    if matches!(subject, Subject::RefundsOf(_)) {
        refund_watches::make_due(tx, payment_id).await?;
    } else if let Some(order_id) = payments::find_order(tx, payment_id).await? {
        subscriptions::make_due(tx, order_id, now).await?;
    }
    Ok(())
}

async fn ask(checkout: &Checkout, provider: Provider, notice: &Notice, known: Option<PaymentId>) -> Result<()> {
    let subscription_id = match (&notice.subject, known) {
        // Always the reconciler's, which comes within a second: nobody waits for a refund.
        (Subject::RefundsOf(_), _) => return Ok(()),
        (Subject::Subscription(id), _) => id.clone(),
        (_, Some(payment_id)) => {
            let mut connection = checkout.pool.acquire().await?;
            let purchase = purchases::read_payment(&mut connection, payment_id).await?;
            match purchase.payment.provider_subscription_id {
                Some(id) => id,
                None => return Ok(()),
            }
        }
        (_, None) => return Ok(()),
    };
    let subscriptions = &checkout.providers.of(provider)?.subscriptions;
    let snapshot = subscriptions.fetch_subscription(&subscription_id).await?;
    // The answer that would have told us of this subscription may have been lost: it names its payment itself.
    let Some(payment_id) = known.or(snapshot.payment_id) else {
        return Ok(());
    };
    if known.is_none() && is_foreign(checkout, payment_id).await? {
        return Ok(());
    }
    settle_payment(checkout, payment_id, &Report::Snapshot(snapshot)).await?;
    Ok(())
}

/// Another installation on the same account at the provider made it.
async fn is_foreign(checkout: &Checkout, payment_id: PaymentId) -> Result<bool> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(payments::find_order(&mut connection, payment_id).await?.is_none())
}
