//! What to do when somebody presses "pay": start, join what is under way, try another card, or refuse.

use super::ids::{PaymentId, PriceId};
use super::order::OrderState;
use super::payment::{PaymentState, Standing};
use super::purchase::Purchase;

/// What the buyer wants now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    pub price_id: PriceId,
    /// As agreed to: a price with a free trial is sold without it to a member who has had one.
    pub trial_days: i32,
    pub payment_method_id: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing stands in the way: a fresh order.
    Open,
    /// The same submit again: answer with what becomes of the first.
    Join(PaymentId),
    /// An earlier attempt could still be charged: close it at the provider, then ask again.
    Close(PaymentId),
    /// The same order with another card.
    Retry,
    /// Another price of the same product: the old order is given up.
    Replace,
    Refuse(Refusal),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    AlreadySubscribed,
    /// A payment for another price of the product is still in the air.
    PaymentInProgress,
}

/// `held` is the member's purchase of the product that has not ended, if there is one.
pub fn decide(submission: &Submission, held: Option<&Purchase>) -> Next {
    let Some(held) = held else { return Next::Open };
    let payment = &held.payment;
    let same_price = held.order.price_id == submission.price_id;
    let same_terms = same_price && held.order.trial_days == submission.trial_days;
    let same_card = payment.payment_method_id == submission.payment_method_id;
    let closed = payment.state == PaymentState::Canceled;

    match &held.order.state {
        OrderState::OnTrial { .. } | OrderState::Paid { .. } if same_price && same_card => {
            Next::Join(payment.payment_id)
        }
        OrderState::OnTrial { .. } | OrderState::Paid { .. } => Next::Refuse(Refusal::AlreadySubscribed),
        OrderState::Abandoned { .. } => Next::Open,
        OrderState::Open if same_terms && same_card && !closed => Next::Join(payment.payment_id),
        OrderState::Open => match payment.standing() {
            Standing::InFlight | Standing::Settled if same_terms => Next::Join(payment.payment_id),
            Standing::InFlight | Standing::Settled => Next::Refuse(Refusal::PaymentInProgress),
            Standing::AwaitsBuyer => Next::Close(payment.payment_id),
            Standing::Over if same_terms => Next::Retry,
            Standing::Over => Next::Replace,
        },
    }
}

#[cfg(test)]
#[path = "submission_tests.rs"]
mod tests;
