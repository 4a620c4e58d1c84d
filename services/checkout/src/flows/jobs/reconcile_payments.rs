//! Reconciles payments without a webhook: unknown outcomes, and trials and periods that ended.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use kit::due_queue::DueQueue;
use kit::reconciler::Reconciler;
use kit::telemetry::gauge_value;

use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::order::OrderState;
use crate::domain::order::subscription_order::SubscriptionOrder;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::payment::{Payment, PaymentState};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::close_payment::close_payment;
use crate::flows::steps::payment::execute_payment::execute_payment;
use crate::flows::steps::payment::not_configured::postpone_not_configured;
use crate::flows::steps::payment::refresh_payment::refresh_payment;
use crate::flows::steps::payment::settle_payment::settle_payment;
use crate::store::order::customers;
use crate::store::order::subscription_orders::{self, AttemptSelector};
use crate::store::payment::payments;
use crate::store::subscription::subscriptions;

/// Providers keep keys for at least 24 hours: afterwards a repeated request could charge again.
pub(in crate::flows) const KEYS_VALID_FOR: TimeDelta = TimeDelta::hours(23);

pub struct PaymentReconciler(pub Arc<Checkout>);

#[async_trait]
impl Reconciler for PaymentReconciler {
    type Item = OrderId;
    type Error = Error;
    const NAME: &'static str = "reconcile-payments";

    async fn lease(&self, limit: i64) -> Result<Vec<OrderId>> {
        let due = lease_orders(&self.0, &subscriptions::QUEUE, limit).await?;
        let mut connection = self.0.pool.acquire().await?;
        let in_flight = payments::count_in_flight(&mut connection).await?;
        metrics::gauge!("checkout_payments_in_flight").set(gauge_value(in_flight));
        Ok(due)
    }

    fn id(order_id: &OrderId) -> String {
        order_id.to_string()
    }

    async fn process(&self, order_id: OrderId) -> Result<()> {
        counted(reconcile(&self.0, order_id).await)
    }
}

/// Leases orders and marks their open payments as sent in one transaction.
pub async fn lease_orders(checkout: &Checkout, queue: &DueQueue, limit: i64) -> Result<Vec<OrderId>> {
    let (now, lease) = (checkout.clock.now(), checkout.in_flight_timeout.0);
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let leased: Vec<(OrderId,)> = queue.lease(&mut *tx, now, lease, limit).await?;
    let due: Vec<OrderId> = leased.into_iter().map(|(order_id,)| order_id).collect();
    if !due.is_empty() {
        payments::presume_sent(&mut tx, &due).await?;
    }
    tx.commit().await?;
    Ok(due)
}

pub fn counted(outcome: Result<()>) -> Result<()> {
    let name = if outcome.is_ok() { "done" } else { "failed" };
    metrics::counter!("checkout_reconciliations_total", "outcome" => name).increment(1);
    outcome
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
    } else if purchase.is_overdue(checkout.clock.now()) {
        close_payment(checkout, purchase.payment.payment_id)
            .await
            .map(drop)
    } else {
        refresh_payment(checkout, purchase.clone()).await.map(drop)
    };
    match postpone_not_configured(checkout, &subscriptions::QUEUE, order_id, outcome).await {
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
    let subscriptions = checkout.providers.of(payment.provider)?;
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
