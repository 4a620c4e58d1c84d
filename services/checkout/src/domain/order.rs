//! Orders: product, agreed price and payment state.

pub mod buyer;
pub mod checkout_request;
pub mod contact;
pub mod coupon_reservation;
pub mod fact;
pub mod hosted_checkout;
pub mod next_check;
pub mod one_time_order;
pub mod one_time_settlement;
pub mod order_attempt;
pub mod payment_import;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kit::money::Money;

use super::ids::{OrderId, PaymentId, PriceId, UserId};
use crate::domain::pricing::opens::Opens;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderState {
    /// Not paid; another card may be tried.
    Open,
    /// The card is good, the first charge is due when the trial ends.
    OnTrial {
        until: DateTime<Utc>,
    },
    Paid {
        by: PaymentId,
        at: DateTime<Utc>,
    },
    /// Abandoned: the buyer chose another price before paying, or a trial ended without a charge.
    Abandoned {
        at: DateTime<Utc>,
    },
}

/// Kind of order, which decides how it is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderKind {
    /// Paid again each period.
    Subscription,
    OneTime,
    Gift,
    /// An extra of an owned product, such as another session.
    Addition,
    /// Once, for good.
    Lifetime,
    /// Paid now for the time before a subscription at this price, which begins with it.
    Trial {
        subscription_price: PriceId,
    },
}

/// Whether the buyer can still buy the product: a product is owned once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    Available,
    Owned,
}

impl OrderKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Subscription => "subscription",
            Self::OneTime => "one_time",
            Self::Gift => "gift",
            Self::Addition => "addition",
            Self::Lifetime => "lifetime",
            Self::Trial { .. } => "trial",
        }
    }

    pub fn subscription_price(self) -> Option<PriceId> {
        match self {
            Self::Trial {
                subscription_price: starts,
            } => Some(starts),
            _ => None,
        }
    }

    /// `starts` is what a trial begins, and nothing else has.
    pub fn read(name: &str, starts: Option<PriceId>) -> Option<Self> {
        Some(match (name, starts) {
            ("subscription", None) => Self::Subscription,
            ("one_time", None) => Self::OneTime,
            ("gift", None) => Self::Gift,
            ("addition", None) => Self::Addition,
            ("lifetime", None) => Self::Lifetime,
            ("trial", Some(starts)) => Self::Trial {
                subscription_price: starts,
            },
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub order_id: OrderId,
    pub kind: OrderKind,
    /// Of a guest, an id of this order's own.
    pub user_id: UserId,
    pub product: String,
    /// As the price had it when it was bought.
    pub opens: Opens,
    pub price_id: PriceId,
    pub amount: Money,
    pub trial_days: i32,
    pub payment_source: String,
    pub country: String,
    pub language: String,
    pub tracking: BTreeMap<String, String>,
    pub state: OrderState,
    pub created_at: DateTime<Utc>,
}

impl Order {
    pub fn is_paid(&self) -> bool {
        matches!(self.state, OrderState::Paid { .. })
    }

    /// What its payment opens without an end. A subscription opens and closes by its own events, and a gift opens nothing for
    /// its buyer.
    pub fn opens_for_good(&self) -> Opens {
        match self.kind {
            OrderKind::OneTime | OrderKind::Addition | OrderKind::Lifetime => self.opens,
            OrderKind::Subscription | OrderKind::Gift | OrderKind::Trial { .. } => Opens::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fixtures::{intended, noon, premium};

    #[test]
    fn kinds_are_read_as_they_are_written() {
        let starts = PriceId::new(noon());
        let all = [
            OrderKind::Subscription,
            OrderKind::OneTime,
            OrderKind::Gift,
            OrderKind::Addition,
            OrderKind::Lifetime,
            OrderKind::Trial {
                subscription_price: starts,
            },
        ];
        for kind in all {
            assert_eq!(
                OrderKind::read(kind.name(), kind.subscription_price()),
                Some(kind)
            );
        }
        assert_eq!(OrderKind::read("trial", None), None);
        assert_eq!(OrderKind::read("gift", Some(starts)), None);
    }

    #[test]
    fn only_what_is_paid_once_by_its_user_opens_for_good() {
        let opened = |kind| {
            let order = Order {
                kind,
                ..intended().order
            };
            order.opens_for_good() == premium()
        };
        let starts = PriceId::new(noon());
        assert!(opened(OrderKind::Lifetime) && opened(OrderKind::Addition) && opened(OrderKind::OneTime));
        assert!(!opened(OrderKind::Subscription) && !opened(OrderKind::Gift));
        assert!(!opened(OrderKind::Trial {
            subscription_price: starts
        }));
    }
}

#[cfg(test)]
mod one_time_model_tests;
#[cfg(test)]
mod payment_import_model_tests;
