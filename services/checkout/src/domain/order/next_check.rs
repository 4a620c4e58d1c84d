//! When the provider is polled about the order of a subscription, unless a webhook arrives first.

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::order::OrderState;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::poll_schedule::{InFlightTimeout, backoff};
use crate::domain::payment::{Disposition, PaymentState};
use crate::domain::subscription_state::{Subscription, SubscriptionState};

/// The provider charges for the next period shortly after a period ends.
const PERIOD_GRACE: TimeDelta = TimeDelta::minutes(1);

pub fn next_check(
    purchase: &SubscriptionOrder,
    timeout: InFlightTimeout,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let subscription = &purchase.subscription;
    let soon = now + backoff(purchase.poll.poll_count);
    // An order is abandoned by one attempt while another is in flight: its outcome is still unknown.
    let is_abandoned = matches!(purchase.order.state, OrderState::Abandoned { .. });
    let is_in_flight = purchase.payment.disposition() == Disposition::InFlight;
    if purchase.is_abandoned_trial() || (is_abandoned && is_in_flight) {
        return Some(soon);
    }
    if subscription.state.has_ended() {
        return None;
    }
    match (&purchase.order.state, purchase.payment.disposition()) {
        (OrderState::Abandoned { .. }, _) | (OrderState::Open, Disposition::Closed) => None,
        (OrderState::Open, _) if purchase.payment.state == PaymentState::Intended => Some(now + timeout.0),
        (OrderState::Open, _) => Some(soon),
        // The provider of the initial payment has no more updates: later charges have their own schedule.
        (OrderState::Paid { .. }, _) if purchase.payment.provider.is_merchant_initiated() => None,
        (OrderState::OnTrial { .. } | OrderState::Paid { .. }, _) => {
            Some(next_period_check(subscription, now, soon))
        }
    }
}

fn next_period_check(subscription: &Subscription, now: DateTime<Utc>, soon: DateTime<Utc>) -> DateTime<Utc> {
    match &subscription.state {
        SubscriptionState::Trialing { until: end } | SubscriptionState::Active { period_end: end } => {
            let after_end = *end + PERIOD_GRACE;
            if after_end > now { after_end } else { soon }
        }
        _ => soon,
    }
}
