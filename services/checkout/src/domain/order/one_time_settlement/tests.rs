use proptest::prelude::*;

use super::*;
use crate::domain::fixtures::{decline, intended, later, noon, price};
use crate::domain::ids::{PriceId, RefundId};
use crate::domain::invariants::{OrderAggregate, violations};
use crate::domain::ledger::postings::plan_capture;
use crate::domain::payment::Disposition;
use crate::domain::payment::intent::Payer;
use crate::domain::payment::poll_schedule::PollState;

pub fn sale_of(kind: OrderKind) -> OrderAttempt {
    let purchase = intended();
    OrderAttempt {
        order: Order {
            kind,
            ..purchase.order
        },
        payment: Payment {
            subscription_id: None,
            payment_method_id: String::new(),
            card_network: None,
            ..purchase.payment
        },
        subscription: None,
        attempt: AttemptStatus::Current,
        poll: PollState::default(),
    }
}

fn trial() -> OrderAttempt {
    sale_of(OrderKind::Trial {
        subscription_price: PriceId::new(noon()),
    })
}

pub fn seen(charge: IntentCharge) -> IntentResult {
    IntentResult::Snapshot(IntentSnapshot {
        provider_intent_id: "pi_1".into(),
        payment_id: None,
        charge,
        payment_method_id: Some("pm_1".into()),
        payer: Payer::default(),
    })
}

pub fn captured() -> IntentResult {
    seen(IntentCharge::Captured(price()))
}

pub fn awaits() -> IntentResult {
    seen(IntentCharge::AwaitsBuyer {
        client_secret: "pi_1_secret_2".into(),
    })
}

fn settle(one_time: OrderAttempt, reports: &[IntentResult]) -> (OrderAttempt, Vec<Fact>) {
    let mut facts = Vec::new();
    let mut now = one_time;
    for result in reports {
        let settled = decide(now, result, Availability::Available, noon());
        facts.extend(settled.facts);
        now = settled.one_time;
    }
    (now, facts)
}

#[test]
fn card_that_is_declined_leaves_the_page_to_try_another() {
    let (one_time, facts) = settle(
        sale_of(OrderKind::Gift),
        &[awaits(), seen(IntentCharge::Processing), awaits()],
    );
    assert_eq!(one_time.payment.disposition(), Disposition::AwaitsBuyer);
    assert_eq!((one_time.order.state, facts), (OrderState::Open, vec![]));
}

#[test]
fn what_is_closed_is_given_up_and_what_never_arrived_may_be_tried_again() {
    let closed = [awaits(), seen(IntentCharge::Closed)];
    let (one_time, _) = settle(sale_of(OrderKind::OneTime), &closed);
    assert_eq!(one_time.order.state, OrderState::Abandoned { at: noon() });
    let lost = [IntentResult::OutcomeUnknown, IntentResult::NotFoundAtProvider];
    let (one_time, _) = settle(sale_of(OrderKind::OneTime), &lost);
    assert_eq!(
        (&one_time.order.state, one_time.payment.disposition()),
        (&OrderState::Open, Disposition::Closed)
    );
}

#[test]
fn refusal_and_silence_say_nothing_of_what_the_provider_has_confirmed() {
    for result in [
        IntentResult::Refused(decline()),
        IntentResult::NotSent,
        IntentResult::OutcomeUnknown,
        IntentResult::NotFoundAtProvider,
    ] {
        let (one_time, _) = settle(sale_of(OrderKind::OneTime), &[awaits(), result]);
        assert_eq!(one_time.payment.disposition(), Disposition::AwaitsBuyer);
    }
    let (one_time, facts) = settle(sale_of(OrderKind::Addition), &[IntentResult::Refused(decline())]);
    let code = decline().code;
    assert_eq!(
        (one_time.payment.disposition(), facts),
        (Disposition::Closed, vec![Fact::PaymentFailed { code }])
    );
}

#[test]
fn refused_request_fails_once() {
    let refused = IntentResult::Refused(decline());
    let (_, facts) = settle(sale_of(OrderKind::Gift), &[refused.clone(), refused]);
    let code = decline().code;
    assert_eq!(facts, [Fact::PaymentFailed { code }]);
    let (_, facts) = settle(sale_of(OrderKind::Gift), &[IntentResult::NotSent]);
    let code = "provider_unavailable".to_owned();
    assert_eq!(facts, [Fact::PaymentFailed { code }]);
}

