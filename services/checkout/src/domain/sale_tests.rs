use kit::money::{Currency, Money};

use super::*;
use crate::domain::fixtures::{intended, later, noon, price};
use crate::domain::ids::UserId;
use crate::domain::opens::Opens;
use crate::domain::payment::Decline;

pub fn sale() -> Sale {
    let purchase = intended();
    Sale {
        order: Order {
            kind: OrderKind::OneTime,
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

fn with(state: PaymentState) -> Sale {
    let mut sale = sale();
    sale.payment.state = state;
    sale
}

fn awaiting() -> Sale {
    with(PaymentState::RequiresAction {
        client_secret: "pi_1_secret_2".into(),
    })
}

fn failed() -> Sale {
    with(PaymentState::Failed {
        decline: Decline {
            code: "card_declined".into(),
            message: "No.".into(),
        },
    })
}

fn terms(kind: PriceKind, product: &str) -> Terms {
    Terms {
        kind,
        coupon_code: String::new(),
        country: String::new(),
        product: product.into(),
        opens: Opens::default(),
        period_months: 0,
        trial_days: 0,
        amount: price(),
        list: price(),
        lookup_key: String::new(),
    }
}

#[test]
fn each_call_sells_what_it_is_there_for_and_nothing_else() {
    let starts = PriceId::new(noon());
    let sold = |counter: Counter| {
        let offers = [
            kind_of(&terms(PriceKind::Subscription, "premium"), None),
            kind_of(&terms(PriceKind::OneTime, "live-program"), None),
            kind_of(&terms(PriceKind::Gift, "gift"), None),
            kind_of(&terms(PriceKind::Addition, "therapy-session"), None),
            kind_of(&terms(PriceKind::Lifetime, "premium-lifetime"), None),
            kind_of(&terms(PriceKind::Trial, "premium"), Some(starts)),
            // A trial of nothing, and a thing that begins something.
            kind_of(&terms(PriceKind::Trial, "premium"), None),
            kind_of(&terms(PriceKind::Gift, "gift"), Some(starts)),
        ];
        offers.map(|kind| kind.is_some_and(|kind| counter.sells(kind)))
    };
    let (no, yes) = (false, true);
    assert_eq!(sold(Counter::Payment), [no, yes, no, yes, yes, no, no, no]);
    assert_eq!(sold(Counter::OneTime), [no, yes, no, no, no, no, no, no]);
    assert_eq!(sold(Counter::Gift), [no, no, yes, no, no, no, no, no]);
    assert_eq!(sold(Counter::Addition), [no, no, no, yes, no, no, no, no]);
    assert_eq!(sold(Counter::Trial), [no, no, no, no, no, yes, no, no]);
}

#[test]
fn guests_leave_no_card_behind() {
    let mut order = sale().order;
    order.kind = OrderKind::Addition;
    assert!(keeps_card(&order));
    order.user_id = UserId::guest(order.order_id);
    assert!(!keeps_card(&order));
    assert!(order.user_id.is_guest() && order.user_id.outside().is_empty());
    assert_eq!(UserId::parse(order.user_id.as_str()), Some(order.user_id));
}

#[test]
fn same_call_again_is_paid_by_what_was_opened_first() {
    let open = awaiting();
    let payment_id = open.payment.payment_id;
    let same = open.order.price_id;
    let other = PriceId::new(later(1));
    assert_eq!(decide(same, "", None), Next::Open);
    assert_eq!(decide(same, "", Some(&open)), Next::Join(payment_id));
    assert_eq!(decide(same, "pm_saved", Some(&open)), Next::Close(payment_id));
    assert_eq!(decide(other, "", Some(&open)), Next::Close(payment_id));

    let unknown = with(PaymentState::Unknown);
    let joined = Next::Join(unknown.payment.payment_id);
    assert_eq!(decide(unknown.order.price_id, "pm_saved", Some(&unknown)), joined);
    assert_eq!(decide(other, "", Some(&unknown)), Next::Wait);

    let failed = failed();
    assert_eq!(decide(failed.order.price_id, "", Some(&failed)), Next::Retry);
    assert_eq!(decide(other, "", Some(&failed)), Next::Replace);
}

#[test]
fn provider_is_asked_until_there_is_nothing_more_to_hear() {
    let patience = Patience(TimeDelta::seconds(15));
    let next = |sale: &Sale| next_check(sale, patience, noon());
    assert_eq!(next(&sale()), Some(noon() + patience.0));
    assert_eq!(next(&with(PaymentState::Unknown)), Some(noon() + backoff(0)));
    assert_eq!(next(&awaiting()), Some(noon() + backoff(0)));
    assert_eq!(next(&failed()), None);
    let paid = with(PaymentState::Succeeded {
        captured: price(),
        at: noon(),
    });
    assert_eq!(next(&paid), None);
    let mut given_up = awaiting();
    given_up.order.state = OrderState::Abandoned { at: noon() };
    assert!(next(&given_up).is_some() && given_up.is_overdue(noon()));
}

#[test]
fn page_that_nobody_pays_is_closed_after_a_day() {
    let mut open = awaiting();
    open.watch.checks = 30;
    assert!(!open.is_overdue(later(23)));
    assert_eq!(
        next_check(
            &open,
            Patience(TimeDelta::seconds(15)),
            later(24) - TimeDelta::minutes(1)
        ),
        Some(later(24))
    );
    assert!(open.is_overdue(later(24)));
    assert!(!with(PaymentState::Unknown).is_overdue(later(48)));
    let yen = Money::new(1, Currency::parse("JPY").unwrap());
    let captured = PaymentState::Succeeded {
        captured: yen,
        at: noon(),
    };
    assert!(!with(captured).is_overdue(later(48)));
}
