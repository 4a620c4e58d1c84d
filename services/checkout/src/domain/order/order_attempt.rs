//! An order with one of its payment attempts, and with its subscription if it has one: read, settled and written together.

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::ids::PaymentId;
use crate::domain::order::{Availability, Order, OrderState};
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::payment::{Disposition, Payment, PaymentState};
use crate::domain::subscription_state::{Subscription, SubscriptionState};

/// How long a one-time payment may be paid; afterwards it is closed at the provider.
pub const PAYABLE_FOR: TimeDelta = TimeDelta::hours(24);

/// `subscription` is `None` for a one-time order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderAttempt<S = Option<Subscription>> {
    pub order: Order,
    pub subscription: S,
    pub payment: Payment,
    /// Whether the payment is the order's current attempt.
    pub attempt: AttemptStatus,
    /// When the provider is polled about the order.
    pub poll: PollState,
}

/// An order of a subscription.
pub type SubscriptionOrder = OrderAttempt<Subscription>;

impl<S> OrderAttempt<S> {
    /// Whether this attempt decides the state of the order: the one that paid it, or else the latest.
    pub fn is_authoritative(&self) -> bool {
        self.attempt.is_authoritative(&self.payment, &self.order.state)
    }

    fn is_abandoned(&self) -> bool {
        matches!(self.order.state, OrderState::Abandoned { .. })
    }

    /// The capture matches no order and is refunded.
    pub fn is_unmatched_capture(&self) -> bool {
        self.is_abandoned() && self.payment.captured().is_some()
    }

    /// The provider would charge the card at the end of a trial whose order is abandoned.
    pub fn is_abandoned_trial(&self) -> bool {
        self.is_abandoned() && matches!(self.payment.state, PaymentState::Deferred { .. })
    }

    /// Must be closed at the provider: the order is abandoned, or the buyer has not paid or not confirmed the card in time.
    pub fn is_overdue(&self, now: DateTime<Utc>) -> bool {
        let awaits_buyer = self.payment.disposition() == Disposition::AwaitsBuyer;
        let is_late = match self.payment.subscription_id {
            Some(_) => self.payment.is_setup_overdue(now),
            None => awaits_buyer && now >= self.payment.created_at + PAYABLE_FOR,
        };
        is_late || self.is_abandoned_trial() || (awaits_buyer && self.is_abandoned())
    }

    fn with_subscription<T>(self, subscription: T) -> OrderAttempt<T> {
        OrderAttempt {
            order: self.order,
            subscription,
            payment: self.payment,
            attempt: self.attempt,
            poll: self.poll,
        }
    }
}

impl OrderAttempt {
    /// `Err`: the same one-time order.
    pub fn into_subscription_order(self) -> Result<SubscriptionOrder, Box<Self>> {
        match self.subscription.clone() {
            Some(subscription) => Ok(self.with_subscription(subscription)),
            None => Err(Box::new(self)),
        }
    }
}

impl From<SubscriptionOrder> for OrderAttempt {
    fn from(purchase: SubscriptionOrder) -> Self {
        let subscription = Some(purchase.subscription.clone());
        purchase.with_subscription(subscription)
    }
}

impl SubscriptionOrder {
    /// Applied before a result that would pay the order. An owned product is not sold again: the abandoned order makes a
    /// capture a refund.
    #[must_use]
    pub fn abandoned_if_owned(self, availability: Availability, now: DateTime<Utc>) -> Self {
        if availability == Availability::Available || self.order.state != OrderState::Open {
            return self;
        }
        Self {
            order: Order {
                state: OrderState::Abandoned { at: now },
                ..self.order
            },
            subscription: Subscription {
                state: SubscriptionState::Expired { at: now },
                ..self.subscription
            },
            ..self
        }
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
    use crate::domain::fixtures::{
        action_required, intended, later, noon, paid, price, trial, trial_with_setup,
    };
    use crate::domain::order::fact::Fact;
    use crate::domain::order::next_check::next_check;
    use crate::domain::payment::poll_schedule::InFlightTimeout;
    use crate::domain::payment::provider_result::ProviderResult;
    use crate::domain::subscription::settlement::{Settlement, decide};

    /// Settles `first`; then the buyer owns the product, and `second` arrives.
    fn settled_as_owner(first: &ProviderResult, second: &ProviderResult) -> Settlement {
        let waiting = decide(intended(), first, later(1)).purchase;
        let owned = waiting.abandoned_if_owned(Availability::Owned, later(2));
        decide(owned, second, later(2))
    }

    #[test]
    fn charge_confirmed_by_an_owner_is_refunded_and_activates_nothing() {
        let Settlement { purchase, facts } = settled_as_owner(&action_required(), &paid());
        let payment_id = purchase.payment.payment_id;
        let amount = price();
        assert_eq!(facts, [Fact::DuplicateCapture { payment_id, amount }]);
        assert_eq!(purchase.order.state, OrderState::Abandoned { at: later(2) });
        assert!(purchase.subscription.state.has_ended());
        assert!(purchase.is_unmatched_capture());
    }

    #[test]
    fn trial_confirmed_by_an_owner_is_polled_until_it_is_closed() {
        let Settlement { purchase, facts } = settled_as_owner(&trial_with_setup(), &trial());
        assert_eq!(facts, []);
        assert!(purchase.is_overdue(later(2)));
        let timeout = InFlightTimeout(chrono::TimeDelta::seconds(15));
        assert!(next_check(&purchase, timeout, later(2)).is_some());
    }

    #[test]
    fn paid_order_of_an_owner_stays_paid() {
        let bought = decide(intended(), &paid(), later(1)).purchase;
        assert_eq!(
            bought.clone().abandoned_if_owned(Availability::Owned, later(2)),
            bought
        );
    }

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
