//! Invariants of subscriptions after their initial payment.

use super::{OrderAggregate, Rule};
use crate::domain::ledger::{PostingKind, renewal_key};
use crate::domain::payment::renewal::RenewalKind;

pub static RULES: [Rule; 4] = [
    ("renewal_is_booked", renewal_is_booked),
    ("renewal_has_one_period", renewal_has_one_period),
    ("active_subscription_is_synced", active_subscription_is_synced),
    ("dunning_ends_with_subscription", dunning_ends_with_subscription),
];

/// Every later charge, by its amount, and no other.
fn renewal_is_booked(account: &OrderAggregate) -> bool {
    let booked = account
        .postings
        .iter()
        .filter(|posting| posting.kind == PostingKind::Renewal);
    booked.clone().count() == account.renewals.len()
        && account.renewals.iter().all(|renewal| {
            let key = renewal_key(renewal.payment_id);
            let mut booked = booked.clone();
            booked.any(|posting| {
                let mut entries = posting.entries.iter();
                posting.natural_key == key && entries.any(|entry| entry.amount == renewal.captured)
            })
        })
}

/// Periods do not overlap: no time is paid for twice. Only a paid order has renewals.
fn renewal_has_one_period(account: &OrderAggregate) -> bool {
    let periods: Vec<_> = account
        .renewals
        .iter()
        .filter(|renewal| renewal.kind == RenewalKind::Period)
        .collect();
    let are_apart = periods.iter().enumerate().all(|(at, renewal)| {
        renewal.period_start < renewal.period_end
            && periods[..at].iter().all(|other| !other.overlaps(renewal))
    });
    are_apart && (account.renewals.is_empty() || account.order.is_paid())
}

/// Every subscription with access is synced.
fn active_subscription_is_synced(account: &OrderAggregate) -> bool {
    let Some(subscription) = &account.subscription else {
        return true;
    };
    let billings = subscription.activated_at.is_some() && !subscription.state.has_ended();
    let is_followed = account
        .billing_state
        .as_ref()
        .is_some_and(|billing| billing.due_at.is_some());
    !billings || is_followed
}

/// An ended subscription has no dunning.
fn dunning_ends_with_subscription(account: &OrderAggregate) -> bool {
    let has_ended = |billing: &&crate::domain::subscription::billing_state::BillingState| {
        billing.ended_emitted_at.is_some()
    };
    account
        .billing_state
        .as_ref()
        .filter(has_ended)
        .is_none_or(|billing| billing.dunning.is_none())
}
