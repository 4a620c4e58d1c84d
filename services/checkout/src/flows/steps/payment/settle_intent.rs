//! Settles a one-time payment; like `settle_payment`, the only flow that does. All callers
//! with a provider result use it, in any order and any number of times.

use sqlx::PgConnection;

use super::emit_page_payment_events::emit_captured;
use super::settle_payment::{book_capture, lifetime_availability};
use crate::domain::ids::PaymentId;
use crate::domain::order::intent::IntentResult;
use crate::domain::order::one_time_order::{self, OneTimeOrder};
use crate::domain::order::one_time_settlement::{Settlement, decide};
use crate::domain::order::{Availability, Order, OrderKind};
use crate::domain::subscription::settlement::Fact;
use crate::emit;
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::subscription::start_trial::start_trial;
use crate::store::StoreError;
use crate::store::order::subscription_orders::AttemptSelector;
use crate::store::order::{one_time_orders, orders};
use crate::store::payment::payments;
use crate::store::pricing::coupons;

pub async fn settle_intent(
    checkout: &Checkout,
    payment_id: PaymentId,
    result: &IntentResult,
) -> Result<OneTimeOrder> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let (one_time, facts) = settle_within(&mut tx, checkout, payment_id, result).await?;
    tx.commit().await?;
    announce(&one_time, &facts);
    Ok(one_time)
}

/// Runs in the caller's transaction; the caller commits and logs.
pub async fn settle_within(
    tx: &mut PgConnection,
    checkout: &Checkout,
    payment_id: PaymentId,
    result: &IntentResult,
) -> Result<(OneTimeOrder, Vec<Fact>)> {
    let now = checkout.clock.now();
    let Some(order_id) = payments::find_order(tx, payment_id).await? else {
        let unknown = StoreError::Inconsistent {
            table: "payment",
            column: "payment_id",
            row: payment_id.to_string(),
        };
        return Err(unknown.into());
    };
    let before = one_time_orders::lock(tx, order_id, AttemptSelector::Payment(payment_id)).await?;
    let availability = availability(tx, &before.order).await?;

    let Settlement { mut one_time, facts } = decide(before.clone(), result, availability, now);
    if one_time != before {
        one_time.poll.poll_count = 0;
    }
    if one_time.is_authoritative() {
        one_time.poll.next_check_at = one_time_order::next_check(&one_time, checkout.in_flight_timeout, now);
        if one_time.order.is_paid() && !payments::other_open(tx, &one_time.payment).await?.is_empty() {
            one_time.poll.next_check_at = Some(now + checkout.in_flight_timeout.0);
        }
    }

    one_time_orders::save(tx, &one_time).await?;
    if let IntentResult::Snapshot(seen) = result {
        one_time_orders::name_guest(tx, &one_time.order.user_id, &seen.payer).await?;
    }
    if one_time.order.state != before.order.state {
        coupons::update_reservation(tx, &one_time.order, now).await?;
    }
    book_capture(tx, checkout, (&one_time.order, &one_time.payment), &facts).await?;
    emit::one_time_facts(tx, &checkout.clock, &one_time, &facts).await?;
    emit_captured(tx, checkout, (&one_time.order, &one_time.payment), &facts).await?;
    let is_paid = facts.iter().any(|fact| matches!(fact, Fact::OrderPaid { .. }));
    if let (IntentResult::Snapshot(seen), true) = (result, is_paid) {
        start_trial(tx, checkout, &one_time.order, seen).await?;
    }
    Ok((one_time, facts))
}

/// A member who began a subscription to the product in the meantime, or owns for good what it opens, needs no trial of it: their
/// payment is refunded.
async fn availability(tx: &mut PgConnection, order: &Order) -> Result<Availability> {
    if !matches!(order.kind, OrderKind::Trial { .. }) {
        return Ok(Availability::Available);
    }
    if orders::find_held(tx, &order.user_id, &order.product)
        .await?
        .is_some()
    {
        return Ok(Availability::Owned);
    }
    lifetime_availability(tx, order).await
}

pub fn announce(one_time: &OneTimeOrder, facts: &[Fact]) {
    let order_id = one_time.order.order_id;
    for fact in facts {
        match fact {
            Fact::OrderPaid { amount } => {
                metrics::counter!("checkout_orders_paid_total", "currency" => amount.currency.code())
                    .increment(1);
                tracing::info!(order.id = %order_id, "Order {order_id} is paid");
            }
            Fact::PaymentFailed { code } => {
                metrics::counter!("checkout_payments_failed_total", "code" => code.clone()).increment(1);
                tracing::info!(order.id = %order_id, code, "A payment of order {order_id} failed");
            }
            Fact::DuplicateCapture { payment_id, .. } => {
                metrics::counter!("checkout_duplicate_captures_total").increment(1);
                tracing::error!(order.id = %order_id, "unmatched payment {payment_id} of order {order_id} is refunded");
            }
            Fact::SubscriptionActivated => {}
        }
    }
}
