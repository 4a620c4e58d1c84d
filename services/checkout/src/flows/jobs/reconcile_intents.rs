//! Reconciles one-time payments without a webhook, and closes overdue ones.

use std::sync::Arc;

use async_trait::async_trait;
use kit::reconciler::Reconciler;

use super::reconcile_payments::{KEYS_VALID_FOR, counted, lease_orders};
use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::order::OrderState;
use crate::domain::order::intent::IntentResult;
use crate::domain::order::one_time_order::OneTimeOrder;
use crate::domain::payment::PaymentState;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::close_intent::{close_intent, refresh_intent};
use crate::flows::steps::payment::execute_intent::execute_intent;
use crate::flows::steps::payment::not_configured::postpone_not_configured;
use crate::flows::steps::payment::settle_intent::settle_intent;
use crate::store::order::one_time_orders;
use crate::store::order::subscription_orders::AttemptSelector;
use crate::store::payment::payments;

pub struct IntentReconciler(pub Arc<Checkout>);

#[async_trait]
impl Reconciler for IntentReconciler {
    type Item = OrderId;
    type Error = Error;
    const NAME: &'static str = "reconcile-intents";

    async fn lease(&self, limit: i64) -> Result<Vec<OrderId>> {
        lease_orders(&self.0, &one_time_orders::QUEUE, limit).await
    }

    fn id(order_id: &OrderId) -> String {
        order_id.to_string()
    }

    async fn process(&self, order_id: OrderId) -> Result<()> {
        counted(reconcile(&self.0, order_id).await)
    }
}

async fn reconcile(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let one_time = one_time_orders::read(&mut connection, order_id, AttemptSelector::Current).await?;
    let others = if one_time.order.is_paid() {
        payments::other_open(&mut connection, &one_time.payment).await?
    } else {
        Vec::new()
    };
    drop(connection);

    for payment_id in others {
        if let Err(error) = close_other(checkout, payment_id).await {
            tracing::warn!(order.id = %order_id, %error, "Payment {payment_id} may still be charged; trying again");
        }
    }
    let payment_id = one_time.payment.payment_id;
    let outcome = reconcile_order(checkout, one_time).await;
    match postpone_not_configured(checkout, &one_time_orders::QUEUE, order_id, outcome).await {
        // Nothing new, but the next look is planned further ahead each time.
        Err(Error::Provider(error)) => {
            tracing::info!(order.id = %order_id, %error, "The provider gave no news of order {order_id}");
            settle_intent(checkout, payment_id, &IntentResult::OutcomeUnknown).await?;
            Ok(())
        }
        outcome => outcome,
    }
}

async fn reconcile_order(checkout: &Checkout, one_time: OneTimeOrder) -> Result<()> {
    let payment_id = one_time.payment.payment_id;
    if one_time.is_unconfirmed() {
        resolve_unknown_payment(checkout, &one_time).await
    } else if one_time.is_overdue(checkout.clock.now()) {
        close_intent(checkout, payment_id).await.map(drop)
    } else if one_time.payment.provider_intent_id.is_some() && one_time.payment.captured().is_none() {
        refresh_intent(checkout, one_time).await.map(drop)
    } else {
        // Nothing is there to be asked about.
        settle_intent(checkout, payment_id, &IntentResult::OutcomeUnknown)
            .await
            .map(drop)
    }
}

/// The order is paid: closes another attempt, so that it is not charged as well.
async fn close_other(checkout: &Checkout, payment_id: PaymentId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let one_time = one_time_orders::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    if one_time.is_unconfirmed() {
        resolve_unknown_payment(checkout, &one_time).await?;
    }
    close_intent(checkout, payment_id).await.map(drop)
}

/// The provider may or may not have the request. While its key is valid, repeating it is safe and returns the result.
pub async fn resolve_unknown_payment(checkout: &Checkout, one_time: &OneTimeOrder) -> Result<()> {
    let payment = &one_time.payment;
    let keys_live = checkout.clock.now() < payment.created_at + KEYS_VALID_FOR;
    if keys_live && one_time.order.state == OrderState::Open {
        // Asking again may charge: not before it is known that no attempt thought to be over was charged after all.
        refresh_earlier(checkout, one_time).await?;
        let executed = execute_intent(checkout, payment.payment_id).await?;
        if executed.payment.state != PaymentState::Unknown {
            return Ok(());
        }
    }
    // A provider repeats a failure it has stored under the key, though it may have done the work: look for that.
    let intents = checkout.providers.of(payment.provider)?.own_page()?;
    let found = intents.find_intent(payment.payment_id).await?;
    let result = match found {
        Some(seen) => IntentResult::Snapshot(seen),
        None if keys_live => return Ok(()),
        None => IntentResult::NotFoundAtProvider,
    };
    settle_intent(checkout, payment.payment_id, &result).await?;
    Ok(())
}

async fn refresh_earlier(checkout: &Checkout, one_time: &OneTimeOrder) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let attempts = payments::of_order(&mut connection, one_time.order.order_id).await?;
    drop(connection);
    let earlier = attempts
        .iter()
        .filter(|payment| payment.payment_id != one_time.payment.payment_id && payment.captured().is_none());
    for payment in earlier {
        let mut connection = checkout.pool.acquire().await?;
        let other = one_time_orders::read_payment(&mut connection, payment.payment_id).await?;
        drop(connection);
        refresh_intent(checkout, other).await?;
    }
    Ok(())
}
