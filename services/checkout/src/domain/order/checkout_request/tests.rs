use super::*;
use crate::domain::fixtures::{action_required, closed, declined, intended, later, noon, paid, trial};
use crate::domain::payment::Decline;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::subscription::settlement;

fn held(reports: &[ProviderResult]) -> SubscriptionOrder {
    reports.iter().fold(intended(), |purchase, result| {
        settlement::decide(purchase, result, later(1)).purchase
    })
}

/// What the buyer asks for, compared with what they hold.
#[derive(Clone, Copy)]
enum Asks {
    Again,
    WithAnotherCard,
    ForAnotherPrice,
}

fn check(reports: &[ProviderResult], asks: Asks, expected: impl Fn(PaymentId) -> CheckoutDecision) {
    let held = held(reports);
    let other_price = PriceId::new(noon());
    let (price_id, card) = match asks {
        Asks::Again => (held.order.price_id, "pm_1"),
        Asks::WithAnotherCard => (held.order.price_id, "pm_2"),
        Asks::ForAnotherPrice => (other_price, "pm_2"),
    };
    let submission = CheckoutRequest {
        price_id,
        trial_days: 0,
        payment_method_id: card.into(),
    };
    assert_eq!(
        decide(&submission, Some(&held)),
        expected(held.payment.payment_id)
    );
}

fn refused() -> ProviderResult {
    ProviderResult::Refused(Decline {
        code: "card_declined".into(),
        message: "No.".into(),
    })
}

#[test]
fn nothing_held_opens_an_order() {
    let submission = CheckoutRequest {
        price_id: intended().order.price_id,
        trial_days: 0,
        payment_method_id: "pm_1".into(),
    };
    assert_eq!(decide(&submission, None), CheckoutDecision::Open);
}

#[test]
fn payment_in_flight_is_joined_and_never_doubled() {
    check(&[], Asks::Again, CheckoutDecision::Join);
    check(&[], Asks::WithAnotherCard, CheckoutDecision::Join);
    check(
        &[ProviderResult::OutcomeUnknown],
        Asks::WithAnotherCard,
        CheckoutDecision::Join,
    );
    check(&[ProviderResult::OutcomeUnknown], Asks::ForAnotherPrice, |_| {
        CheckoutDecision::Refuse(Refusal::PaymentInProgress)
    });
}

#[test]
fn refused_card_makes_room_for_another() {
    check(&[refused()], Asks::Again, CheckoutDecision::Join);
    check(&[refused()], Asks::WithAnotherCard, |_| CheckoutDecision::Retry);
    check(&[refused()], Asks::ForAnotherPrice, |_| CheckoutDecision::Replace);
}

#[test]
fn attempt_that_could_still_be_charged_is_closed_first() {
    check(&[declined()], Asks::Again, CheckoutDecision::Join);
    check(&[declined()], Asks::WithAnotherCard, CheckoutDecision::Close);
    check(&[action_required()], Asks::Again, CheckoutDecision::Join);
    check(
        &[action_required()],
        Asks::WithAnotherCard,
        CheckoutDecision::Close,
    );
    check(
        &[action_required()],
        Asks::ForAnotherPrice,
        CheckoutDecision::Close,
    );
}

#[test]
fn attempt_that_expired_can_be_repeated_with_the_same_card() {
    let expired = [action_required(), closed()];
    check(&expired, Asks::Again, |_| CheckoutDecision::Retry);
}

#[test]
fn member_who_has_it_is_refused_unless_it_is_the_same_submit() {
    for settled in [paid(), trial()] {
        check(
            std::slice::from_ref(&settled),
            Asks::Again,
            CheckoutDecision::Join,
        );
        check(std::slice::from_ref(&settled), Asks::WithAnotherCard, |_| {
            CheckoutDecision::Refuse(Refusal::AlreadySubscribed)
        });
        check(&[settled], Asks::ForAnotherPrice, |_| {
            CheckoutDecision::Refuse(Refusal::AlreadySubscribed)
        });
    }
}

#[test]
fn same_price_without_its_trial_is_another_order() {
    let refused = refused();
    let mut held = held(std::slice::from_ref(&refused));
    held.order.trial_days = 7;
    let mut submission = CheckoutRequest {
        price_id: held.order.price_id,
        trial_days: 0,
        payment_method_id: "pm_1".into(),
    };
    assert_eq!(decide(&submission, Some(&held)), CheckoutDecision::Replace);
    submission.trial_days = 7;
    assert_eq!(
        decide(&submission, Some(&held)),
        CheckoutDecision::Join(held.payment.payment_id)
    );
}
