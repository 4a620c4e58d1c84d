//! Reconciles payments without a webhook: unknown outcomes, and trials and periods that ended.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures::StreamExt;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use super::reconcile_intents::reconcile_intents;
use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::order::OrderState;
use crate::domain::order::subscription_order::SubscriptionOrder;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::payment::{Payment, PaymentState};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::close_payment::close_payment;
use crate::flows::steps::payment::execute_payment::execute_payment;
use crate::flows::steps::payment::not_configured::postponed;
use crate::flows::steps::payment::refresh_payment::refresh_payment;
use crate::flows::steps::payment::settle_payment::settle_payment;
use crate::store::order::customers;
use crate::store::order::subscription_orders::{self, AttemptSelector};
use crate::store::payment::payments;
use crate::store::subscription::subscriptions;

const BATCH: i64 = 20;
const AT_ONCE: usize = 4;

/// Stripe keeps keys for at least 24 hours: afterwards a repeated request could charge again.
pub(in crate::flows) const KEYS_VALID_FOR: TimeDelta = TimeDelta::hours(23);

pub async fn reconcile_payments(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    periodic::every(every, "reconciling payments", &shutdown, || async {
        let (paid, sold) = tokio::join!(reconcile_due(&checkout), reconcile_intents(&checkout));
        paid.and(sold)
    })
    .await;
}

/// One round over what is due now.
pub async fn reconcile_due(checkout: &Checkout) -> Result<()> {
    let mut tx = checkout.pool.begin().await?;
    let now = checkout.clock.now();
    let due = subscriptions::lease_due(&mut tx, now, checkout.in_flight_timeout.0, BATCH).await?;
    if !due.is_empty() {
        payments::presume_sent(&mut tx, &due).await?;
    }
    let in_flight = payments::count_in_flight(&mut tx).await?;
    tx.commit().await?;
    gauge_in_flight(in_flight);

    futures::stream::iter(due)
        .for_each_concurrent(AT_ONCE, |order_id| async move {
            let outcome = match reconcile(checkout, order_id).await {
                Ok(()) => "done",
                Err(error) => {
                    tracing::warn!(order.id = %order_id, %error, "Order {order_id} could not be reconciled yet");
                    "failed"
                }
            };
            metrics::counter!("checkout_reconciliations_total", "outcome" => outcome).increment(1);
        })
        .await;
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float, and no count of open payments comes near 2^52"
)]
fn gauge_in_flight(count: i64) {
    metrics::gauge!("checkout_payments_in_flight").set(count as f64);
}

async fn reconcile(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = subscription_orders::read(&mut connection, order_id, AttemptSelector::Current).await?;
    let others = payments::other_open(&mut connection, &purchase.payment).await?;
    drop(connection);

    for payment_id in others {
        let leased = if purchase.order.state == OrderState::Open {
            refresh_other(checkout, payment_id).await
        } else {
            close_other(checkout, payment_id).await
        };
        if let Err(error) = leased {
            tracing::warn!(order.id = %order_id, %error, "Payment {payment_id} may still be charged; trying again");
        }
    }
    let outcome = if purchase.payment.is_unconfirmed() {
        resolve_unknown_payment(checkout, &purchase).await
    } else if purchase.payment.is_setup_overdue(checkout.clock.now()) {
        close_payment(checkout, purchase.payment.payment_id)
            .await
            .map(drop)
    } else {
        refresh_payment(checkout, purchase.clone()).await.map(drop)
    };
    if let Err(error) = &outcome
        && let Some(until) = postponed(error, checkout.clock.now(), &format!("Order {order_id}"))
    {
        let mut connection = checkout.pool.acquire().await?;
        return Ok(subscriptions::postpone(&mut connection, order_id, until).await?);
    }
    match outcome {
        // Nothing new, but the next look is planned further ahead each time.
        Err(Error::Provider(error)) => {
            tracing::info!(order.id = %order_id, %error, "The provider gave no news of order {order_id}");
            settle_payment(
                checkout,
                purchase.payment.payment_id,
                &ProviderResult::OutcomeUnknown,
            )
            .await
            .map(drop)
        }
        outcome => outcome,
    }
}

/// Refreshes an attempt at another provider that may still pay the order.
async fn refresh_other(checkout: &Checkout, payment_id: PaymentId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = subscription_orders::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    if purchase.payment.is_unconfirmed() {
        resolve_unknown_payment(checkout, &purchase).await
    } else {
        refresh_payment(checkout, purchase).await.map(drop)
    }
}

/// The order is paid: closes another attempt, so that it is not charged as well.
async fn close_other(checkout: &Checkout, payment_id: PaymentId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = subscription_orders::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    if purchase.payment.is_unconfirmed() {
        resolve_unknown_payment(checkout, &purchase).await?;
    }
    close_payment(checkout, payment_id).await.map(drop)
}

/// The provider may or may not have the request. While its key is valid, repeating it is safe and returns the result.
async fn resolve_unknown_payment(checkout: &Checkout, purchase: &SubscriptionOrder) -> Result<()> {
    let payment = &purchase.payment;
    let keys_live = checkout.clock.now() < payment.created_at + KEYS_VALID_FOR;
    if keys_live {
        // Asking again may charge: not before it is known that no attempt thought to be over was charged after all.
        refresh_earlier(checkout, payment).await?;
        let executed = execute_payment(checkout, payment.payment_id).await?;
        if executed.payment.state != PaymentState::Unknown {
            return Ok(());
        }
    }

    // A provider repeats a failure it has stored under the key, though it may have done the work: look for that.
    let mut connection = checkout.pool.acquire().await?;
    let customer = customers::find(&mut connection, &purchase.order.user_id).await?;
    drop(connection);
    let subscriptions = &checkout.providers.of(payment.provider)?.subscriptions;
    let found = subscriptions
        .find_subscription(customer.stripe_customer_id.as_deref(), payment.payment_id)
        .await?;
    let result = match found {
        Some(snapshot) => ProviderResult::Snapshot(snapshot),
        None if keys_live => return Ok(()),
        None => ProviderResult::NotFoundAtProvider,
    };
    settle_payment(checkout, payment.payment_id, &result).await?;
    Ok(())
}

async fn refresh_earlier(checkout: &Checkout, payment: &Payment) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let earlier = payments::others_asked(&mut connection, payment).await?;
    drop(connection);
    for payment_id in earlier {
        let mut connection = checkout.pool.acquire().await?;
        let purchase = subscription_orders::read_payment(&mut connection, payment_id).await?;
        drop(connection);
        refresh_payment(checkout, purchase).await?;
    }
    Ok(())
}
