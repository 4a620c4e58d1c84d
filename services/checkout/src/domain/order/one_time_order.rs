//! One-time orders: which offer each purpose sells, what a repeated call means, and when the provider is polled.

use chrono::{DateTime, Utc};

use super::order_attempt::{OrderAttempt, PAYABLE_FOR};
use crate::domain::ids::{PaymentId, PriceId};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::poll_schedule::{InFlightTimeout, backoff};
use crate::domain::payment::{Disposition, PaymentState};
use crate::domain::pricing::campaign::{PriceKind, Terms};

/// Why an intent is opened: decides which kinds of order it may create.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntentPurpose {
    /// A member's purchase beside subscriptions.
    Payment,
    Trial,
    Gift,
    OneTime,
    /// Another session, charged to the member's saved card.
    Addition,
}

impl IntentPurpose {
    pub fn sells(self, kind: OrderKind) -> bool {
        match self {
            Self::Payment => matches!(
                kind,
                OrderKind::OneTime | OrderKind::Addition | OrderKind::Lifetime
            ),
            Self::Trial => matches!(kind, OrderKind::Trial { .. }),
            Self::Gift => kind == OrderKind::Gift,
            Self::OneTime => kind == OrderKind::OneTime,
            Self::Addition => kind == OrderKind::Addition,
        }
    }

    pub fn serves_guests(self) -> bool {
        matches!(self, Self::Gift | Self::OneTime)
    }
}

/// `starts` is the price of the subscription that a trial begins. `None`: it is not paid once.
pub fn kind_of(terms: &Terms, starts: Option<PriceId>) -> Option<OrderKind> {
    match (terms.kind, starts) {
        (PriceKind::Trial, Some(starts)) => Some(OrderKind::Trial {
            subscription_price: starts,
        }),
        (PriceKind::Lifetime, None) => Some(OrderKind::Lifetime),
        (PriceKind::Gift, None) => Some(OrderKind::Gift),
        (PriceKind::Addition, None) => Some(OrderKind::Addition),
        (PriceKind::OneTime, None) => Some(OrderKind::OneTime),
        _ => None,
    }
}

/// Whether the provider saves the card for off-session charges.
pub fn saves_card(order: &Order) -> bool {
    matches!(order.kind, OrderKind::Trial { .. } | OrderKind::Addition) && !order.user_id.is_guest()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntentDecision {
    /// No order exists: create one.
    Open,
    /// A repeat: join the open payment.
    Join(PaymentId),
    /// An earlier attempt could still be charged for something else: close it at the provider, then ask again.
    Close(PaymentId),
    /// Add an attempt to the same order.
    Retry,
    /// Another price of the same product: abandon the old order.
    Replace,
    /// A payment for another price of the product is in flight.
    Wait,
}

/// `open` is the buyer's open order of the product and kind, if there is one. `card` is what is charged at once; empty where
/// the page asks for it.
pub fn decide(price_id: PriceId, card: &str, open: Option<&OrderAttempt>) -> IntentDecision {
    let Some(open) = open else {
        return IntentDecision::Open;
    };
    let payment_id = open.payment.payment_id;
    let is_same = open.order.price_id == price_id && open.payment.payment_method_id == card;
    match (&open.order.state, open.payment.disposition()) {
        (OrderState::Abandoned { .. } | OrderState::Paid { .. } | OrderState::OnTrial { .. }, _) => {
            IntentDecision::Open
        }
        (OrderState::Open, Disposition::InFlight | Disposition::Settled)
            if open.order.price_id == price_id =>
        {
            IntentDecision::Join(payment_id)
        }
        (OrderState::Open, Disposition::InFlight | Disposition::Settled) => IntentDecision::Wait,
        (OrderState::Open, Disposition::AwaitsBuyer) if is_same => IntentDecision::Join(payment_id),
        (OrderState::Open, Disposition::AwaitsBuyer) => IntentDecision::Close(payment_id),
        (OrderState::Open, Disposition::Closed) if open.order.price_id == price_id => IntentDecision::Retry,
        (OrderState::Open, Disposition::Closed) => IntentDecision::Replace,
    }
}

pub fn next_check(
    one_time: &OrderAttempt,
    timeout: InFlightTimeout,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    match one_time.payment.disposition() {
        Disposition::InFlight if one_time.payment.state == PaymentState::Intended => Some(now + timeout.0),
        Disposition::InFlight => Some(now + backoff(one_time.poll.poll_count)),
        Disposition::AwaitsBuyer => {
            let end = one_time.payment.created_at + PAYABLE_FOR;
            let soon = now + backoff(one_time.poll.poll_count);
            Some(if now < end { soon.min(end) } else { soon })
        }
        Disposition::Settled | Disposition::Closed => None,
    }
}

#[cfg(test)]
mod tests;
