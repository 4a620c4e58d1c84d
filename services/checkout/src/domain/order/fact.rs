//! What a settlement of an order changed.

use kit::money::Money;

use crate::domain::ids::PaymentId;
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::{Payment, PaymentState};

/// A change made by a settlement that is emitted as an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    OrderPaid {
        amount: Money,
    },
    SubscriptionActivated,
    PaymentFailed {
        code: String,
    },
    /// A second capture for an order that another payment paid: it is refunded.
    DuplicateCapture {
        payment_id: PaymentId,
        amount: Money,
    },
}

impl Fact {
    /// The first capture of `payment`: it pays its order, or is refunded.
    pub fn of_capture(order: &Order, payment: &Payment, before: &PaymentState) -> Option<Self> {
        let was_captured = matches!(before, PaymentState::Succeeded { .. });
        let amount = payment.captured().filter(|_| !was_captured)?;
        Some(match &order.state {
            OrderState::Paid { by, .. } if *by == payment.payment_id => Self::OrderPaid { amount },
            _ => Self::DuplicateCapture {
                payment_id: payment.payment_id,
                amount,
            },
        })
    }

    pub fn of_failure(payment: &Payment, before: &PaymentState) -> Option<Self> {
        match (before, &payment.state) {
            (PaymentState::Failed { .. }, _) => None,
            (_, PaymentState::Failed { decline }) => Some(Self::PaymentFailed {
                code: decline.code.clone(),
            }),
            _ => None,
        }
    }
}
