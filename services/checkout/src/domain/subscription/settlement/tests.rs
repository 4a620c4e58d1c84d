use proptest::prelude::*;

use super::*;
use crate::domain::fixtures::{
    action_required, closed, decline, declined, intended, later, noon, paid, price, snapshot, synced, trial,
    trial_with_setup,
};
use crate::domain::invariants::{OrderAggregate, violations};
use crate::domain::ledger;
use crate::domain::order::order_attempt::AttemptStatus;
use crate::domain::provider::Provider;

/// Settles the reports one after the other, an hour apart.
fn settle(purchase: SubscriptionOrder, reports: &[ProviderResult]) -> (SubscriptionOrder, Vec<Fact>) {
    let mut facts = Vec::new();
    let settled = reports
        .iter()
        .zip(1..)
        .fold(purchase, |purchase, (result, hours)| {
            let settlement = decide(purchase, result, later(hours));
            facts.extend(settlement.facts);
            settlement.purchase
        });
    (settled, facts)
}

fn check(reports: &[ProviderResult], payment: &PaymentState, subscription: &str, facts: &[Fact]) {
    let (settled, produced) = settle(intended(), reports);
    assert_eq!(settled.payment.state, *payment);
    assert_eq!(settled.subscription.state.name(), subscription);
    assert_eq!(produced, facts);
}

fn succeeded(hours: i64) -> PaymentState {
    PaymentState::Succeeded {
        captured: price(),
        at: later(hours),
    }
}

fn failed() -> PaymentState {
    PaymentState::Failed { decline: decline() }
}

fn failure_fact() -> Fact {
    Fact::PaymentFailed {
        code: "insufficient_funds".into(),
    }
}

#[test]
fn capture_pays_the_order_and_activates_the_subscription() {
    let facts = [Fact::OrderPaid { amount: price() }, Fact::SubscriptionActivated];
    check(&[paid()], &succeeded(1), "active", &facts);
    let (settled, _) = settle(intended(), &[paid()]);
    assert_eq!(
        settled.order.state,
        OrderState::Paid {
            by: settled.payment.payment_id,
            at: later(1)
        }
    );
    assert_eq!(settled.payment.provider_subscription_id.as_deref(), Some("sub_1"));
}

#[test]
fn same_report_again_changes_nothing() {
    let (once, _) = settle(intended(), &[paid()]);
    let again = decide(once.clone(), &paid(), later(9));
    assert_eq!(
        again,
        Settlement {
            purchase: once,
            facts: vec![]
        }
    );
}

#[test]
fn late_reports_never_undo_a_capture() {
    let facts = [Fact::OrderPaid { amount: price() }, Fact::SubscriptionActivated];
    let late = [
        paid(),
        action_required(),
        declined(),
        ProviderResult::OutcomeUnknown,
        ProviderResult::NotFoundAtProvider,
        ProviderResult::NotSent,
    ];
    check(&late, &succeeded(1), "active", &facts);
}

#[test]
fn authentication_leads_to_a_capture() {
    let facts = [Fact::OrderPaid { amount: price() }, Fact::SubscriptionActivated];
    check(&[action_required(), paid()], &succeeded(2), "active", &facts);
}

#[test]
fn declined_charge_may_still_be_paid_from_the_page() {
    let facts = [
        failure_fact(),
        Fact::OrderPaid { amount: price() },
        Fact::SubscriptionActivated,
    ];
    check(&[declined(), declined()], &failed(), "incomplete", &facts[..1]);
    check(&[declined(), paid()], &succeeded(2), "active", &facts);
}

#[test]
fn refused_card_leaves_the_order_open() {
    let (settled, facts) = settle(intended(), &[ProviderResult::Refused(decline())]);
    assert_eq!(settled.payment.state, failed());
    assert_eq!(settled.order.state, OrderState::Open);
    assert_eq!(facts, [failure_fact()]);
}

#[test]
fn lost_response_is_unknown_until_a_result_arrives() {
    check(
        &[ProviderResult::OutcomeUnknown, ProviderResult::OutcomeUnknown],
        &PaymentState::Unknown,
        "incomplete",
        &[],
    );
    check(
        &[ProviderResult::OutcomeUnknown, ProviderResult::NotFoundAtProvider],
        &PaymentState::Canceled,
        "incomplete",
        &[],
    );
    let facts = [Fact::OrderPaid { amount: price() }, Fact::SubscriptionActivated];
    check(
        &[ProviderResult::OutcomeUnknown, paid()],
        &succeeded(2),
        "active",
        &facts,
    );
}

#[test]
fn provider_out_of_reach_is_certain_only_the_first_time() {
    let facts = [Fact::PaymentFailed {
        code: "provider_unavailable".into(),
    }];
    let (settled, produced) = settle(intended(), &[ProviderResult::NotSent]);
    assert!(matches!(settled.payment.state, PaymentState::Failed { .. }));
    assert_eq!(produced, facts);
    check(
        &[ProviderResult::OutcomeUnknown, ProviderResult::NotSent],
        &PaymentState::Unknown,
        "incomplete",
        &[],
    );
}

