//! An order, its subscription and one of its payment attempts, read and written together.

use super::order::{Order, OrderState};
use super::payment::Payment;
use super::subscription::Subscription;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    pub order: Order,
    pub subscription: Subscription,
    pub payment: Payment,
    /// Whether the payment is the order's latest attempt.
    pub attempt: Attempt,
}

impl Purchase {
    /// What was taken paid for nothing, and goes back.
    pub fn is_unsold(&self) -> bool {
        matches!(self.order.state, OrderState::Abandoned { .. }) && self.payment.captured().is_some()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    Latest,
    Replaced,
}

impl Attempt {
    /// The attempt that paid the order speaks for its subscription; until one has, the latest.
    pub fn speaks_for_subscription(self, payment: &Payment, order: &OrderState) -> bool {
        match order {
            OrderState::Paid { by, .. } => *by == payment.payment_id,
            _ => self == Self::Latest,
        }
    }
}
