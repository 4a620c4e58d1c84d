//! When the provider is polled about an order, unless a webhook arrives first.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kit::backoff::Backoff;

use crate::domain::order::OrderState;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::{Disposition, PaymentState};
use crate::domain::subscription::{Subscription, SubscriptionState};

/// The provider charges for the next period shortly after a period ends.
const PERIOD_GRACE: TimeDelta = TimeDelta::minutes(1);
const BACKOFF: Backoff = Backoff::new(Duration::from_secs(2), Duration::from_secs(1024));

/// How long a payment may stay in flight before the reconciler resolves it. Too short is harmless: two workers
/// use the same keys and settle one after the other.
#[derive(Debug, Clone, Copy)]
pub struct InFlightTimeout(pub TimeDelta);

/// When the reconciler polls the provider about an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PollState {
    /// `None`: no answer is expected.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Polls since the last change.
    pub poll_count: i32,
}

impl PollState {
    pub fn at(next_check_at: DateTime<Utc>) -> Self {
        Self {
            next_check_at: Some(next_check_at),
            poll_count: 0,
        }
    }
}

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

/// 2 s, 4 s, 8 s … up to 17 minutes.
pub fn backoff(checks: i32) -> Duration {
    BACKOFF.after(checks.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_become_rarer_and_never_stop() {
        assert_eq!(
            [-1, 0, 3, i32::MAX].map(|checks| backoff(checks).as_secs()),
            [2, 2, 16, 1024]
        );
    }
}
