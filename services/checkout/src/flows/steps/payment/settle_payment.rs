//! The only flow that marks a payment as paid. All callers with a provider result use it: the buyer's request,
//! the return from 3-D Secure, webhooks and the reconciler, in any order and any number of times.

use std::borrow::Cow;

use sqlx::PgConnection;

use super::emit_page_payment_events::emit_captured;
use crate::domain::ids::{PaymentId, RefundId};
use crate::domain::ledger::postings::{Capture, plan_capture};
use crate::domain::order::subscription_order::SubscriptionOrder;
use crate::domain::order::{Availability, Order, OrderState};
use crate::domain::payment::Payment;
use crate::domain::payment::poll_schedule;
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot, ProviderResult};
use crate::domain::subscription::settlement::{Fact, Settlement, decide};
use crate::emit;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::ledger;
use crate::store::order::{one_time_orders, subscription_orders};
use crate::store::pricing::{coupons, free_trials};
use crate::store::refund::{refund_reconciliations, refunds};
use crate::store::subscription::billing_states;

pub async fn settle_payment(
    checkout: &Checkout,
    payment_id: PaymentId,
    result: &ProviderResult,
) -> Result<SubscriptionOrder> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let settled = settle(&mut tx, checkout, payment_id, result).await?;
    tx.commit().await?;
    announce(&settled.purchase, &settled.facts);
    Ok(settled.purchase)
}

/// What [`settle_payment`] does in its transaction.
pub struct Settled {
    pub purchase: SubscriptionOrder,
    /// Of the order, earliest first.
    pub attempts: Vec<Payment>,
    pub facts: Vec<Fact>,
}

/// [`announce`]d when it is committed.
pub async fn settle(
    tx: &mut PgConnection,
    checkout: &Checkout,
    payment_id: PaymentId,
    result: &ProviderResult,
) -> Result<Settled> {
    let now = checkout.clock.now();
    let (before, mut attempts) = subscription_orders::lock_payment(tx, payment_id).await?;
    let order_id = before.order.order_id;
    let result = &without_second_setup(tx, &before.order, result).await?;

    let availability = availability(tx, &before, result).await?;
    let Settlement { mut purchase, facts } =
        decide(before.clone().abandoned_if_owned(availability, now), result, now);
    if purchase != before {
        purchase.subscription.poll_count = 0;
    }
    if purchase
        .attempt
        .is_authoritative(&purchase.payment, &purchase.order.state)
    {
        purchase.subscription.next_check_at =
            poll_schedule::next_check(&purchase, checkout.in_flight_timeout, now);
        let is_due = purchase.subscription.next_check_at.is_some() && !purchase.order.is_paid();
        let mut others = attempts.iter().filter(|attempt| attempt.payment_id != payment_id);
        if !is_due && others.any(Payment::is_chargeable) {
            purchase.subscription.next_check_at = Some(now + checkout.in_flight_timeout.0);
        }
    }

    subscription_orders::save_changes(tx, &before, &purchase).await?;
    if facts.contains(&Fact::SubscriptionActivated) {
        billing_states::begin(tx, purchase.subscription.subscription_id).await?;
    } else if purchase.subscription.state != before.subscription.state
        || purchase.order.state != before.order.state
    {
        billing_states::schedule_now(tx, order_id).await?;
    }
    if purchase.order.state != before.order.state {
        coupons::update_reservation(tx, &purchase.order, now).await?;
    }
    book_capture(tx, checkout, (&purchase.order, &purchase.payment), &facts).await?;
    emit::facts(tx, &checkout.clock, &purchase, &facts).await?;
    emit_captured(tx, checkout, (&purchase.order, &purchase.payment), &facts).await?;
    let settled = attempts
        .iter_mut()
        .find(|attempt| attempt.payment_id == payment_id);
    if let Some(settled) = settled {
        settled.clone_from(&purchase.payment);
    }
    Ok(Settled {
        purchase,
        attempts,
        facts,
    })
}

/// The buyer may have bought the product for good since the order was opened, such as during 3-D Secure. Read only when the
/// result would pay the order or begin its trial.
async fn availability(
    tx: &mut PgConnection,
    before: &SubscriptionOrder,
    result: &ProviderResult,
) -> Result<Availability> {
    let SubscriptionOrder { order, payment, .. } = before;
    let accepts = matches!(result, ProviderResult::Snapshot(snapshot) if snapshot.is_accepted());
    if !accepts || order.state != OrderState::Open || payment.captured().is_some() {
        return Ok(Availability::Available);
    }
    lifetime_availability(tx, order).await
}

/// Whether the buyer owns for good what the order opens.
pub async fn lifetime_availability(tx: &mut PgConnection, order: &Order) -> Result<Availability> {
    let owned = one_time_orders::owned(tx, &order.user_id).await?;
    Ok(if order.opens.adds_nothing_to(owned) {
        Availability::Owned
    } else {
        Availability::Available
    })
}

/// The bank has confirmed the card of a paid trial when the trial was paid: the subscription after it asks for nothing more.
async fn without_second_setup<'a>(
    tx: &mut PgConnection,
    order: &Order,
    result: &'a ProviderResult,
) -> Result<Cow<'a, ProviderResult>> {
    match result {
        ProviderResult::Snapshot(snapshot)
            if matches!(snapshot.charge, Charge::SetupRequired { .. })
                && free_trials::is_paid(tx, order).await? =>
        {
            Ok(Cow::Owned(ProviderResult::Snapshot(PaymentSnapshot {
                charge: Charge::NotDue,
                ..snapshot.clone()
            })))
        }
        unchanged => Ok(Cow::Borrowed(unchanged)),
    }
}

/// Posts the capture and stores a refund of an excess capture.
pub async fn book_capture(
    tx: &mut PgConnection,
    checkout: &Checkout,
    (order, payment): (&Order, &Payment),
    facts: &[Fact],
) -> Result<()> {
    let now = checkout.clock.now();
    let captured = plan_capture((order, payment), facts, RefundId::new(now), now)?;
    let Some(Capture {
        posting,
        excess_refund: surplus,
    }) = captured
    else {
        return Ok(());
    };
    ledger::post(tx, &posting).await?;
    if let Some(refund) = surplus {
        refunds::insert_intent(tx, &refund).await?;
        refund_reconciliations::schedule_now(tx, refund.payment_id).await?;
    }
    Ok(())
}

pub fn announce(purchase: &SubscriptionOrder, facts: &[Fact]) {
    let order_id = purchase.order.order_id;
    for fact in facts {
        match fact {
            Fact::OrderPaid { amount } => {
                metrics::counter!("checkout_orders_paid_total", "currency" => amount.currency.code())
                    .increment(1);
                tracing::info!(order.id = %order_id, "Order {order_id} is paid");
            }
            Fact::SubscriptionActivated => {
                metrics::counter!("checkout_subscriptions_activated_total").increment(1);
                let subscription_id = purchase.subscription.subscription_id;
                tracing::info!(order.id = %order_id, "Subscription {subscription_id} is active");
            }
            Fact::PaymentFailed { code } => {
                metrics::counter!("checkout_payments_failed_total", "code" => code.clone()).increment(1);
                tracing::info!(order.id = %order_id, code, "A payment of order {order_id} failed");
            }
            Fact::DuplicateCapture { payment_id, .. } => {
                metrics::counter!("checkout_duplicate_captures_total").increment(1);
                tracing::error!(order.id = %order_id, "duplicate capture of order {order_id}: payment {payment_id} is refunded");
            }
        }
    }
}
