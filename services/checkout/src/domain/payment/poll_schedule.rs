//! When the provider is polled about an order, unless a webhook arrives first.

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::order::OrderState;
use crate::domain::order::subscription_order::SubscriptionOrder;
use crate::domain::payment::{Disposition, PaymentState};
use crate::domain::subscription::{Subscription, SubscriptionState};

/// The provider charges for the next period shortly after a period ends.
const PERIOD_GRACE: TimeDelta = TimeDelta::minutes(1);
const BACKOFF_FIRST: TimeDelta = TimeDelta::seconds(2);
const BACKOFF_DOUBLINGS_MAX: i32 = 9;

/// How long a payment may stay in flight before the reconciler resolves it. Too short is harmless: two workers
/// use the same keys and settle one after the other.
#[derive(Debug, Clone, Copy)]
pub struct InFlightTimeout(pub TimeDelta);

pub fn next_check(
    purchase: &SubscriptionOrder,
    patience: InFlightTimeout,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let subscription = &purchase.subscription;
    if subscription.state.has_ended() {
        return None;
    }
    let soon = now + backoff(subscription.poll_count);
    match (&purchase.order.state, purchase.payment.disposition()) {
        (OrderState::Abandoned { .. }, _) | (OrderState::Open, Disposition::Closed) => None,
        (OrderState::Open, _) if purchase.payment.state == PaymentState::Intended => Some(now + patience.0),
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

/// 2 s, 4 s, 8 s … up to 17 minutes.
pub fn backoff(checks: i32) -> TimeDelta {
    let doublings = checks.clamp(0, BACKOFF_DOUBLINGS_MAX);
    BACKOFF_FIRST * (1 << doublings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_become_rarer_and_never_stop() {
        assert_eq!(backoff(0), TimeDelta::seconds(2));
        assert_eq!(backoff(3), TimeDelta::seconds(16));
        assert_eq!(backoff(i32::MAX), TimeDelta::seconds(1024));
        assert_eq!(backoff(-1), TimeDelta::seconds(2));
    }
}
