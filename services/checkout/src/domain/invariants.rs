//! What must hold at every moment, whatever was killed, repeated or reordered: checked by tests over whole databases.

use std::collections::BTreeMap;
use std::fmt;

use super::ids::OrderId;
use super::order::{Order, OrderState};
use super::payment::{Payment, Standing};
use super::subscription::{Subscription, SubscriptionState};

/// One order with all that hangs on it.
#[derive(Debug, Clone)]
pub struct Account {
    pub order: Order,
    pub subscription: Subscription,
    /// Every attempt, earliest first.
    pub payments: Vec<Payment>,
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

/// Every rule over every order.
pub fn violations(accounts: &[Account]) -> Vec<Violation> {
    let rules: [Rule; 7] = [
        (
            "a captured charge is the one its order was paid by",
            captured_charge_paid_its_order,
        ),
        (
            "a paid order has a captured charge of exactly its amount",
            paid_order_was_captured,
        ),
        (
            "an active subscription has a settled payment or a trial",
            active_subscription_has_cause,
        ),
        (
            "access that was granted was announced",
            granted_access_was_announced,
        ),
        (
            "at most one attempt of an order can still be charged",
            one_attempt_is_open,
        ),
        (
            "an outcome nobody knows will be asked for",
            unknown_outcome_is_scheduled,
        ),
        ("attempts are numbered without a gap", attempts_are_numbered),
    ];
    let mut found: Vec<Violation> = accounts
        .iter()
        .flat_map(|account| {
            rules
                .iter()
                .filter(|(_, holds)| !holds(account))
                .map(|(rule, _)| Violation {
                    rule,
                    order_id: account.order.order_id,
                })
        })
        .collect();
    found.extend(products_held_twice(accounts));
    found
}

fn captured_charge_paid_its_order(account: &Account) -> bool {
    account.payments.iter().filter(|payment| payment.captured().is_some()).all(
        |payment| matches!(&account.order.state, OrderState::Paid { by, .. } if *by == payment.payment_id),
    )
}

fn paid_order_was_captured(account: &Account) -> bool {
    let OrderState::Paid { by, .. } = &account.order.state else {
        return true;
    };
    account
        .payments
        .iter()
        .any(|payment| payment.payment_id == *by && payment.captured() == Some(account.order.amount))
}

fn active_subscription_has_cause(account: &Account) -> bool {
    match account.subscription.state {
        SubscriptionState::Active { .. } | SubscriptionState::PastDue { .. } => {
            matches!(
                account.order.state,
                OrderState::Paid { .. } | OrderState::OnTrial { .. }
            )
        }
        SubscriptionState::Trialing { .. } => account.order.trial_days > 0,
        _ => true,
    }
}

fn granted_access_was_announced(account: &Account) -> bool {
    let live = matches!(
        account.subscription.state,
        SubscriptionState::Active { .. } | SubscriptionState::Trialing { .. }
    );
    let accepted = matches!(
        account.order.state,
        OrderState::Paid { .. } | OrderState::OnTrial { .. }
    );
    !(live && accepted) || account.subscription.activated_at.is_some()
}

fn one_attempt_is_open(account: &Account) -> bool {
    let open = |payment: &&Payment| matches!(payment.standing(), Standing::InFlight | Standing::AwaitsBuyer);
    account.payments.iter().filter(open).count() <= 1
}

fn unknown_outcome_is_scheduled(account: &Account) -> bool {
    let in_flight = account
        .payments
        .iter()
        .any(|payment| payment.standing() == Standing::InFlight);
    !in_flight || account.subscription.next_check_at.is_some()
}

fn attempts_are_numbered(account: &Account) -> bool {
    account
        .payments
        .iter()
        .zip(1..)
        .all(|(payment, expected)| payment.attempt == expected)
}

fn products_held_twice(accounts: &[Account]) -> Vec<Violation> {
    let mut holders = BTreeMap::new();
    for account in accounts
        .iter()
        .filter(|account| !account.subscription.state.has_ended())
    {
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
            rule: "nobody holds a product twice",
            order_id,
        })
        .collect()
}
