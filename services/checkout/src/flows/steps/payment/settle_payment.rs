//! The only flow that marks a payment as paid, of every kind of order. All callers with a provider result use it: the buyer's
//! request, the return from 3-D Secure, webhooks and the reconciler, in any order and any number of times.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::emit_page_payment_events::emit_captured;
use crate::domain::ids::{PaymentId, RefundId};
use crate::domain::ledger::postings::{Capture, plan_capture};
use crate::domain::order::fact::Fact;
use crate::domain::order::next_check::next_check;
use crate::domain::order::order_attempt::{OrderAttempt, SubscriptionOrder};
use crate::domain::order::{Availability, Order, OrderKind, OrderState, one_time_order, one_time_settlement};
use crate::domain::payment::Payment;
use crate::domain::payment::intent::IntentSnapshot;
use crate::domain::payment::provider_result::{
    Charge, IntentResult, PaymentSnapshot, ProviderResult, Snapshot,
};
use crate::domain::subscription::settlement;
use crate::emit;
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::trial::start_trial::start_trial;
use crate::store::order::{customers, one_time_orders, order_attempts, orders};
use crate::store::pricing::{coupons, free_trials};
use crate::store::refund::{refund_reconciliations, refunds};
use crate::store::subscription::billing_states;
use crate::store::{StoreError, ledger};

pub async fn settle_payment(
    checkout: &Checkout,
    payment_id: PaymentId,
    result: &ProviderResult<Snapshot>,
) -> Result<OrderAttempt> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let settled = settle(&mut tx, checkout, payment_id, result).await?;
    tx.commit().await?;
    announce(&settled.attempt, &settled.facts);
    Ok(settled.attempt)
}

/// What [`settle_payment`] does in its transaction.
pub struct Settled {
    pub attempt: OrderAttempt,
    /// Of the order, earliest first.
    pub attempts: Vec<Payment>,
    pub facts: Vec<Fact>,
}

/// [`announce`]d when it is committed.
///
/// The buyer of a one-time order is locked before the order: they may pay a trial of the product in another tab.
pub async fn settle(
    tx: &mut PgConnection,
    checkout: &Checkout,
    payment_id: PaymentId,
    result: &ProviderResult<Snapshot>,
) -> Result<Settled> {
    let now = checkout.clock.now();
    if let ProviderResult::Snapshot(Snapshot::Intent(_)) = result {
        customers::hold_by_payment(tx, payment_id).await?;
    }
    let (before, mut attempts) = order_attempts::lock_payment(tx, payment_id).await?;
    let Decided {
        mut attempt,
        facts,
        next_check_at,
    } = decide(tx, checkout, &before, result).await?;
    if attempt.is_authoritative() {
        attempt.poll.next_check_at = next_check_at;
        let is_due = next_check_at.is_some() && !attempt.order.is_paid();
        let mut others = attempts.iter().filter(|other| other.payment_id != payment_id);
        if !is_due && others.any(Payment::is_chargeable) {
            attempt.poll.next_check_at = Some(now + checkout.in_flight_timeout.0);
        }
    }

    order_attempts::save_changes(tx, &before, &attempt).await?;
    schedule_sync(tx, &before, &attempt, &facts).await?;
    let OrderAttempt { order, payment, .. } = &attempt;
    if order.state != before.order.state {
        coupons::update_reservation(tx, order, now).await?;
    }
    book_capture(tx, checkout, order, payment, &facts).await?;
    emit::facts(tx, &checkout.clock, &attempt, &facts).await?;
    emit_captured(tx, checkout, order, payment, &facts).await?;
    if let ProviderResult::Snapshot(Snapshot::Intent(seen)) = result {
        apply_intent(tx, checkout, order, seen, &facts).await?;
    }
    let settled = attempts
        .iter_mut()
        .find(|attempt| attempt.payment_id == payment_id);
    if let Some(settled) = settled {
        settled.clone_from(payment);
    }
    Ok(Settled {
        attempt,
        attempts,
        facts,
    })
}

/// The rule's decision, before the poll is scheduled.
struct Decided {
    attempt: OrderAttempt,
    facts: Vec<Fact>,
    next_check_at: Option<DateTime<Utc>>,
}

/// The rule and the poll schedule depend on the kind of order.
async fn decide(
    tx: &mut PgConnection,
    checkout: &Checkout,
    before: &OrderAttempt,
    result: &ProviderResult<Snapshot>,
) -> Result<Decided> {
    let payment_id = before.payment.payment_id;
    match before.clone().into_subscription_order() {
        Ok(purchase) => {
            let result = result.clone().try_map(Snapshot::subscription);
            let result = result.ok_or_else(|| of_other_kind(payment_id))?;
            decide_subscription(tx, checkout, purchase, result).await
        }
        Err(one_time) => {
            let result = result.clone().try_map(Snapshot::intent);
            let result = result.ok_or_else(|| of_other_kind(payment_id))?;
            decide_one_time(tx, checkout, *one_time, &result).await
        }
    }
}

fn of_other_kind(payment_id: PaymentId) -> StoreError {
    StoreError::Inconsistent {
        table: "payment",
        column: "subscription_id",
        row: payment_id.to_string(),
    }
}

