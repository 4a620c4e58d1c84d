//! Applies a provider's result to an order and its subscription: the only rule by which a payment
//! becomes paid.
//!
//! Results arrive late, repeatedly and in any order. A capture is never undone here, an ended subscription never
//! revives, and applying a result is idempotent.

use chrono::{DateTime, Utc};

use crate::domain::order::fact::Fact;
use crate::domain::order::order_attempt::{AttemptStatus, SubscriptionOrder};
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot, ProviderResult, ProviderStatus};
use crate::domain::payment::{Payment, PaymentState};
use crate::domain::subscription_state::SubscriptionState;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    pub purchase: SubscriptionOrder,
    pub facts: Vec<Fact>,
}

pub fn decide(purchase: SubscriptionOrder, result: &ProviderResult, now: DateTime<Utc>) -> Settlement {
    let before = purchase.payment.state.clone();
    let order_state = order_after(&purchase, result, now);
    let payment = payment_after(purchase.payment, purchase.attempt, result, now);
    let mut facts = Vec::new();

    let order = Order {
        state: order_state,
        ..purchase.order
    };
    let mut subscription = purchase.subscription;
    if purchase.attempt.is_authoritative(&payment, &order.state)
        && let ProviderResult::Snapshot(snapshot) = result
    {
        subscription.state = subscription_after(subscription.state, &order.state, snapshot, now);
    }

    facts.extend(Fact::of_capture(&order, &payment, &before));
    let accepted = matches!(order.state, OrderState::OnTrial { .. } | OrderState::Paid { .. });
    let live = matches!(
        subscription.state,
        SubscriptionState::Trialing { .. } | SubscriptionState::Active { .. }
    );
    if accepted && live && subscription.activated_at.is_none() {
        subscription.activated_at = Some(now);
        facts.push(Fact::SubscriptionActivated);
    }
    facts.extend(Fact::of_failure(&payment, &before));

    Settlement {
        purchase: SubscriptionOrder {
            order,
            subscription,
            payment,
            attempt: purchase.attempt,
            poll: purchase.poll,
        },
        facts,
    }
}

fn payment_after(
    payment: Payment,
    attempt: AttemptStatus,
    result: &ProviderResult,
    now: DateTime<Utc>,
) -> Payment {
    let snapshot = match result.state_without_snapshot(payment.state.clone()) {
        Ok(state) => return Payment { state, ..payment },
        Err(snapshot) => snapshot,
    };
    let shown = snapshot.provider_intent_id.clone();
    Payment {
        // What it was paid by stays: a later charge of the subscription is a payment of its own.
        provider_intent_id: match payment.state {
            PaymentState::Succeeded { .. } => payment.provider_intent_id.or(shown),
            _ => shown.or(payment.provider_intent_id),
        },
        state: state_by_snapshot(payment.state, attempt, snapshot, now),
        provider_subscription_id: Some(snapshot.provider_subscription_id.clone()),
        ..payment
    }
}

fn state_by_snapshot(
    state: PaymentState,
    attempt: AttemptStatus,
    snapshot: &PaymentSnapshot,
    now: DateTime<Utc>,
) -> PaymentState {
    match (state, &snapshot.charge) {
        (succeeded @ PaymentState::Succeeded { .. }, _) => succeeded,
        (_, Charge::Captured(captured)) => PaymentState::Succeeded {
            captured: *captured,
            at: now,
        },
        (PaymentState::Canceled, _) | (_, Charge::Closed) => PaymentState::Canceled,
        _ if snapshot.has_ended() => PaymentState::Canceled,
        (_, Charge::Declined(decline)) => PaymentState::Failed {
            decline: decline.clone(),
        },
        // Another attempt may be in flight: a refused payment is reported again when it is paid or closed.
        (failed @ PaymentState::Failed { .. }, Charge::ActionRequired { .. } | Charge::Processing)
            if attempt == AttemptStatus::Superseded =>
        {
            failed
        }
        // Once the card was good for a trial, only money or its refusal says something new.
        (deferred @ PaymentState::Deferred { .. }, _) => deferred,
        (_, Charge::NotDue) => match snapshot.status {
            ProviderStatus::Trialing => PaymentState::Deferred {
                until: snapshot.period_end,
            },
            _ => PaymentState::Processing,
        },
        (_, Charge::SetupRequired { client_secret }) => PaymentState::RequiresSetup {
            client_secret: client_secret.clone(),
            until: snapshot.period_end,
        },
        (_, Charge::ActionRequired { client_secret }) => PaymentState::RequiresAction {
            client_secret: client_secret.clone(),
        },
        (_, Charge::Processing) => PaymentState::Processing,
    }
}

fn order_after(purchase: &SubscriptionOrder, result: &ProviderResult, now: DateTime<Utc>) -> OrderState {
    let order = purchase.order.state.clone();
    let before = &purchase.payment;
    // A capture that is refunded stays refunded.
    if before.captured().is_some() {
        return order;
    }
    let payment = payment_after(before.clone(), purchase.attempt, result, now);
    match (order, &payment.state) {
        (paid @ OrderState::Paid { .. }, _) => paid,
        (OrderState::Open | OrderState::OnTrial { .. }, PaymentState::Succeeded { .. })
            if is_too_late(purchase, result) && purchase.attempt == AttemptStatus::Current =>
        {
            OrderState::Abandoned { at: now }
        }
        (unpaid, PaymentState::Succeeded { .. }) if is_too_late(purchase, result) => unpaid,
        (_, PaymentState::Succeeded { at, .. }) => OrderState::Paid {
            by: payment.payment_id,
            at: *at,
        },
        (OrderState::Open, PaymentState::Deferred { until }) => OrderState::OnTrial { until: *until },
        // The end of another attempt does not end the trial.
        (OrderState::OnTrial { .. }, PaymentState::Canceled)
            if matches!(before.state, PaymentState::Deferred { .. }) =>
        {
            OrderState::Abandoned { at: now }
        }
        (unchanged, _) => unchanged,
    }
}

/// The subscription ended before the capture and never revives: the capture is refunded.
fn is_too_late(purchase: &SubscriptionOrder, result: &ProviderResult) -> bool {
    let subscription = &purchase.subscription;
    let is_over = match result {
        ProviderResult::Snapshot(snapshot) if snapshot.has_ended() => true,
        _ => subscription.state.has_ended(),
    };
    is_over && subscription.activated_at.is_none()
}

fn subscription_after(
    state: SubscriptionState,
    order: &OrderState,
    snapshot: &PaymentSnapshot,
    now: DateTime<Utc>,
) -> SubscriptionState {
    use ProviderStatus as Status;
    use SubscriptionState as State;

    if state.has_ended() {
        return state;
    }
    let accepted = !matches!(order, OrderState::Open);
    let period_end = state
        .period_end()
        .map_or(snapshot.period_end, |known| known.max(snapshot.period_end));
    match (accepted, snapshot.status) {
        (true, Status::Canceled | Status::Expired) => State::Canceled { at: now },
        (true, Status::Paid) if !matches!(state, State::Incomplete) => state,
        (true, Status::Active | Status::Paid) => State::Active { period_end },
        (true, Status::PastDue) => State::PastDue { period_end },
        // A report from before the trial ended, overtaken by a later one.
        (true, Status::Trialing) if matches!(state, State::Active { .. } | State::PastDue { .. }) => state,
        (true, Status::Trialing) => State::Trialing { until: period_end },
        (true, Status::Incomplete) => state,
        // Not paid, or a trial whose card is not confirmed: whatever the provider calls it, it has not begun.
        (false, _) => State::Incomplete,
    }
}

#[cfg(test)]
mod tests;
