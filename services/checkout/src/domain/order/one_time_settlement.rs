//! Applies a provider's result to a one-time order, by the rules of [`crate::domain::subscription::settlement`].
//!
//! Results arrive late, repeatedly and in any order. A capture is never undone. The first capture pays, and every
//! other one is refunded.

use chrono::{DateTime, Utc};

use super::order_attempt::{AttemptStatus, OrderAttempt};
use crate::domain::order::fact::Fact;
use crate::domain::order::{Availability, Order, OrderKind, OrderState};
use crate::domain::payment::intent::{IntentCharge, IntentSnapshot};
use crate::domain::payment::provider_result::IntentResult;
use crate::domain::payment::{Payment, PaymentState};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    pub one_time: OrderAttempt,
    pub facts: Vec<Fact>,
}

pub fn decide(
    one_time: OrderAttempt,
    result: &IntentResult,
    availability: Availability,
    now: DateTime<Utc>,
) -> Settlement {
    let was_captured = one_time.payment.captured().is_some();
    let before = one_time.payment.state.clone();
    let payment = payment_after(one_time.payment.clone(), result, now);
    // An unmatched capture stays refunded, even if the product becomes available later.
    let state = if was_captured {
        one_time.order.state
    } else {
        order_after(&one_time, &payment, availability, result, now)
    };
    let order = Order {
        state,
        ..one_time.order
    };

    let captured = Fact::of_capture(&order, &payment, &before);
    let facts = captured.into_iter().chain(Fact::of_failure(&payment, &before));
    let facts = facts.collect();
    Settlement {
        one_time: OrderAttempt {
            order,
            payment,
            ..one_time
        },
        facts,
    }
}

fn payment_after(payment: Payment, result: &IntentResult, now: DateTime<Utc>) -> Payment {
    match result.state_without_snapshot(payment.state.clone()) {
        Ok(state) => Payment { state, ..payment },
        Err(seen) => Payment {
            state: state_by_snapshot(payment.state, seen, now),
            provider_intent_id: Some(seen.provider_intent_id.clone()),
            ..payment
        },
    }
}

fn state_by_snapshot(state: PaymentState, seen: &IntentSnapshot, now: DateTime<Utc>) -> PaymentState {
    match (state, &seen.charge) {
        (succeeded @ PaymentState::Succeeded { .. }, _) => succeeded,
        (_, IntentCharge::Captured(captured)) => PaymentState::Succeeded {
            captured: *captured,
            at: now,
        },
        (PaymentState::Canceled, _) | (_, IntentCharge::Closed) => PaymentState::Canceled,
        // The refused intent has no secret at a buyer, and another attempt may be in flight.
        (
            failed @ PaymentState::Failed { .. },
            IntentCharge::AwaitsBuyer { .. } | IntentCharge::Processing,
        ) => failed,
        (_, IntentCharge::AwaitsBuyer { client_secret }) => PaymentState::RequiresAction {
            client_secret: client_secret.clone(),
        },
        (_, IntentCharge::Processing) => PaymentState::Processing,
    }
}

fn order_after(
    one_time: &OrderAttempt,
    payment: &Payment,
    availability: Availability,
    result: &IntentResult,
    now: DateTime<Utc>,
) -> OrderState {
    let OrderAttempt { order, attempt, .. } = one_time;
    let is_beside_another =
        matches!(order.kind, OrderKind::Trial { .. }) && availability == Availability::Owned;
    match (&order.state, &payment.state) {
        (paid @ OrderState::Paid { .. }, _) => paid.clone(),
        (OrderState::Open, PaymentState::Succeeded { .. }) if is_beside_another => {
            OrderState::Abandoned { at: now }
        }
        (abandoned, PaymentState::Succeeded { .. }) if is_beside_another => abandoned.clone(),
        // Money counts even for an order the buyer walked away from.
        (_, PaymentState::Succeeded { at, .. }) => OrderState::Paid {
            by: payment.payment_id,
            at: *at,
        },
        // Closed at the provider. Of what never arrived there, the order stays open for another attempt.
        (OrderState::Open, PaymentState::Canceled)
            if *attempt == AttemptStatus::Current && matches!(result, IntentResult::Snapshot(_)) =>
        {
            OrderState::Abandoned { at: now }
        }
        (unchanged, _) => unchanged.clone(),
    }
}

#[cfg(test)]
pub mod tests;
