//! An order, its subscription and one of its payment attempts, read and written together.

use crate::domain::ids::PaymentId;
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::{Disposition, Payment};
use crate::domain::subscription::Subscription;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionOrder {
    pub order: Order,
    pub subscription: Subscription,
    pub payment: Payment,
    /// Whether the payment is the order's current attempt.
    pub attempt: AttemptStatus,
}

impl SubscriptionOrder {
    /// The capture matches no order and is refunded.
    pub fn is_unmatched_capture(&self) -> bool {
        matches!(self.order.state, OrderState::Abandoned { .. }) && self.payment.captured().is_some()
    }
}

/// The attempt that blocks another one: the one that has paid, or else one that may still be
/// charged, at any provider. `attempts` are of this order, earliest first.
pub fn blocking_attempt(order: &Order, attempts: &[Payment]) -> Option<PaymentId> {
    if let OrderState::Paid { by, .. } = order.state {
        return Some(by);
    }
    let mut latest_first = attempts.iter().rev();
    let open = latest_first.find(|attempt| attempt.disposition() != Disposition::Closed);
    open.or(attempts.last()).map(|attempt| attempt.payment_id)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptStatus {
    Current,
    Superseded,
}

impl AttemptStatus {
    /// Whether this attempt decides the subscription's state: the one that paid the order, or else the latest.
    pub fn is_authoritative(self, payment: &Payment, order: &OrderState) -> bool {
        match order {
            OrderState::Paid { by, .. } => *by == payment.payment_id,
            _ => self == Self::Current,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fixtures::{intended, noon};
    use crate::domain::payment::PaymentState;

    #[test]
    fn an_attempt_that_may_be_charged_stands_before_a_later_one_that_is_over() {
        let SubscriptionOrder {
            mut order, payment, ..
        } = intended();
        let later = |state| Payment {
            payment_id: PaymentId::new(noon()),
            state,
            ..payment.clone()
        };
        let over = later(PaymentState::Canceled);
        let attempts = [payment.clone(), over.clone()];
        assert_eq!(blocking_attempt(&order, &attempts), Some(payment.payment_id));
        let attempts = [payment.clone(), later(PaymentState::Unknown)];
        assert_eq!(blocking_attempt(&order, &attempts), Some(attempts[1].payment_id));
        let attempts = [later(PaymentState::Canceled), over.clone()];
        assert_eq!(blocking_attempt(&order, &attempts), Some(over.payment_id));
        order.state = OrderState::Paid {
            by: over.payment_id,
            at: noon(),
        };
        assert_eq!(
            blocking_attempt(&order, &[payment, over.clone()]),
            Some(over.payment_id)
        );
    }
}
