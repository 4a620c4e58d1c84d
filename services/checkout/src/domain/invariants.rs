//! Invariants that hold after any crash, repetition or reordering. Tests check them over whole databases,
//! and a timer checks the production database.

mod access;
mod billing_state;
mod ledger_rules;

use std::collections::BTreeMap;
use std::fmt;

use chrono::{DateTime, Utc};

use super::ids::{OrderId, PaymentId};
use super::ledger::{Posting, Purpose};
use super::order::Order;
use super::payment::Payment;
use super::refund::Refund;
use crate::domain::payment::renewal::Renewal;
use crate::domain::subscription::billing_state::BillingState;
use crate::domain::subscription_state::Subscription;

/// One order with everything that belongs to it.
#[derive(Debug, Clone)]
pub struct OrderAggregate {
    pub order: Order,
    /// `None`: a one-time order.
    pub subscription: Option<Subscription>,
    /// When the reconciler polls the provider about the order. `None`: no answer is expected.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Every attempt, earliest first.
    pub payments: Vec<Payment>,
    /// Later charges, earliest first.
    pub renewals: Vec<Renewal>,
    pub billing_state: Option<BillingState>,
    pub refunds: Vec<Refund>,
    pub postings: Vec<Posting>,
    /// Payments whose refunds are queued for reconciliation.
    pub reconciled_refunds: Vec<PaymentId>,
}

impl OrderAggregate {
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

type Rule = (&'static str, fn(&OrderAggregate) -> bool);

const OWNED_ONCE: &str = "product_is_owned_once";

/// Every rule by its name.
pub fn rules() -> impl Iterator<Item = &'static str> {
    let of_one = access::RULES
        .iter()
        .chain(&ledger_rules::RULES)
        .chain(&billing_state::RULES);
    of_one.map(|(rule, _)| *rule).chain([OWNED_ONCE])
}

/// Every rule over every order.
pub fn violations(accounts: &[OrderAggregate]) -> Vec<Violation> {
    let mut found = Vec::new();
    for account in accounts {
        let broken = access::RULES
            .iter()
            .chain(&ledger_rules::RULES)
            .chain(&billing_state::RULES)
            .filter(|(_, holds)| !holds(account));
        found.extend(broken.map(|(rule, _)| Violation {
            rule,
            order_id: account.order.order_id,
        }));
    }
    found.extend(products_owned_twice(accounts));
    found
}

fn products_owned_twice(accounts: &[OrderAggregate]) -> Vec<Violation> {
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
            rule: OWNED_ONCE,
            order_id,
        })
        .collect()
}

#[cfg(test)]
mod tests;
