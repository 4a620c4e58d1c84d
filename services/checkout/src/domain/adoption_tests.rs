use super::*;
use crate::domain::fixtures::{action_required, intended, later, noon, paid, price, trial};
use crate::domain::payment::Decline;
use crate::domain::report::Report;
use crate::domain::settlement::decide;

fn seen(report: &Report) -> Snapshot {
    match report {
        Report::Snapshot(snapshot) => snapshot.clone(),
        other => panic!("{other:?}"),
    }
}

fn begun() -> Snapshot {
    Snapshot {
        charge: Charge::Processing,
        ..seen(&paid())
    }
}

fn after(report: &Report) -> Purchase {
    decide(intended(), report, later(1)).purchase
}

fn refused() -> Purchase {
    let decline = Decline {
        code: "expired_card".into(),
        message: "Your card has expired.".into(),
    };
    after(&Report::Refused(decline))
}

fn beside(held: &Purchase, offer: Offer, snapshot: &Snapshot) -> Place {
    let held = Held {
        purchase: held,
        attempts: std::slice::from_ref(&held.payment),
    };
    place(Some(held), offer, snapshot)
}

fn same(held: &Purchase) -> Offer {
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
fn whoever_holds_nothing_gets_an_order() {
    assert_eq!(place(None, other(), &seen(&paid())), Place::Open);
    assert_eq!(place(None, other(), &begun()), Place::Open);
}

#[test]
fn what_took_another_amount_belongs_nowhere() {
    let dearer = Offer {
        amount: Money::new(6000, price().currency),
        ..other()
    };
    let nowhere = Place::Nowhere(Refusal::UnknownPrice);
    assert_eq!(place(None, dearer, &seen(&paid())), nowhere);
    assert_eq!(place(None, dearer, &begun()), Place::Open);
}

#[test]
fn an_open_order_of_the_price_takes_one_more_attempt() {
    for held in [intended(), after(&action_required()), refused()] {
        assert_eq!(
            beside(&held, same(&held), &seen(&paid())),
            Place::Attach,
            "{held:?}"
        );
    }
}

#[test]
fn an_open_order_of_another_price_makes_room_once_it_can_no_longer_be_charged() {
    let asked = after(&action_required());
    let close = Place::Close(asked.payment.payment_id);
    assert_eq!(beside(&asked, other(), &begun()), close);
    assert_eq!(beside(&refused(), other(), &begun()), Place::Replace);
    assert_eq!(beside(&intended(), other(), &begun()), Place::Wait);
}

#[test]
fn two_of_one_provider_are_never_in_the_air() {
    let mut first = intended();
    first.payment.provider = Provider::Paypal;
    let in_progress = Place::Nowhere(Refusal::PaymentInProgress);
    for snapshot in [begun(), seen(&paid())] {
        assert_eq!(beside(&first, same(&first), &snapshot), in_progress);
    }
    let mut paid_by_card = after(&paid());
    paid_by_card.payment.provider = Provider::Stripe;
    let attempts = [paid_by_card.payment.clone(), first.payment];
    let held = Held {
        purchase: &paid_by_card,
        attempts: &attempts,
    };
    let nowhere = Place::Nowhere(Refusal::AlreadySubscribed);
    assert_eq!(place(Some(held), same(&paid_by_card), &seen(&paid())), nowhere);
}

#[test]
fn what_was_taken_waits_for_nobody() {
    let in_progress = Place::Nowhere(Refusal::PaymentInProgress);
    assert_eq!(beside(&intended(), other(), &seen(&paid())), in_progress);
}

#[test]
fn what_comes_beside_a_paid_order_is_its_second_payment_and_beside_a_trial_nothing() {
    let held = after(&paid());
    for offer in [same(&held), other()] {
        assert_eq!(beside(&held, offer, &begun()), Place::Attach);
    }
    let held = after(&trial());
    let nowhere = Place::Nowhere(Refusal::AlreadySubscribed);
    assert_eq!(beside(&held, same(&held), &seen(&paid())), nowhere);
}

#[test]
fn what_nobody_sells_is_paid_by_nobody_and_goes_back() {
    let (purchase, fact) = unsold_subscription(intended(), &seen(&paid()), price(), later(1));
    assert!(purchase.is_unsold() && purchase.subscription.state.has_ended());
    assert_eq!(purchase.payment.provider_intent_id.as_deref(), Some("pi_1"));
    let payment_id = purchase.payment.payment_id;
    let amount = price();
    assert_eq!(fact, Fact::CapturedTwice { payment_id, amount });
}

#[test]
fn what_was_taken_for_nothing_goes_back_of_an_order_that_was_given_up_as_it_was_made() {
    let begun = intended();
    let payment_id = begun.payment.payment_id;
    let amount = price();
    let at_provider = Payment {
        provider_intent_id: Some("pi_1".into()),
        ..begun.payment
    };
    let (order, payment, fact) = unsold(begun.order, at_provider, amount, later(1));
    assert_eq!(order.state, OrderState::Abandoned { at: later(1) });
    assert_eq!(payment.captured(), Some(amount));
    assert_eq!(payment.provider_intent_id.as_deref(), Some("pi_1"));
    assert_eq!(fact, Fact::CapturedTwice { payment_id, amount });
}