#[test]
fn money_counts_even_for_what_was_given_up() {
    let reports = [awaits(), seen(IntentCharge::Closed), captured()];
    let (one_time, facts) = settle(sale_of(OrderKind::Lifetime), &reports);
    assert!(one_time.order.is_paid());
    assert_eq!(facts, [Fact::OrderPaid { amount: price() }]);
}

#[test]
fn trial_of_what_the_buyer_holds_by_now_goes_back() {
    let paid = decide(trial(), &captured(), Availability::Owned, noon());
    assert_eq!(paid.one_time.order.state, OrderState::Abandoned { at: noon() });
    let payment_id = paid.one_time.payment.payment_id;
    let amount = price();
    assert_eq!(paid.facts, [Fact::DuplicateCapture { payment_id, amount }]);
    // Its own subscription holds the product afterwards; that changes nothing.
    let (first, _) = settle(trial(), &[captured()]);
    let again = decide(first.clone(), &captured(), Availability::Owned, later(1));
    assert_eq!((again.one_time, again.facts), (first, vec![]));
}

fn any_report() -> impl Strategy<Value = IntentResult> {
    prop_oneof![
        Just(captured()),
        Just(awaits()),
        Just(seen(IntentCharge::Processing)),
        Just(seen(IntentCharge::Closed)),
        Just(IntentResult::Refused(decline())),
        Just(IntentResult::NotSent),
        Just(IntentResult::OutcomeUnknown),
        Just(IntentResult::NotFoundAtProvider),
    ]
}

fn any_sale() -> impl Strategy<Value = OrderAttempt> {
    prop_oneof![
        Just(sale_of(OrderKind::OneTime)),
        Just(sale_of(OrderKind::Gift)),
        Just(sale_of(OrderKind::Addition)),
        Just(sale_of(OrderKind::Lifetime)),
        Just(trial()),
    ]
}

proptest! {
    #[test]
    fn capture_wins_in_any_order_and_is_emitted_once(
        one_time in any_sale(),
        before in prop::collection::vec(any_report(), 0..6),
        after in prop::collection::vec(any_report(), 0..6),
    ) {
        let reports: Vec<_> = before.into_iter().chain([captured()]).chain(after).collect();
        let (settled, facts) = settle(one_time, &reports);
        prop_assert_eq!(settled.payment.captured(), Some(price()));
        prop_assert!(settled.order.is_paid());
        let (failed, paid): (Vec<_>, Vec<_>) =
            facts.into_iter().partition(|fact| matches!(fact, Fact::PaymentFailed { .. }));
        prop_assert!(failed.len() <= 1, "{:?}", failed);
        prop_assert_eq!(paid, vec![Fact::OrderPaid { amount: price() }]);
    }

    #[test]
    fn settlement_is_idempotent_and_the_ledger_balances(
        one_time in any_sale(),
        reports in prop::collection::vec((any_report(), any::<bool>()), 0..8),
    ) {
        let mut now = one_time;
        let mut account = None;
        for (result, is_taken) in reports {
            let availability = if is_taken { Availability::Owned } else { Availability::Available };
            let settled = decide(now, &result, availability, noon());
            let again = decide(settled.one_time.clone(), &result, availability, later(1));
            prop_assert_eq!(&again.one_time, &settled.one_time);
            prop_assert_eq!(again.facts, vec![]);
            let (order, payment) = (&settled.one_time.order, &settled.one_time.payment);
            let capture = plan_capture(order, payment, &settled.facts, RefundId::new(noon()), noon()).unwrap();
            prop_assert!(account.is_none() || capture.is_none(), "taken twice");
            account = account.or(capture);
            now = settled.one_time;
        }
        let (postings, refunds) = account.map_or((None, None), |capture| (Some(capture.posting), capture.excess_refund));
        let broken = violations(&[OrderAggregate {
            reconciled_refunds: refunds.iter().map(|refund| refund.payment_id).collect(),
            refunds: refunds.into_iter().collect(),
            postings: postings.into_iter().collect(),
            payments: vec![now.payment],
            renewals: vec![],
            billing_state: None,
            order: now.order,
            subscription: None,
            next_check_at: Some(noon()),
        }]);
        prop_assert_eq!(broken, vec![]);
    }
}
