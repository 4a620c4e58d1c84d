//! Looks after everything paid once that nobody told us about, and closes what nobody will pay any more.

use futures::StreamExt;

use super::Checkout;
use super::close_intent::{close_intent, refresh_intent};
use super::pursue_intent::pursue_intent;
use super::reconcile_payments::KEYS_LIVE;
use super::settle_intent::settle_intent;
use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::intent::IntentReport;
use crate::domain::order::OrderState;
use crate::domain::payment::PaymentState;
use crate::domain::sale::Sale;
use crate::error::{Error, Result};
use crate::store::purchases::Which;
use crate::store::{payments, sales};

const BATCH: i64 = 20;
const AT_ONCE: usize = 4;

/// One round over what is due now.
pub async fn reconcile_intents(checkout: &Checkout) -> Result<()> {
    let mut tx = checkout.pool.begin().await?;
    let now = checkout.clock.now();
    let due = sales::lease_due(&mut tx, now, checkout.patience.0, BATCH).await?;
    if !due.is_empty() {
        payments::presume_sent(&mut tx, &due).await?;
    }
    tx.commit().await?;

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

async fn reconcile(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let sale = sales::read(&mut connection, order_id, Which::Current).await?;
    let others = if sale.order.is_paid() {
        payments::other_open(&mut connection, &sale.payment).await?
    } else {
        Vec::new()
    };
    drop(connection);

    for payment_id in others {
        if let Err(error) = close_other(checkout, payment_id).await {
            tracing::warn!(order.id = %order_id, %error, "Payment {payment_id} may still be charged; trying again");
        }
    }
    let payment_id = sale.payment.payment_id;
    match look(checkout, sale).await {
        // Nothing new, but the next look is planned further ahead each time.
        Err(Error::Provider(error)) => {
            tracing::info!(order.id = %order_id, %error, "The provider gave no news of order {order_id}");
            settle_intent(checkout, payment_id, &IntentReport::NoAnswer).await?;
            Ok(())
        }
        outcome => outcome,
    }
}

async fn look(checkout: &Checkout, sale: Sale) -> Result<()> {
    let payment_id = sale.payment.payment_id;
    if sale.is_unconfirmed() {
        find_out(checkout, &sale).await
    } else if sale.is_overdue(checkout.clock.now()) {
        close_intent(checkout, payment_id).await.map(drop)
    } else if sale.payment.provider_intent_id.is_some() {
        refresh_intent(checkout, sale).await.map(drop)
    } else {
        // Nothing is there to be asked about.
        settle_intent(checkout, payment_id, &IntentReport::NoAnswer)
            .await
            .map(drop)
    }
}

/// The order is paid: an attempt that was thought to be over must not be charged as well.
async fn close_other(checkout: &Checkout, payment_id: PaymentId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let sale = sales::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    if sale.is_unconfirmed() {
        find_out(checkout, &sale).await?;
    }
    close_intent(checkout, payment_id).await.map(drop)
}

/// The provider may or may not have been asked. While its keys live, asking again with the same key is safe and tells.
pub async fn find_out(checkout: &Checkout, sale: &Sale) -> Result<()> {
    let payment = &sale.payment;
    let keys_live = checkout.clock.now() < payment.created_at + KEYS_LIVE;
    if keys_live && sale.order.state == OrderState::Open {
        // Asking again may charge: not before it is known that no attempt thought to be over was charged after all.
        look_at_earlier(checkout, sale).await?;
        let asked = pursue_intent(checkout, payment.payment_id).await?;
        if asked.payment.state != PaymentState::Unknown {
            return Ok(());
        }
    }
    // A provider repeats a failure it has stored under the key, though it may have done the work: look for that.
    let found = checkout
        .providers
        .cards
        .intents
        .find_intent(payment.payment_id)
        .await?;
    let report = match found {
        Some(seen) => IntentReport::Seen(seen),
        None if keys_live => return Ok(()),
        None => IntentReport::NeverArrived,
    };
    settle_intent(checkout, payment.payment_id, &report).await?;
    Ok(())
}

async fn look_at_earlier(checkout: &Checkout, sale: &Sale) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let attempts = payments::of_order(&mut connection, sale.order.order_id).await?;
    drop(connection);
    let earlier = attempts
        .iter()
        .filter(|payment| payment.payment_id != sale.payment.payment_id && payment.captured().is_none());
    for payment in earlier {
        let mut connection = checkout.pool.acquire().await?;
        let other = sales::read_payment(&mut connection, payment.payment_id).await?;
        drop(connection);
        refresh_intent(checkout, other).await?;
    }
    Ok(())
}
