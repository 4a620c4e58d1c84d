use std::collections::BTreeSet;

use chrono::TimeDelta;

use super::*;
use crate::domain::fixtures::{intended, later, noon, paid, price, refund_of, seen, synced};
use crate::domain::ids::{OrderId, PaymentId, RefundId, UserId};
use crate::domain::ledger;
use crate::domain::ledger::postings;
use crate::domain::order::OrderState;
use crate::domain::payment::PaymentState;
use crate::domain::payment::renewal::RenewalKind;
use crate::domain::provider::Provider;
use crate::domain::refund::{self, RefundOutcome, RefundReason, RefundState, RefundTarget};
use crate::domain::subscription::dunning::{Dunning, Grace};
use crate::domain::subscription::settlement;
use crate::domain::subscription_state::SubscriptionState;

fn account_of(intent: crate::domain::order::order_attempt::SubscriptionOrder) -> OrderAggregate {
    let settled = settlement::decide(intent, &paid(), noon());
    let capture = postings::plan_capture(
        &settled.purchase.order,
        &settled.purchase.payment,
        &settled.facts,
        RefundId::new(noon()),
        noon(),
    )
    .unwrap()
    .unwrap();
    let crate::domain::order::order_attempt::SubscriptionOrder {
        order,
        subscription,
        payment,
        poll,
        ..
    } = settled.purchase;
    OrderAggregate {
        reconciled_refunds: capture
            .excess_refund
            .iter()
            .map(|refund| refund.payment_id)
            .collect(),
        refunds: capture.excess_refund.into_iter().collect(),
        postings: vec![capture.posting],
        payments: vec![payment],
        renewals: Vec::new(),
        billing_state: Some(synced(&subscription)),
        order,
        subscription: Some(subscription),
        next_check_at: poll.next_check_at,
    }
}

fn renewal(account: &OrderAggregate) -> Renewal {
    Renewal {
        payment_id: PaymentId::new(noon()),
        order_id: account.order.order_id,
        subscription_id: account.subscription.as_ref().unwrap().subscription_id,
        provider: Provider::Stripe,
        kind: RenewalKind::Period,
        provider_invoice_id: "in_1".into(),
        provider_intent_id: Some("pi_2".into()),
        captured: price(),
        at: later(1),
        period_start: later(1),
        period_end: later(2),
    }
}

/// Paid, and a part of it given back.
fn sold() -> OrderAggregate {
    let mut account = account_of(intended());
    let open = refund_of(&account.payments[0], 1000);
    let (given, _) = refund::decide(open.clone(), &seen(&open, RefundOutcome::Succeeded), later(1));
    account
        .postings
        .extend(ledger::refund(Provider::Stripe, &given, Purpose::Sale).unwrap());
    account.refunds.push(given);
    account
}

/// Paid by the first attempt and captured by a second, which is on its way back.
fn sold_twice() -> OrderAggregate {
    let mut account = sold();
    let mut second = intended();
    second.order = account.order.clone();
    second.payment.order_id = account.order.order_id;
    second.payment.subscription_id = account.subscription.as_ref().map(|held| held.subscription_id);
    second.payment.attempt = 2;
    let second = account_of(second);
    account.payments.extend(second.payments);
    account.refunds.extend(second.refunds);
    account.postings.extend(second.postings);
    account.reconciled_refunds.extend(second.reconciled_refunds);
    account
}

fn broken(account: OrderAggregate) -> BTreeSet<&'static str> {
    violations(&[account])
        .into_iter()
        .map(|violation| violation.rule)
        .collect()
}

