//! What a provider's word means for an order that is paid once: the sibling of [`super::settlement`], by the same laws.
//!
//! Reports arrive late, repeatedly and in any order. Capture is never undone, the first capture heard of pays, and every
//! other goes back.

use chrono::{DateTime, Utc};

use super::intent::{IntentCharge, IntentReport, IntentSnapshot};
use super::order::{Order, OrderKind, OrderState};
use super::payment::{Payment, PaymentState};
use super::purchase::Attempt;
use super::sale::Sale;
use super::settlement::{self, Fact};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    pub sale: Sale,
    pub facts: Vec<Fact>,
}

/// Whether the product of a trial can be had: nobody holds a product twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    Free,
    Taken,
}

pub fn decide(sale: Sale, report: &IntentReport, room: Room, now: DateTime<Utc>) -> Settlement {
    let was_captured = sale.payment.captured().is_some();
    let payment = payment_after(sale.payment, report, now);
    // What was taken once and paid for nothing stays on its way back, whoever makes room for it later.
    let state = if was_captured {
        sale.order.state
    } else {
        order_after(&sale.order, &payment, (sale.attempt, room), report, now)
    };
    let order = Order { state, ..sale.order };

    let newly_captured = payment.captured().filter(|_| !was_captured);
    let fact = newly_captured.map(|amount| match &order.state {
        OrderState::Paid { by, .. } if *by == payment.payment_id => Fact::OrderPaid { amount },
        _ => Fact::CapturedTwice {
            payment_id: payment.payment_id,
            amount,
        },
    });
    Settlement {
        sale: Sale {
            order,
            payment,
            ..sale
        },
        facts: fact.into_iter().collect(),
    }
}

fn payment_after(payment: Payment, report: &IntentReport, now: DateTime<Utc>) -> Payment {
    let state = match (report, payment.state) {
        (IntentReport::Seen(seen), state) => {
            return Payment {
                state: state_by_snapshot(state, seen, now),
                provider_intent_id: Some(seen.provider_intent_id.clone()),
                ..payment
            };
        }
        (IntentReport::Refused(decline), PaymentState::Intended | PaymentState::Unknown) => {
            PaymentState::Failed {
                decline: decline.clone(),
            }
        }
        (IntentReport::Unreached, PaymentState::Intended) => PaymentState::Failed {
            decline: settlement::unreached(),
        },
        (IntentReport::NoAnswer, PaymentState::Intended) => PaymentState::Unknown,
        (IntentReport::NeverArrived, PaymentState::Intended | PaymentState::Unknown) => {
            PaymentState::Canceled
        }
        (_, unchanged) => unchanged,
    };
    Payment { state, ..payment }
}

fn state_by_snapshot(state: PaymentState, seen: &IntentSnapshot, now: DateTime<Utc>) -> PaymentState {
    match (state, &seen.charge) {
        (succeeded @ PaymentState::Succeeded { .. }, _) => succeeded,
        (_, IntentCharge::Captured(captured)) => PaymentState::Succeeded {
            captured: *captured,
            at: now,
        },
        (PaymentState::Canceled, _) | (_, IntentCharge::Closed) => PaymentState::Canceled,
        // Nobody has the secret of what was refused as it was opened, and another attempt may be under way.
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
    order: &Order,
    payment: &Payment,
    (attempt, room): (Attempt, Room),
    report: &IntentReport,
    now: DateTime<Utc>,
) -> OrderState {
    let is_beside_another = matches!(order.kind, OrderKind::Trial { .. }) && room == Room::Taken;
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
            if attempt == Attempt::Latest && matches!(report, IntentReport::Seen(_)) =>
        {
            OrderState::Abandoned { at: now }
        }
        (unchanged, _) => unchanged.clone(),
    }
}

#[cfg(test)]
#[path = "settlement_once_tests.rs"]
pub mod tests;
