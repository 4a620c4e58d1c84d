//! Refreshes a one-time payment, and closes it at the provider where it must not be paid any more.

use sqlx::PgConnection;

use super::settle_intent::settle_intent;
use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::order::intent::IntentResult;
use crate::domain::order::one_time_order::{OneTimeOrder, PollState};
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::Disposition;
use crate::error::Result;
use crate::flows::Checkout;
use crate::ports::ProviderError;
use crate::store::order::subscription_orders::AttemptSelector;
use crate::store::order::{one_time_orders, orders};
use crate::store::pricing::coupons;

/// A payment that the provider has not confirmed is left to the reconciler. A captured one has no further state.
pub async fn refresh_intent(checkout: &Checkout, one_time: OneTimeOrder) -> Result<OneTimeOrder> {
    let payment = &one_time.payment;
    let Some(id) = payment
        .provider_intent_id
        .as_ref()
        .filter(|_| payment.captured().is_none())
    else {
        return Ok(one_time);
    };
    let intents = checkout.providers.of(payment.provider)?.own_page()?;
    let seen = intents.fetch_intent(id).await?;
    settle_intent(
        checkout,
        one_time.payment.payment_id,
        &IntentResult::Snapshot(seen),
    )
    .await
}

/// The result shows whether it was closed, or was paid meanwhile.
pub async fn close_intent(checkout: &Checkout, payment_id: PaymentId) -> Result<OneTimeOrder> {
    let mut connection = checkout.pool.acquire().await?;
    let one_time = one_time_orders::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    let one_time = refresh_intent(checkout, one_time).await?;
    let is_open = one_time.payment.disposition() == Disposition::AwaitsBuyer;
    let (true, Some(id)) = (is_open, &one_time.payment.provider_intent_id) else {
        return Ok(one_time);
    };
    let intents = checkout.providers.of(one_time.payment.provider)?.own_page()?;
    match intents.cancel_intent(id).await {
        Ok(seen) => settle_intent(checkout, payment_id, &IntentResult::Snapshot(seen)).await,
        // Paid or closed concurrently: the next fetch shows which.
        Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => {
            refresh_intent(checkout, one_time).await
        }
        Err(error) => Err(error.into()),
    }
}

/// `open` is locked and can never be charged.
pub async fn abandon_one_time_order(
    tx: &mut PgConnection,
    checkout: &Checkout,
    open: OneTimeOrder,
) -> Result<()> {
    let at = checkout.clock.now();
    let one_time = OneTimeOrder {
        order: Order {
            state: OrderState::Abandoned { at },
            ..open.order
        },
        poll: PollState::default(),
        ..open
    };
    orders::save_state(tx, &one_time.order).await?;
    one_time_orders::save_poll_state(tx, &one_time).await?;
    coupons::update_reservation(tx, &one_time.order, at).await?;
    Ok(())
}

/// Releases the coupon of an unpaid order that can no longer be charged.
pub async fn give_back_coupon(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let one_time = one_time_orders::read(&mut connection, order_id, AttemptSelector::Current).await?;
    drop(connection);
    if one_time.order.state == OrderState::Open && one_time.payment.disposition() == Disposition::AwaitsBuyer
    {
        close_intent(checkout, one_time.payment.payment_id).await?;
    }
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let one_time = one_time_orders::lock(&mut tx, order_id, AttemptSelector::Current).await?;
    match (&one_time.order.state, one_time.payment.disposition()) {
        (OrderState::Open, Disposition::Closed) => {
            abandon_one_time_order(&mut tx, checkout, one_time).await?;
        }
        // Another process is executing it: it becomes due again after the lease.
        (OrderState::Open, _) => return Ok(()),
        _ => coupons::update_reservation(&mut tx, &one_time.order, checkout.clock.now()).await?,
    }
    tx.commit().await?;
    Ok(())
}
