//! Orders, attempts and what they give access to.

use super::{OrderAggregate, Rule};
use crate::domain::order::OrderState;
use crate::domain::payment::{Disposition, Payment};
use crate::domain::provider::Provider;
use crate::domain::subscription_state::SubscriptionState;

pub static RULES: [Rule; 8] = [
    ("paid_order_was_captured", paid_order_was_captured),
    ("active_access_has_cause", active_access_has_cause),
    ("granted_access_was_announced", granted_access_was_announced),
    ("one_attempt_is_open", one_attempt_is_open),
    ("unknown_outcome_is_scheduled", unknown_outcome_is_scheduled),
    ("attempts_are_numbered", attempts_are_numbered),
    ("attempts_are_of_their_order", attempts_are_of_their_order),
    ("erased_member_has_no_access", erased_member_has_no_access),
];

/// By exactly its amount.
fn paid_order_was_captured(account: &OrderAggregate) -> bool {
    let OrderState::Paid { by, .. } = &account.order.state else {
        return true;
    };
    account
        .payments
        .iter()
        .any(|payment| payment.payment_id == *by && payment.captured() == Some(account.order.amount))
}

/// A settled payment, or a trial whose card is good.
fn active_access_has_cause(account: &OrderAggregate) -> bool {
    match account.subscription.as_ref().map(|held| &held.state) {
        Some(SubscriptionState::Active { .. } | SubscriptionState::PastDue { .. }) => is_accepted(account),
        Some(SubscriptionState::Trialing { .. }) => account.order.trial_days > 0 && is_accepted(account),
        _ => true,
    }
}

fn is_accepted(account: &OrderAggregate) -> bool {
    matches!(
        account.order.state,
        OrderState::Paid { .. } | OrderState::OnTrial { .. }
    )
}

fn granted_access_was_announced(account: &OrderAggregate) -> bool {
    let Some(subscription) = &account.subscription else {
        return true;
    };
    let live = matches!(
        subscription.state,
        SubscriptionState::Active { .. } | SubscriptionState::Trialing { .. }
    );
    !(live && is_accepted(account)) || subscription.activated_at.is_some()
}

fn is_open(payment: &Payment) -> bool {
    payment.is_chargeable()
}

/// With each provider: of two that take money, the later gives it back.
fn one_attempt_is_open(account: &OrderAggregate) -> bool {
    Provider::ALL.into_iter().all(|provider| {
        let of_provider = account.payments.iter().filter(|it| it.provider == provider);
        of_provider.filter(|it| it.is_in_flight()).count() <= 1
    })
}

fn unknown_outcome_is_scheduled(account: &OrderAggregate) -> bool {
    let in_flight = account
        .payments
        .iter()
        .any(|payment| payment.disposition() == Disposition::InFlight);
    !in_flight || account.next_check_at.is_some()
}

/// Without a gap.
fn attempts_are_numbered(account: &OrderAggregate) -> bool {
    account
        .payments
        .iter()
        .zip(1..)
        .all(|(payment, expected)| payment.attempt == expected)
}

fn attempts_are_of_their_order(account: &OrderAggregate) -> bool {
    let subscription_id = account.subscription.as_ref().map(|held| held.subscription_id);
    account.payments.iter().all(|payment| {
        payment.order_id == account.order.order_id && payment.subscription_id == subscription_id
    })
}

/// Nor anything that could still be charged.
fn erased_member_has_no_access(account: &OrderAggregate) -> bool {
    let subscription = account.subscription.as_ref();
    let has_ended = subscription.is_none_or(|held| held.state.has_ended());
    let gone = has_ended && !account.payments.iter().any(is_open);
    !account.order.user_id.is_anonymized() || gone
}
