//! An order, its subscription and one of its payment attempts, read and written together.

use super::order::Order;
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    Latest,
    Replaced,
}

impl Attempt {
    /// A replaced attempt no longer speaks for the subscription, unless it took money after all.
    pub fn speaks_for_subscription(self, payment: &Payment) -> bool {
        self == Self::Latest || payment.captured().is_some()
    }
}
