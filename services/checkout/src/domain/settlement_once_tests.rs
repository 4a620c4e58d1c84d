use proptest::prelude::*;

use super::*;
use crate::domain::bookkeeping::capture;
use crate::domain::fixtures::{decline, intended, later, noon, price};
use crate::domain::ids::{PriceId, RefundId};
use crate::domain::intent::Payer;
use crate::domain::invariants::{Account, violations};
use crate::domain::payment::Standing;
use crate::domain::sale::Watch;

pub fn sale_of(kind: OrderKind) -> Sale {
    let purchase = intended();
    Sale {
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
        attempt: Attempt::Latest,
        watch: Watch::default(),
    }
}

fn trial() -> Sale {
    sale_of(OrderKind::Trial {
        starts: PriceId::new(noon()),
    })
}

pub fn seen(charge: IntentCharge) -> IntentReport {
    IntentReport::Seen(IntentSnapshot {
        provider_intent_id: "pi_1".into(),
        payment_id: None,
        charge,
        payment_method_id: Some("pm_1".into()),
        payer: Payer::default(),
    })
}

pub fn captured() -> IntentReport {
    seen(IntentCharge::Captured(price()))
}

pub fn awaits() -> IntentReport {
    seen(IntentCharge::AwaitsBuyer {
        client_secret: "pi_1_secret_2".into(),
    })
}

fn settle(sale: Sale, reports: &[IntentReport]) -> (Sale, Vec<Fact>) {
    let mut facts = Vec::new();
    let mut now = sale;
    for report in reports {
        let settled = decide(now, report, Room::Free, noon());
        facts.extend(settled.facts);
        now = settled.sale;
    }
    (now, facts)
}

#[test]
fn card_that_is_declined_leaves_the_page_to_try_another() {
    let (sale, facts) = settle(
        sale_of(OrderKind::Gift),
        &[awaits(), seen(IntentCharge::Processing), awaits()],
    );
    assert_eq!(sale.payment.standing(), Standing::AwaitsBuyer);
    assert_eq!((sale.order.state, facts), (OrderState::Open, vec![]));
}

#[test]
fn what_is_closed_is_given_up_and_what_never_arrived_may_be_tried_again() {
    let closed = [awaits(), seen(IntentCharge::Closed)];
    let (sale, _) = settle(sale_of(OrderKind::OneTime), &closed);
    assert_eq!(sale.order.state, OrderState::Abandoned { at: noon() });
    let lost = [IntentReport::NoAnswer, IntentReport::NeverArrived];
    let (sale, _) = settle(sale_of(OrderKind::OneTime), &lost);
    assert_eq!(
        (&sale.order.state, sale.payment.standing()),
        (&OrderState::Open, Standing::Over)
    );
}

#[test]
fn refusal_and_silence_say_nothing_of_what_the_provider_has_confirmed() {
    for report in [
        IntentReport::Refused(decline()),
        IntentReport::Unreached,
        IntentReport::NoAnswer,
        IntentReport::NeverArrived,
    ] {
        let (sale, _) = settle(sale_of(OrderKind::OneTime), &[awaits(), report]);
        assert_eq!(sale.payment.standing(), Standing::AwaitsBuyer);
    }
    let (sale, facts) = settle(sale_of(OrderKind::Addition), &[IntentReport::Refused(decline())]);
    assert_eq!((sale.payment.standing(), facts), (Standing::Over, vec![]));
}

#[test]
fn money_counts_even_for_what_was_given_up() {
    let reports = [awaits(), seen(IntentCharge::Closed), captured()];
    let (sale, facts) = settle(sale_of(OrderKind::Lifetime), &reports);
    assert!(sale.order.is_paid());
    assert_eq!(facts, [Fact::OrderPaid { amount: price() }]);
}

#[test]
fn trial_of_what_the_buyer_holds_by_now_goes_back() {
    let paid = decide(trial(), &captured(), Room::Taken, noon());
    assert_eq!(paid.sale.order.state, OrderState::Abandoned { at: noon() });
    let payment_id = paid.sale.payment.payment_id;
    let amount = price();
    assert_eq!(paid.facts, [Fact::CapturedTwice { payment_id, amount }]);
    // Its own subscription holds the product afterwards; that changes nothing.
    let (first, _) = settle(trial(), &[captured()]);
    let again = decide(first.clone(), &captured(), Room::Taken, later(1));
    assert_eq!((again.sale, again.facts), (first, vec![]));
}

fn any_report() -> impl Strategy<Value = IntentReport> {
    prop_oneof![
        Just(captured()),
        Just(awaits()),
        Just(seen(IntentCharge::Processing)),
        Just(seen(IntentCharge::Closed)),
        Just(IntentReport::Refused(decline())),
        Just(IntentReport::Unreached),
        Just(IntentReport::NoAnswer),
        Just(IntentReport::NeverArrived),
    ]
}

fn any_sale() -> impl Strategy<Value = Sale> {
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
    fn capture_wins_wherever_it_comes_and_is_told_once(
        sale in any_sale(),
        before in prop::collection::vec(any_report(), 0..6),
        after in prop::collection::vec(any_report(), 0..6),
    ) {
        let reports: Vec<_> = before.into_iter().chain([captured()]).chain(after).collect();
        let (settled, facts) = settle(sale, &reports);
        prop_assert_eq!(settled.payment.captured(), Some(price()));
        prop_assert!(settled.order.is_paid());
        prop_assert_eq!(facts, vec![Fact::OrderPaid { amount: price() }]);
    }

    #[test]
    fn same_report_again_changes_nothing_and_the_books_are_in_order(
        sale in any_sale(),
        reports in prop::collection::vec((any_report(), any::<bool>()), 0..8),
    ) {
        let mut now = sale;
        let mut account = None;
        for (report, is_taken) in reports {
            let room = if is_taken { Room::Taken } else { Room::Free };
            let settled = decide(now, &report, room, noon());
            let again = decide(settled.sale.clone(), &report, room, later(1));
            prop_assert_eq!(&again.sale, &settled.sale);
            prop_assert_eq!(again.facts, vec![]);
            let (order, payment) = (&settled.sale.order, &settled.sale.payment);
            let capture = capture((order, payment), &settled.facts, RefundId::new(noon()), noon()).unwrap();
            prop_assert!(account.is_none() || capture.is_none(), "taken twice");
            account = account.or(capture);
            now = settled.sale;
        }
        let (bookings, refunds) = account.map_or((None, None), |capture| (Some(capture.booking), capture.surplus));
        let broken = violations(&[Account {
            watched: refunds.iter().map(|refund| refund.payment_id).collect(),
            refunds: refunds.into_iter().collect(),
            bookings: bookings.into_iter().collect(),
            payments: vec![now.payment],
            renewals: vec![],
            life: None,
            order: now.order,
            subscription: None,
            next_check_at: Some(noon()),
        }]);
        prop_assert_eq!(broken, vec![]);
    }
}
