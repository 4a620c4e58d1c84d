//! What somebody agreed to buy, at which price.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kit::money::Money;

use super::ids::{OrderId, PaymentId, PriceId, UserId};

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
    /// The buyer chose another price before paying.
    Abandoned {
        at: DateTime<Utc>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub order_id: OrderId,
    pub user_id: UserId,
    pub product: String,
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
}
