//! The only place where a payment becomes paid. Everybody who hears from a provider comes here: the buyer's own request,
//! the return from 3-D Secure, webhooks and the reconciler, in any order and any number of times.

use std::borrow::Cow;

use sqlx::PgConnection;

use super::Checkout;
use super::tell_platron::tell_captured;
use crate::domain::bookkeeping::{Capture, capture};
use crate::domain::ids::{PaymentId, RefundId};
use crate::domain::order::Order;
use crate::domain::payment::Payment;
use crate::domain::purchase::Purchase;
use crate::domain::report::{Charge, Report, Snapshot};
use crate::domain::schedule;
use crate::domain::settlement::{Fact, Settlement, decide};
use crate::emit;
use crate::error::Result;
use crate::store::{coupons, free_trials, ledger, lives, purchases, refund_watches, refunds};

pub async fn settle_payment(checkout: &Checkout, payment_id: PaymentId, report: &Report) -> Result<Purchase> {
    let mut tx = checkout.pool.begin().await?;
    let settled = settle(&mut tx, checkout, payment_id, report).await?;
    tx.commit().await?;
    announce(&settled.purchase, &settled.facts);
    Ok(settled.purchase)
}

/// What [`settle_payment`] does in its transaction.
pub struct Settled {
    pub purchase: Purchase,
    /// Of the order, earliest first.
    pub attempts: Vec<Payment>,
    pub facts: Vec<Fact>,
}

/// [`announce`]d when it is committed.
pub async fn settle(
    tx: &mut PgConnection,
    checkout: &Checkout,
    payment_id: PaymentId,
    report: &Report,
) -> Result<Settled> {
    let now = checkout.clock.now();
    let (before, mut attempts) = purchases::lock_payment(tx, payment_id).await?;
    let order_id = before.order.order_id;
    let report = &without_second_setup(tx, &before.order, report).await?;

    let Settlement { mut purchase, facts } = decide(before.clone(), report, now);
    if purchase != before {
        purchase.subscription.checks = 0;
    }
    if purchase
        .attempt
        .speaks_for_subscription(&purchase.payment, &purchase.order.state)
    {
        purchase.subscription.next_check_at = schedule::next_check(&purchase, checkout.patience, now);
        let is_due = purchase.subscription.next_check_at.is_some() && !purchase.order.is_paid();
        let mut others = attempts.iter().filter(|attempt| attempt.payment_id != payment_id);
        if !is_due && others.any(Payment::is_chargeable) {
            purchase.subscription.next_check_at = Some(now + checkout.patience.0);
        }
    }

    purchases::save_changes(tx, &before, &purchase).await?;
    let provider = purchase.payment.provider;
    let charges_on = provider.waits_to_be_asked() || checkout.providers.life_of(provider).is_some();
    if facts.contains(&Fact::SubscriptionActivated) && charges_on {
        lives::begin(tx, purchase.subscription.subscription_id).await?;
    } else if purchase.subscription.state != before.subscription.state
        || purchase.order.state != before.order.state
    {
        lives::make_due(tx, order_id).await?;
    }
    if purchase.order.state != before.order.state {
        coupons::follow(tx, &purchase.order, now).await?;
    }
    book_capture(tx, checkout, (&purchase.order, &purchase.payment), &facts).await?;
    emit::facts(tx, &checkout.clock, &purchase, &facts).await?;
    tell_captured(tx, checkout, (&purchase.order, &purchase.payment), &facts).await?;
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

/// The bank has confirmed the card of a paid trial when the trial was paid: the subscription after it asks for nothing more.
async fn without_second_setup<'a>(
    tx: &mut PgConnection,
    order: &Order,
    report: &'a Report,
) -> Result<Cow<'a, Report>> {
    match report {
        Report::Snapshot(snapshot)
            if matches!(snapshot.charge, Charge::SetupRequired { .. })
                && free_trials::is_paid(tx, order).await? =>
        {
            Ok(Cow::Owned(Report::Snapshot(Snapshot {
                charge: Charge::NotDue,
                ..snapshot.clone()
            })))
        }
        unchanged => Ok(Cow::Borrowed(unchanged)),
    }
}

/// What was captured too much starts on its way back.
pub async fn book_capture(
    tx: &mut PgConnection,
    checkout: &Checkout,
    (order, payment): (&Order, &Payment),
    facts: &[Fact],
) -> Result<()> {
    let now = checkout.clock.now();
    let captured = capture((order, payment), facts, RefundId::new(now), now)?;
    let Some(Capture { booking, surplus }) = captured else {
        return Ok(());
    };
    ledger::book(tx, &booking).await?;
    if let Some(refund) = surplus {
        refunds::insert_intent(tx, &refund).await?;
        refund_watches::make_due(tx, refund.payment_id).await?;
    }
    Ok(())
}

pub fn announce(purchase: &Purchase, facts: &[Fact]) {
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
            Fact::CapturedTwice { payment_id, .. } => {
                metrics::counter!("checkout_captured_twice_total").increment(1);
                tracing::error!(order.id = %order_id, "Order {order_id} was paid twice: payment {payment_id} goes back");
            }
        }
    }
}
