use super::*;
use crate::domain::fixtures::{action_required, intended, later, noon, paid, price, trial};
use crate::domain::payment::Decline;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::subscription::settlement::decide;

fn seen(result: &ProviderResult) -> PaymentSnapshot {
    match result {
        ProviderResult::Snapshot(snapshot) => snapshot.clone(),
        other => panic!("{other:?}"),
    }
}

fn begun() -> PaymentSnapshot {
    PaymentSnapshot {
        charge: Charge::Processing,
        ..seen(&paid())
    }
}

fn after(result: &ProviderResult) -> SubscriptionOrder {
    decide(intended(), result, later(1)).purchase
}

fn refused() -> SubscriptionOrder {
    let decline = Decline {
        code: "expired_card".into(),
        message: "Your card has expired.".into(),
    };
    after(&ProviderResult::Refused(decline))
}

fn beside(held: &SubscriptionOrder, offer: Offer, snapshot: &PaymentSnapshot) -> ImportTarget {
    let held = ExistingOrder {
        purchase: held,
        attempts: std::slice::from_ref(&held.payment),
    };
    import_target(Some(held), offer, snapshot)
}

fn same(held: &SubscriptionOrder) -> Offer {
    Offer {
        provider: Provider::Paypal,
        price_id: held.order.price_id,
        amount: price(),
    }
}

fn other() -> Offer {
    Offer {
        provider: Provider::Paypal,
        price_id: PriceId::new(noon()),
        amount: price(),
    }
}

#[test]
fn buyer_without_an_order_gets_one() {
    assert_eq!(
        import_target(None, other(), &seen(&paid())),
        ImportTarget::NewOrder
    );
    assert_eq!(import_target(None, other(), &begun()), ImportTarget::NewOrder);
}

#[test]
fn what_took_another_amount_belongs_nowhere() {
    let dearer = Offer {
        amount: Money::new(6000, price().currency),
        ..other()
    };
    let nowhere = ImportTarget::Rejected(Refusal::UnknownPrice);
    assert_eq!(import_target(None, dearer, &seen(&paid())), nowhere);
    assert_eq!(import_target(None, dearer, &begun()), ImportTarget::NewOrder);
}

#[test]
fn an_open_order_of_the_price_takes_one_more_attempt() {
    for held in [intended(), after(&action_required()), refused()] {
        assert_eq!(
            beside(&held, same(&held), &seen(&paid())),
            ImportTarget::Attach,
            "{held:?}"
        );
    }
}

#[test]
fn an_open_order_of_another_price_makes_room_once_it_can_no_longer_be_charged() {
    let asked = after(&action_required());
    let close = ImportTarget::Close(asked.payment.payment_id);
    assert_eq!(beside(&asked, other(), &begun()), close);
    assert_eq!(beside(&refused(), other(), &begun()), ImportTarget::Replace);
    assert_eq!(beside(&intended(), other(), &begun()), ImportTarget::Wait);
}

#[test]
fn one_provider_has_at_most_one_attempt_in_flight() {
    let mut first = intended();
    first.payment.provider = Provider::Paypal;
    let in_progress = ImportTarget::Rejected(Refusal::PaymentInProgress);
    for snapshot in [begun(), seen(&paid())] {
        assert_eq!(beside(&first, same(&first), &snapshot), in_progress);
    }
    let mut paid_by_card = after(&paid());
    paid_by_card.payment.provider = Provider::Stripe;
    let attempts = [paid_by_card.payment.clone(), first.payment];
    let held = ExistingOrder {
        purchase: &paid_by_card,
        attempts: &attempts,
    };
    let nowhere = ImportTarget::Rejected(Refusal::AlreadySubscribed);
    assert_eq!(
        import_target(Some(held), same(&paid_by_card), &seen(&paid())),
        nowhere
    );
}

#[test]
fn capture_does_not_wait() {
    let in_progress = ImportTarget::Rejected(Refusal::PaymentInProgress);
    assert_eq!(beside(&intended(), other(), &seen(&paid())), in_progress);
}

#[test]
fn what_comes_beside_a_paid_order_is_its_second_payment_and_beside_a_trial_nothing() {
    let held = after(&paid());
    for offer in [same(&held), other()] {
        assert_eq!(beside(&held, offer, &begun()), ImportTarget::Attach);
    }
    let held = after(&trial());
    let nowhere = ImportTarget::Rejected(Refusal::AlreadySubscribed);
    assert_eq!(beside(&held, same(&held), &seen(&paid())), nowhere);
}

#[test]
fn unmatched_capture_pays_nothing_and_is_refunded() {
    let (purchase, fact) = unmatched_subscription_capture(intended(), &seen(&paid()), price(), later(1));
    assert!(purchase.is_unmatched_capture() && purchase.subscription.state.has_ended());
    assert_eq!(purchase.payment.provider_intent_id.as_deref(), Some("pi_1"));
    let payment_id = purchase.payment.payment_id;
    let amount = price();
    assert_eq!(fact, Fact::DuplicateCapture { payment_id, amount });
}

#[test]
fn unmatched_capture_abandons_its_order_and_is_refunded() {
    let begun = intended();
    let payment_id = begun.payment.payment_id;
    let amount = price();
    let at_provider = Payment {
        provider_intent_id: Some("pi_1".into()),
        ..begun.payment
    };
    let (order, payment, fact) = unmatched_capture(begun.order, at_provider, amount, later(1));
    assert_eq!(order.state, OrderState::Abandoned { at: later(1) });
    assert_eq!(payment.captured(), Some(amount));
    assert_eq!(payment.provider_intent_id.as_deref(), Some("pi_1"));
    assert_eq!(fact, Fact::DuplicateCapture { payment_id, amount });
}