#[test]
fn trial_is_active_without_a_charge_and_paid_when_it_ends() {
    let (settled, facts) = settle(intended(), &[trial()]);
    assert_eq!(
        settled.order.state,
        OrderState::OnTrial {
            until: later(24 * 30)
        }
    );
    assert_eq!(settled.subscription.state.name(), "trialing");
    assert_eq!(facts, [Fact::SubscriptionActivated]);

    let (settled, facts) = settle(settled, &[paid()]);
    assert!(matches!(settled.order.state, OrderState::Paid { .. }));
    assert_eq!(facts, [Fact::OrderPaid { amount: price() }]);
}

#[test]
fn trial_counts_once_its_card_is_authenticated() {
    let (settled, facts) = settle(intended(), &[trial_with_setup()]);
    assert_eq!((settled.order.state.clone(), facts), (OrderState::Open, vec![]));
    assert_eq!(settled.subscription.state, SubscriptionState::Incomplete);

    let (settled, facts) = settle(settled, &[trial(), trial_with_setup()]);
    assert!(matches!(settled.payment.state, PaymentState::Deferred { .. }));
    assert_eq!(settled.subscription.state.name(), "trialing");
    assert_eq!(facts, [Fact::SubscriptionActivated]);
}

#[test]
fn trial_whose_first_charge_fails_is_past_due_and_announced_once() {
    let past_due = snapshot(ProviderStatus::PastDue, Charge::Declined(decline()));
    let (settled, facts) = settle(intended(), &[trial(), past_due, paid()]);
    assert_eq!(settled.subscription.state.name(), "active");
    assert_eq!(
        facts,
        [
            Fact::SubscriptionActivated,
            failure_fact(),
            Fact::OrderPaid { amount: price() }
        ]
    );
}

#[test]
fn trial_that_is_left_ends_without_payment() {
    let canceled = snapshot(ProviderStatus::Canceled, Charge::NotDue);
    let (settled, _) = settle(intended(), &[trial(), canceled]);
    assert_eq!(settled.payment.state, PaymentState::Canceled);
    assert_eq!(settled.order.state, OrderState::Abandoned { at: later(2) });
    assert_eq!(settled.subscription.state.name(), "canceled");
}

#[test]
fn ended_subscription_never_revives() {
    let canceled = snapshot(ProviderStatus::Canceled, Charge::Captured(price()));
    let (settled, _) = settle(intended(), &[paid(), canceled, paid(), trial()]);
    assert_eq!(settled.subscription.state.name(), "canceled");
}

#[test]
fn closed_attempt_leaves_the_order_open_for_another_card() {
    let (settled, facts) = settle(intended(), &[action_required(), closed()]);
    assert_eq!(settled.payment.state, PaymentState::Canceled);
    assert_eq!(settled.order.state, OrderState::Open);
    assert_eq!(settled.subscription.state, SubscriptionState::Incomplete);
    assert_eq!(facts, []);
}

#[test]
fn replaced_attempt_does_not_speak_for_the_subscription() {
    let replaced = SubscriptionOrder {
        attempt: AttemptStatus::Superseded,
        ..intended()
    };
    let (settled, facts) = settle(replaced, &[trial()]);
    assert_eq!(settled.subscription.state, SubscriptionState::Incomplete);
    assert_eq!(facts, []);
}

#[test]
fn second_capture_for_one_order_goes_back_and_opens_nothing() {
    let other = intended();
    let paid_by_other = OrderState::Paid {
        by: other.payment.payment_id,
        at: noon(),
    };
    let mut purchase = intended();
    purchase.order.state = paid_by_other.clone();
    let payment_id = purchase.payment.payment_id;
    let (settled, facts) = settle(purchase, &[paid()]);
    assert_eq!(settled.order.state, paid_by_other);
    let amount = price();
    assert!(facts.contains(&Fact::DuplicateCapture { payment_id, amount }));
    assert_eq!(settled.subscription.state, SubscriptionState::Incomplete);
}

/// Posted as unmatched on first sight: no later result turns it into a sale.
#[test]
fn unmatched_capture_never_pays_its_order() {
    let mut unmatched = intended();
    let at = noon();
    unmatched.order.state = OrderState::Abandoned { at };
    unmatched.subscription.state = SubscriptionState::Expired { at };
    unmatched.payment.state = PaymentState::Succeeded {
        captured: price(),
        at,
    };
    let canceled = snapshot(ProviderStatus::Canceled, Charge::Captured(price()));
    let (settled, facts) = settle(unmatched.clone(), &[paid(), canceled, trial(), closed()]);
    assert_eq!(
        (settled.order.state, settled.subscription.state),
        (unmatched.order.state, unmatched.subscription.state)
    );
    assert_eq!(facts, []);
}