type Breakage = (&'static str, fn(&mut OrderAggregate));

const BREAKAGES: [Breakage; 25] = [
    ("paid_order_was_captured", |it| it.order.amount.minor += 1),
    ("active_access_has_cause", |it| it.order.state = OrderState::Open),
    ("granted_access_was_announced", |it| {
        it.subscription.as_mut().unwrap().activated_at = None;
    }),
    ("one_attempt_is_open", |it| {
        it.payments.extend([intended().payment, intended().payment]);
    }),
    ("unknown_outcome_is_scheduled", |it| {
        it.payments.push(intended().payment);
        it.next_check_at = None;
    }),
    ("attempts_are_numbered", |it| it.payments[1].attempt = 3),
    ("attempts_are_of_their_order", |it| {
        it.payments[1].order_id = OrderId::new(noon());
    }),
    ("erased_member_has_no_access", |it| {
        it.order.user_id = UserId::parse("erased_1").unwrap();
    }),
    ("captured_charge_has_cause", |it| {
        it.refunds[1].state = RefundState::Failed { code: "no".into() };
    }),
    ("refunds_stay_within_capture", |it| {
        it.refunds[0].amount.minor = 6000;
    }),
    ("open_refund_is_scheduled", |it| it.reconciled_refunds.clear()),
    ("refund_is_of_its_order", |it| {
        it.refunds[0].payment_id = PaymentId::new(noon());
    }),
    ("booking_is_balanced", |it| {
        it.postings[0].entries[0].amount.minor += 1;
    }),
    ("booking_is_of_its_order", |it| {
        it.postings[0].order_id = OrderId::new(noon());
    }),
    ("nothing_is_booked_twice", |it| {
        it.postings.push(it.postings[0].clone());
    }),
    ("capture_is_booked", |it| {
        it.postings.remove(0);
    }),
    ("paid_order_has_one_sale", |it| {
        it.postings.remove(0);
    }),
    ("refund_is_booked", |it| {
        it.postings.remove(1);
    }),
    ("receivable_is_captures_minus_refunds", |it| {
        it.payments[1].state = PaymentState::Canceled;
    }),
    ("refunds_are_what_was_given_back", |it| {
        it.refunds[0].amount.minor += 1;
    }),
    ("suspense_is_what_is_owed", |it| {
        it.refunds[1].state = RefundState::Succeeded { at: noon() };
    }),
    ("renewal_is_booked", |it| it.renewals.push(renewal(it))),
    ("renewal_has_one_period", |it| {
        it.renewals.extend([renewal(it), renewal(it)]);
    }),
    ("active_subscription_is_synced", |it| it.billing_state = None),
    ("dunning_ends_with_subscription", |it| {
        let billing = it.billing_state.as_mut().unwrap();
        billing.ended_emitted_at = Some(noon());
        let grace = Grace(TimeDelta::days(14));
        billing.dunning = Some(Dunning::begin("in_1", price(), "lost_card", grace, noon()));
    }),
];

#[test]
fn sold_refunded_and_duplicate_capture_is_in_order() {
    assert_eq!(broken(account_of(intended())), BTreeSet::new());
    assert_eq!(broken(sold()), BTreeSet::new());
    assert_eq!(broken(sold_twice()), BTreeSet::new());
    let mut erased = sold_twice();
    erased.order.user_id = UserId::parse("erased_1").unwrap();
    erased.subscription.as_mut().unwrap().state = SubscriptionState::Canceled { at: noon() };
    assert_eq!(broken(erased), BTreeSet::new());
}

#[test]
fn renewed_and_partly_given_back_is_in_order() {
    let mut account = sold();
    let renewed = renewal(&account);
    let claim = RefundTarget {
        order_id: renewed.order_id,
        payment_id: renewed.payment_id,
        reason: RefundReason::AtProvider,
    };
    let open = refund::intend(RefundId::new(noon()), claim, price(), noon());
    let (given, _) = refund::decide(open.clone(), &seen(&open, RefundOutcome::Succeeded), later(3));
    account.postings.push(ledger::renewal(&renewed).unwrap());
    let given_back = ledger::refund(Provider::Stripe, &given, Purpose::Renewal).unwrap();
    account.postings.extend(given_back);
    account.renewals.push(renewed);
    account.refunds.push(given);
    assert_eq!(broken(account), BTreeSet::new());
}

#[test]
fn every_rule_notices_what_breaks_it() {
    for (rule, breakage) in BREAKAGES {
        let mut account = sold_twice();
        breakage(&mut account);
        let found = broken(account);
        assert!(found.contains(rule), "{rule}: {found:?}");
    }
}

#[test]
fn product_held_by_two_orders_is_noticed() {
    let found = violations(&[sold(), sold()]);
    let found: Vec<_> = found.iter().map(|violation| violation.rule).collect();
    assert_eq!(found, ["product_is_owned_once"]);
}

#[test]
fn every_rule_can_be_broken() {
    let tried: BTreeSet<_> = BREAKAGES
        .iter()
        .map(|(rule, _)| *rule)
        .chain(["product_is_owned_once"])
        .collect();
    assert_eq!(tried, rules().collect());
    assert!(tried.len() >= 15);
}