async fn decide_subscription(
    tx: &mut PgConnection,
    checkout: &Checkout,
    before: SubscriptionOrder,
    result: ProviderResult,
) -> Result<Decided> {
    let now = checkout.clock.now();
    let result = without_second_setup(tx, &before.order, result).await?;
    let availability = availability_of_subscription(tx, &before, &result).await?;
    let sellable = before.clone().abandoned_if_owned(availability, now);
    let settled = settlement::decide(sellable, &result, now);
    let attempt = with_fresh_poll(&before, settled.purchase);
    Ok(Decided {
        next_check_at: next_check(&attempt, checkout.in_flight_timeout, now),
        attempt: attempt.into(),
        facts: settled.facts,
    })
}

async fn decide_one_time(
    tx: &mut PgConnection,
    checkout: &Checkout,
    before: OrderAttempt,
    result: &IntentResult,
) -> Result<Decided> {
    let now = checkout.clock.now();
    let availability = availability_of_trial(tx, &before.order).await?;
    let settled = one_time_settlement::decide(before.clone(), result, availability, now);
    let attempt = with_fresh_poll(&before, settled.one_time);
    Ok(Decided {
        next_check_at: one_time_order::next_check(&attempt, checkout.in_flight_timeout, now),
        attempt,
        facts: settled.facts,
    })
}

/// After a change, polls begin with short intervals again.
fn with_fresh_poll<S: PartialEq>(before: &OrderAttempt<S>, mut settled: OrderAttempt<S>) -> OrderAttempt<S> {
    if settled != *before {
        settled.poll.poll_count = 0;
    }
    settled
}

/// The buyer may have bought the product for good since the order was opened, such as during 3-D Secure. Read only when the
/// result would pay the order or begin its trial.
async fn availability_of_subscription(
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

/// A member who began a subscription to the product in the meantime, or owns for good what it opens, needs no trial of it: their
/// payment is refunded.
async fn availability_of_trial(tx: &mut PgConnection, order: &Order) -> Result<Availability> {
    if !matches!(order.kind, OrderKind::Trial { .. }) {
        return Ok(Availability::Available);
    }
    let held = orders::find_held(tx, &order.user_id, &order.product).await?;
    if held.is_some() {
        return Ok(Availability::Owned);
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

/// The bank confirmed the card when the paid trial was paid: the subscription after it needs no second setup.
async fn without_second_setup(
    tx: &mut PgConnection,
    order: &Order,
    result: ProviderResult,
) -> Result<ProviderResult> {
    Ok(match result {
        ProviderResult::Snapshot(snapshot)
            if matches!(snapshot.charge, Charge::SetupRequired { .. })
                && free_trials::is_paid(tx, order).await? =>
        {
            ProviderResult::Snapshot(PaymentSnapshot {
                charge: Charge::NotDue,
                ..snapshot
            })
        }
        unchanged => unchanged,
    })
}

/// Begins the sync of a subscription that became active, and schedules it now after another change.
async fn schedule_sync(
    tx: &mut PgConnection,
    before: &OrderAttempt,
    after: &OrderAttempt,
    facts: &[Fact],
) -> Result<()> {
    let (Some(before_it), Some(subscription)) = (&before.subscription, &after.subscription) else {
        return Ok(());
    };
    if facts.contains(&Fact::SubscriptionActivated) {
        billing_states::begin(tx, subscription.subscription_id).await?;
    } else if subscription.state != before_it.state || after.order.state != before.order.state {
        billing_states::schedule_now(tx, after.order.order_id).await?;
    }
    Ok(())
}

/// The name from the payment form, and the subscription of a paid trial.
async fn apply_intent(
    tx: &mut PgConnection,
    checkout: &Checkout,
    order: &Order,
    seen: &IntentSnapshot,
    facts: &[Fact],
) -> Result<()> {
    one_time_orders::name_guest(tx, &order.user_id, &seen.payer).await?;
    if facts.iter().any(|fact| matches!(fact, Fact::OrderPaid { .. })) {
        start_trial(tx, checkout, order, seen).await?;
    }
    Ok(())
}

/// Posts the capture and stores a refund of an excess capture.
pub async fn book_capture(
    tx: &mut PgConnection,
    checkout: &Checkout,
    order: &Order,
    payment: &Payment,
    facts: &[Fact],
) -> Result<()> {
    let now = checkout.clock.now();
    let captured = plan_capture(order, payment, facts, RefundId::new(now), now)?;
    let Some(Capture {
        posting,
        excess_refund: excess,
    }) = captured
    else {
        return Ok(());
    };
    ledger::post(tx, &posting).await?;
    if let Some(refund) = excess {
        refunds::insert_intent(tx, &refund).await?;
        refund_reconciliations::schedule_now(tx, refund.payment_id).await?;
    }
    Ok(())
}

pub fn announce(attempt: &OrderAttempt, facts: &[Fact]) {
    let order_id = attempt.order.order_id;
    for fact in facts {
        match fact {
            Fact::OrderPaid { amount } => {
                metrics::counter!("checkout_orders_paid_total", "currency" => amount.currency.code())
                    .increment(1);
                tracing::info!(order.id = %order_id, "order paid");
            }
            Fact::SubscriptionActivated => {
                metrics::counter!("checkout_subscriptions_activated_total").increment(1);
                tracing::info!(order.id = %order_id, "subscription activated");
            }
            Fact::PaymentFailed { code } => {
                metrics::counter!("checkout_payments_failed_total", "code" => code.clone()).increment(1);
                tracing::info!(order.id = %order_id, code, "payment failed");
            }
            Fact::DuplicateCapture { payment_id, .. } => {
                metrics::counter!("checkout_duplicate_captures_total").increment(1);
                tracing::error!(order.id = %order_id, payment.id = %payment_id, "duplicate capture; the payment is refunded");
            }
        }
    }
}
