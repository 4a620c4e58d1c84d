//! What must hold at every moment, whatever was killed, repeated or reordered: checked by tests over whole databases, and
//! by a timer over the one in use.

mod access;
mod books;
mod life;

use std::collections::BTreeMap;
use std::fmt;

use chrono::{DateTime, Utc};

use super::ids::{OrderId, PaymentId};
use super::ledger::{Booking, Purpose};
use super::life::Life;
use super::order::Order;
use super::payment::Payment;
use super::refund::Refund;
use super::renewal::Renewal;
use super::subscription::Subscription;

/// One order with all that hangs on it.
#[derive(Debug, Clone)]
pub struct Account {
    pub order: Order,
    /// `None`: what was ordered is paid once.
    pub subscription: Option<Subscription>,
    /// When the provider is next asked about what is paid once.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Every attempt, earliest first.
    pub payments: Vec<Payment>,
    /// Later charges, earliest first.
    pub renewals: Vec<Renewal>,
    pub life: Option<Life>,
    pub refunds: Vec<Refund>,
    pub bookings: Vec<Booking>,
    /// Payments whose refunds the reconciler looks after.
    pub watched: Vec<PaymentId>,
}

impl Account {
    fn purpose(&self, payment_id: PaymentId) -> Purpose {
        if self.renewals.iter().any(|it| it.payment_id == payment_id) {
            return Purpose::Renewal;
        }
        Purpose::of(payment_id, &self.order.state)
    }

    fn refunds_of(&self, payment_id: PaymentId) -> impl Iterator<Item = &Refund> {
        self.refunds
            .iter()
            .filter(move |refund| refund.payment_id == payment_id)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub rule: &'static str,
    pub order_id: OrderId,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.order_id, self.rule)
    }
}

type Rule = (&'static str, fn(&Account) -> bool);

const HELD_ONCE: &str = "product_is_held_once";

/// Every rule by its name.
pub fn rules() -> impl Iterator<Item = &'static str> {
    let of_one = access::RULES.iter().chain(&books::RULES).chain(&life::RULES);
    of_one.map(|(rule, _)| *rule).chain([HELD_ONCE])
}

/// Every rule over every order.
pub fn violations(accounts: &[Account]) -> Vec<Violation> {
    let mut found = Vec::new();
    for account in accounts {
        let broken = access::RULES
            .iter()
            .chain(&books::RULES)
            .chain(&life::RULES)
            .filter(|(_, holds)| !holds(account));
        found.extend(broken.map(|(rule, _)| Violation {
            rule,
            order_id: account.order.order_id,
        }));
    }
    found.extend(products_held_twice(accounts));
    found
}

fn products_held_twice(accounts: &[Account]) -> Vec<Violation> {
    let mut holders = BTreeMap::new();
    for account in accounts.iter().filter(|account| {
        account
            .subscription
            .as_ref()
            .is_some_and(|held| !held.state.has_ended())
    }) {
        let key = (account.order.user_id.clone(), account.order.product.clone());
        holders
            .entry(key)
            .or_insert_with(Vec::new)
            .push(account.order.order_id);
    }
    holders
        .into_values()
        .flat_map(|orders| orders.into_iter().skip(1))
        .map(|order_id| Violation {
            rule: HELD_ONCE,
            order_id,
        })
        .collect()
}

#[cfg(test)]
#[path = "invariants_tests.rs"]
mod tests;
