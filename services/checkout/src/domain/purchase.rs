//! An order, its subscription and one of its payment attempts, read and written together.

use super::ids::PaymentId;
use super::order::{Order, OrderState};
use super::payment::{Payment, Standing};
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

/// The attempt that decides whether somebody may pay in another way: the one that has paid, or else one that may still be
/// charged, of whichever provider. `attempts` are of this order, earliest first.
pub fn in_the_way(order: &Order, attempts: &[Payment]) -> Option<PaymentId> {
    if let OrderState::Paid { by, .. } = order.state {
        return Some(by);
    }
    let mut latest_first = attempts.iter().rev();
    let open = latest_first.find(|attempt| attempt.standing() != Standing::Over);
    open.or(attempts.last()).map(|attempt| attempt.payment_id)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fixtures::{intended, noon};
    use crate::domain::payment::PaymentState;

    #[test]
    fn an_attempt_that_may_be_charged_stands_before_a_later_one_that_is_over() {
        let Purchase {
            mut order, payment, ..
        } = intended();
        let later = |state| Payment {
            payment_id: PaymentId::new(noon()),
            state,
            ..payment.clone()
        };
        let over = later(PaymentState::Canceled);
        let attempts = [payment.clone(), over.clone()];
        assert_eq!(in_the_way(&order, &attempts), Some(payment.payment_id));
        let attempts = [payment.clone(), later(PaymentState::Unknown)];
        assert_eq!(in_the_way(&order, &attempts), Some(attempts[1].payment_id));
        let attempts = [later(PaymentState::Canceled), over.clone()];
        assert_eq!(in_the_way(&order, &attempts), Some(over.payment_id));
        order.state = OrderState::Paid {
            by: over.payment_id,
            at: noon(),
        };
        assert_eq!(
            in_the_way(&order, &[payment, over.clone()]),
            Some(over.payment_id)
        );
    }
}
