//! Subscriptions after their first payment.

use super::{Account, Rule};
use crate::domain::ledger::{BookingKind, renewal_key};
use crate::domain::renewal::RenewalKind;

pub static RULES: [Rule; 4] = [
    ("renewal_is_booked", renewal_is_booked),
    ("renewal_has_one_period", renewal_has_one_period),
    ("living_subscription_is_followed", living_subscription_is_followed),
    ("debt_ends_with_subscription", debt_ends_with_subscription),
];

/// Every later charge, by its amount, and no other.
fn renewal_is_booked(account: &Account) -> bool {
    let booked = account
        .bookings
        .iter()
        .filter(|booking| booking.kind == BookingKind::Renewal);
    booked.clone().count() == account.renewals.len()
        && account.renewals.iter().all(|renewal| {
            let key = renewal_key(renewal.payment_id);
            let mut booked = booked.clone();
            booked.any(|booking| {
                let mut entries = booking.entries.iter();
                booking.natural_key == key && entries.any(|entry| entry.amount == renewal.captured)
            })
        })
}

/// Of its own: no time is paid for twice. Only a paid order has any.
fn renewal_has_one_period(account: &Account) -> bool {
    let periods: Vec<_> = account
        .renewals
        .iter()
        .filter(|renewal| renewal.kind == RenewalKind::Period)
        .collect();
    let are_apart = periods.iter().enumerate().all(|(at, renewal)| {
        renewal.covers_from < renewal.covers_until
            && periods[..at].iter().all(|other| !other.overlaps(renewal))
    });
    are_apart && (account.renewals.is_empty() || account.order.is_paid())
}

/// Nobody has access that nobody looks after.
fn living_subscription_is_followed(account: &Account) -> bool {
    let Some(subscription) = &account.subscription else {
        return true;
    };
    let lives = subscription.activated_at.is_some() && !subscription.state.has_ended();
    let is_followed = account.life.as_ref().is_some_and(|life| life.due_at.is_some());
    !lives || is_followed
}

/// What has ended is never asked for again.
fn debt_ends_with_subscription(account: &Account) -> bool {
    let has_ended = |life: &&crate::domain::life::Life| life.ended_told_at.is_some();
    account
        .life
        .as_ref()
        .filter(has_ended)
        .is_none_or(|life| life.arrears.is_none())
}
