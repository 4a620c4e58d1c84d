use proptest::prelude::*;

use super::*;
use crate::domain::fixtures::{intended, later, noon, price, refund_of, seen};

fn refused() -> RefundResult {
    RefundResult::Refused {
        code: "charge_disputed".into(),
    }
}

fn failed() -> RefundOutcome {
    RefundOutcome::Failed {
        code: "expired_or_canceled_card".into(),
    }
}

/// Applies the reports one after the other, an hour apart.
fn after(reports: &[RefundResult]) -> (Refund, Vec<RefundFact>) {
    let mut facts = Vec::new();
    let refund =
        reports
            .iter()
            .zip(1..)
            .fold(refund_of(&intended().payment, 1000), |refund, (result, hours)| {
                let (next, fact) = decide(refund, result, later(hours));
                facts.extend(fact);
                next
            });
    (refund, facts)
}

fn reported(outcome: RefundOutcome) -> RefundResult {
    seen(&refund_of(&intended().payment, 1000), outcome)
}

fn check(reports: &[RefundResult], state: &str, facts: &[RefundFact]) {
    let (refund, emitted) = after(reports);
    assert_eq!((refund.state.name(), emitted.as_slice()), (state, facts));
}

#[test]
fn refund_goes_its_way_step_by_step() {
    let given = [RefundFact::Refunded];
    check(&[reported(RefundOutcome::Pending)], "processing", &[]);
    check(
        &[
            reported(RefundOutcome::Pending),
            reported(RefundOutcome::Succeeded),
        ],
        "succeeded",
        &given,
    );
    check(
        &[RefundResult::OutcomeUnknown, reported(RefundOutcome::Succeeded)],
        "succeeded",
        &given,
    );
    let (refund, _) = after(&[reported(RefundOutcome::Succeeded)]);
    assert_eq!(refund.state, RefundState::Succeeded { at: later(1) });
    assert!(refund.provider_refund_id.is_some());
}

#[test]
fn lost_answer_is_unknown_and_an_unreached_provider_did_nothing() {
    check(&[RefundResult::OutcomeUnknown], "unknown", &[]);
    check(
        &[RefundResult::OutcomeUnknown, RefundResult::NotSent],
        "unknown",
        &[],
    );
    check(&[RefundResult::NotSent], "intended", &[]);
}

#[test]
fn refusal_fails_only_what_the_provider_does_not_have() {
    let code = "charge_disputed".to_owned();
    check(&[refused()], "failed", &[RefundFact::RefundFailed { code }]);
    check(&[reported(RefundOutcome::Pending), refused()], "processing", &[]);
    let given = [RefundFact::Refunded];
    check(
        &[reported(RefundOutcome::Succeeded), refused()],
        "succeeded",
        &given,
    );
}

#[test]
fn outcome_is_emitted_once() {
    let given = [RefundFact::Refunded];
    let again = [
        reported(RefundOutcome::Succeeded),
        reported(RefundOutcome::Succeeded),
        reported(RefundOutcome::Pending),
    ];
    check(&again, "succeeded", &given);
    assert_eq!(after(&again).0.state, RefundState::Succeeded { at: later(1) });
}

#[test]
fn money_that_comes_back_is_noticed_and_stays_back() {
    let facts = [RefundFact::Refunded, RefundFact::RefundReturned];
    let bounced = [
        reported(RefundOutcome::Succeeded),
        reported(failed()),
        reported(RefundOutcome::Succeeded),
    ];
    check(&bounced, "returned", &facts);
    assert!(!after(&bounced).0.counts());
}

#[test]
fn key_is_renewed_before_the_provider_forgets_it() {
    let refund = refund_of(&intended().payment, 1000);
    let kept = refund.clone().with_living_key(later(22));
    assert_eq!(kept, refund);
    let renewed = refund.clone().with_living_key(later(23));
    assert_ne!(renewed.idempotency_key, refund.idempotency_key);
    assert_eq!(renewed.keyed_at, later(23));
}

#[test]
fn only_what_is_open_or_given_takes_from_the_capture() {
    let payment = intended().payment;
    let open = refund_of(&payment, 1000);
    let (failed, _) = decide(refund_of(&payment, 2000), &refused(), noon());
    let (given, _) = decide(open.clone(), &reported(RefundOutcome::Succeeded), noon());
    assert_eq!(
        refundable(price(), &[open, failed, given]).unwrap().minor,
        5999 - 2000
    );
}

#[test]
fn refund_never_exceeds_the_remainder() {
    let payment = intended().payment;
    let money = |minor| Money::new(minor, price().currency);
    let given = [refund_of(&payment, 5000)];
    assert_eq!(claimable(price(), &given, None), Ok(money(999)));
    assert_eq!(claimable(price(), &given, Some(money(999))), Ok(money(999)));
    assert_eq!(
        claimable(price(), &given, Some(money(1000))),
        Err(Refusal::TooMuch(money(999)))
    );
    assert_eq!(
        claimable(price(), &given, Some(money(0))),
        Err(Refusal::NotAnAmount)
    );
    assert_eq!(
        claimable(price(), &[refund_of(&payment, 5999)], None),
        Err(Refusal::NothingLeft)
    );
    let euros = Money::new(1, kit::money::Currency::parse("EUR").unwrap());
    assert!(matches!(
        claimable(price(), &given, Some(euros)),
        Err(Refusal::Money(_))
    ));
}

fn any_report() -> impl Strategy<Value = RefundResult> {
    prop::sample::select(vec![
        reported(RefundOutcome::Pending),
        reported(RefundOutcome::Succeeded),
        reported(failed()),
        refused(),
        RefundResult::NotSent,
        RefundResult::OutcomeUnknown,
    ])
}

proptest! {
    #[test]
    fn refund_is_given_at_most_once_and_returned_only_after(reports in prop::collection::vec(any_report(), 0..12)) {
        let (refund, facts) = after(&reports);
        let place = |wanted: &RefundFact| facts.iter().position(|fact| fact == wanted);
        let given = facts.iter().filter(|fact| **fact == RefundFact::Refunded).count();
        prop_assert!(given <= 1, "{:?}", facts);
        if let Some(returned) = place(&RefundFact::RefundReturned) {
            prop_assert!(place(&RefundFact::Refunded).is_some_and(|given| given < returned));
        }
        let is_given = matches!(refund.state, RefundState::Succeeded { .. });
        prop_assert_eq!(is_given, facts.last() == Some(&RefundFact::Refunded));
    }
}
