//! What is paid once: which offer is sold through which call, what a repeated call means, and when to ask the provider again.

use chrono::{DateTime, TimeDelta, Utc};

use super::campaign::{PriceKind, Terms};
use super::ids::{PaymentId, PriceId};
use super::order::{Order, OrderKind, OrderState};
use super::payment::{Payment, PaymentState, Standing};
use super::purchase::Attempt;
use super::schedule::{Patience, backoff};

/// How long a page may pay what it has opened; afterwards it is closed at the provider.
pub const PAYABLE_FOR: TimeDelta = TimeDelta::hours(24);

/// An order that is paid once, and one of its attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sale {
    pub order: Order,
    pub payment: Payment,
    pub attempt: Attempt,
    pub watch: Watch,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Watch {
    /// When to ask the provider next; `None` when nothing more is expected.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Checks since the last change.
    pub checks: i32,
}

impl Sale {
    /// The attempt that paid the order says when to look again; until one has, the latest.
    pub fn is_watched(&self) -> bool {
        self.attempt
            .speaks_for_subscription(&self.payment, &self.order.state)
    }

    /// It may be with the provider, who has not confirmed having it.
    pub fn is_unconfirmed(&self) -> bool {
        self.payment.standing() == Standing::InFlight && self.payment.provider_intent_id.is_none()
    }

    /// Nobody has paid it for so long that nobody will; or it has been given up, and must not be paid.
    pub fn is_overdue(&self, now: DateTime<Utc>) -> bool {
        let is_given_up = matches!(self.order.state, OrderState::Abandoned { .. });
        self.payment.standing() == Standing::AwaitsBuyer
            && (is_given_up || now >= self.payment.created_at + PAYABLE_FOR)
    }
}

/// The calls that begin a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// What a member buys beside subscriptions.
    Payment,
    Trial,
    Gift,
    OneTime,
    /// Another session, by the card a member has left with us.
    Addition,
}

impl Counter {
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
        (PriceKind::Trial, Some(starts)) => Some(OrderKind::Trial { starts }),
        (PriceKind::Lifetime, None) => Some(OrderKind::Lifetime),
        (PriceKind::Gift, None) => Some(OrderKind::Gift),
        (PriceKind::Addition, None) => Some(OrderKind::Addition),
        (PriceKind::OneTime, None) => Some(OrderKind::OneTime),
        _ => None,
    }
}

/// Whether the provider keeps the card, to charge it when its owner is away.
pub fn keeps_card(order: &Order) -> bool {
    matches!(order.kind, OrderKind::Trial { .. } | OrderKind::Addition) && !order.user_id.is_guest()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing stands in the way: a fresh order.
    Open,
    /// The same again: it is paid by what was opened first.
    Join(PaymentId),
    /// An earlier attempt could still be charged for something else: close it at the provider, then ask again.
    Close(PaymentId),
    /// The same order, once more.
    Retry,
    /// Another price of the same product: the old order is given up.
    Replace,
    /// A payment for another price of the product is still in the air.
    Wait,
}

/// `open` is the buyer's open order of the product and kind, if there is one. `card` is what is charged at once; empty where
/// the page asks for it.
pub fn decide(price_id: PriceId, card: &str, open: Option<&Sale>) -> Next {
    let Some(open) = open else { return Next::Open };
    let payment_id = open.payment.payment_id;
    let is_same = open.order.price_id == price_id && open.payment.payment_method_id == card;
    match (&open.order.state, open.payment.standing()) {
        (OrderState::Abandoned { .. } | OrderState::Paid { .. } | OrderState::OnTrial { .. }, _) => {
            Next::Open
        }
        (OrderState::Open, Standing::InFlight | Standing::Settled) if open.order.price_id == price_id => {
            Next::Join(payment_id)
        }
        (OrderState::Open, Standing::InFlight | Standing::Settled) => Next::Wait,
        (OrderState::Open, Standing::AwaitsBuyer) if is_same => Next::Join(payment_id),
        (OrderState::Open, Standing::AwaitsBuyer) => Next::Close(payment_id),
        (OrderState::Open, Standing::Over) if open.order.price_id == price_id => Next::Retry,
        (OrderState::Open, Standing::Over) => Next::Replace,
    }
}

pub fn next_check(sale: &Sale, patience: Patience, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    match sale.payment.standing() {
        Standing::InFlight if sale.payment.state == PaymentState::Intended => Some(now + patience.0),
        Standing::InFlight => Some(now + backoff(sale.watch.checks)),
        Standing::AwaitsBuyer => {
            let end = sale.payment.created_at + PAYABLE_FOR;
            let soon = now + backoff(sale.watch.checks);
            Some(if now < end { soon.min(end) } else { soon })
        }
        Standing::Settled | Standing::Over => None,
    }
}

#[cfg(test)]
#[path = "sale_tests.rs"]
mod tests;