/// For another price: what it would have paid for is gone.
#[test]
fn capture_of_an_order_abandoned_before_activation_is_refunded() {
    let mut given_up = intended();
    let at = noon();
    given_up.order.state = OrderState::Abandoned { at };
    given_up.subscription.state = SubscriptionState::Expired { at };
    let (settled, facts) = settle(given_up.clone(), &[paid(), paid()]);
    assert_eq!(settled.order.state, given_up.order.state);
    let payment_id = settled.payment.payment_id;
    let amount = price();
    assert_eq!(facts, [Fact::DuplicateCapture { payment_id, amount }]);
}

#[test]
fn money_of_what_was_closed_at_the_same_moment_goes_back_and_leaves_the_member_free() {
    let closed = snapshot(ProviderStatus::Canceled, Charge::Captured(price()));
    let (settled, facts) = settle(intended(), &[action_required(), closed.clone()]);
    assert!(matches!(facts[..], [Fact::DuplicateCapture { .. }]), "{facts:?}");
    assert!(settled.is_unmatched_capture() && settled.subscription.state.has_ended());

    let replaced = SubscriptionOrder {
        attempt: AttemptStatus::Superseded,
        ..intended()
    };
    let (settled, facts) = settle(replaced, &[action_required(), closed]);
    assert!(matches!(facts[..], [Fact::DuplicateCapture { .. }]), "{facts:?}");
    assert_eq!(settled.order.state, OrderState::Open);
}

#[test]
fn trial_goes_on_when_another_attempt_ends() {
    let mut on_trial = intended();
    let until = later(7 * 24);
    on_trial.order.state = OrderState::OnTrial { until };
    on_trial.subscription.state = SubscriptionState::Trialing { until };
    on_trial.attempt = AttemptStatus::Superseded;
    let (settled, _) = settle(on_trial, &[action_required(), closed()]);
    assert_eq!(settled.payment.state, PaymentState::Canceled);
    assert_eq!(settled.order.state, OrderState::OnTrial { until });
}

#[test]
fn refused_attempt_that_was_replaced_stays_refused_until_it_is_paid() {
    let replaced = SubscriptionOrder {
        attempt: AttemptStatus::Superseded,
        ..intended()
    };
    let awaited = snapshot(ProviderStatus::Incomplete, Charge::Processing);
    let (settled, _) = settle(
        replaced.clone(),
        &[declined(), awaited.clone(), action_required()],
    );
    assert_eq!(settled.payment.state, failed());
    let (settled, _) = settle(replaced, &[declined(), awaited, paid()]);
    assert_eq!(settled.payment.captured(), Some(price()));
}

fn any_report() -> impl Strategy<Value = ProviderResult> {
    prop::sample::select(vec![
        paid(),
        action_required(),
        declined(),
        trial(),
        trial_with_setup(),
        closed(),
        snapshot(ProviderStatus::PastDue, Charge::Declined(decline())),
        snapshot(ProviderStatus::Canceled, Charge::NotDue),
        snapshot(ProviderStatus::Active, Charge::NotDue),
        snapshot(ProviderStatus::Incomplete, Charge::Processing),
        ProviderResult::Refused(decline()),
        ProviderResult::OutcomeUnknown,
        ProviderResult::NotSent,
        ProviderResult::NotFoundAtProvider,
    ])
}

proptest! {
    #[test]
    fn no_order_of_reports_breaks_a_rule(reports in prop::collection::vec(any_report(), 0..12)) {
        let mut purchase = intended();
        purchase.order.trial_days = 7;
        let (settled, facts) = settle(purchase, &reports);

        let count = |wanted: fn(&&Fact) -> bool| facts.iter().filter(wanted).count();
        let paid = count(|fact| matches!(fact, Fact::OrderPaid { .. }));
        let activated = count(|fact| matches!(fact, Fact::SubscriptionActivated));
        let excess = count(|fact| matches!(fact, Fact::DuplicateCapture { .. }));
        prop_assert!(paid <= 1 && activated <= 1 && excess == 0, "{:?}", facts);

        let SubscriptionOrder { order, subscription, payment, poll, .. } = settled;
        let postings = ledger::capture(Provider::Stripe, &payment, &order.state).unwrap();
        let broken = violations(&[OrderAggregate {
            order,
            billing_state: Some(synced(&subscription)),
            subscription: Some(subscription),
            next_check_at: poll.next_check_at,
            payments: vec![payment],
            renewals: vec![],
            refunds: vec![],
            postings: postings.into_iter().collect(),
            reconciled_refunds: vec![],
        }]);
        prop_assert_eq!(broken, vec![]);
    }

    #[test]
    fn capture_wins_wherever_it_comes(
        before in prop::collection::vec(any_report(), 0..6),
        after in prop::collection::vec(any_report(), 0..6),
    ) {
        let reports: Vec<ProviderResult> = before.into_iter().chain([paid()]).chain(after).collect();
        let (settled, _) = settle(intended(), &reports);
        prop_assert_eq!(settled.payment.captured(), Some(price()));
        let paid_by = settled.payment.payment_id;
        let paid = matches!(settled.order.state, OrderState::Paid { by, .. } if by == paid_by);
        prop_assert!(paid);
    }
}
