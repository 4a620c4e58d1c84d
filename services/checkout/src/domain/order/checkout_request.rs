//! Decides a checkout request: new order, join, another attempt, or refusal.

use super::order_attempt::SubscriptionOrder;
use crate::domain::ids::{PaymentId, PriceId};
use crate::domain::order::OrderState;
use crate::domain::payment::{Disposition, PaymentState};

/// The submitted checkout request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutRequest {
    pub price_id: PriceId,
    /// As agreed to: a price with a free trial is sold without it to a member who has had one.
    pub trial_days: i32,
    pub payment_method_id: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutDecision {
    /// No order exists: create one.
    Open,
    /// A repeat: join the payment in flight.
    Join(PaymentId),
    /// An earlier attempt could still be charged: close it at the provider, then decide again.
    Close(PaymentId),
    /// Add an attempt with another card to the same order.
    Retry,
    /// Another price of the same product: abandon the old order.
    Replace,
    Refuse(Refusal),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    AlreadySubscribed,
    /// A payment for another price of the product is in flight.
    PaymentInProgress,
}

/// `held` is the member's purchase of the product that has not ended, if there is one.
pub fn decide(submission: &CheckoutRequest, held: Option<&SubscriptionOrder>) -> CheckoutDecision {
    let Some(held) = held else {
        return CheckoutDecision::Open;
    };
    let payment = &held.payment;
    let same_price = held.order.price_id == submission.price_id;
    let same_terms = same_price && held.order.trial_days == submission.trial_days;
    let same_card = payment.payment_method_id == submission.payment_method_id;
    let closed = payment.state == PaymentState::Canceled;

    match &held.order.state {
        OrderState::OnTrial { .. } | OrderState::Paid { .. } if same_price && same_card => {
            CheckoutDecision::Join(payment.payment_id)
        }
        OrderState::OnTrial { .. } | OrderState::Paid { .. } => {
            CheckoutDecision::Refuse(Refusal::AlreadySubscribed)
        }
        OrderState::Abandoned { .. } => CheckoutDecision::Open,
        OrderState::Open if same_terms && same_card && !closed => CheckoutDecision::Join(payment.payment_id),
        OrderState::Open => match payment.disposition() {
            Disposition::InFlight | Disposition::Settled if same_terms => {
                CheckoutDecision::Join(payment.payment_id)
            }
            Disposition::InFlight | Disposition::Settled => {
                CheckoutDecision::Refuse(Refusal::PaymentInProgress)
            }
            Disposition::AwaitsBuyer => CheckoutDecision::Close(payment.payment_id),
            Disposition::Closed if same_terms => CheckoutDecision::Retry,
            Disposition::Closed => CheckoutDecision::Replace,
        },
    }
}

#[cfg(test)]
mod tests;
