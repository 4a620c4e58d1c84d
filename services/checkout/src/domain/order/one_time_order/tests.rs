use chrono::TimeDelta;
use kit::money::{Currency, Money};

use super::*;
use crate::domain::fixtures::{intended, later, noon, price};
use crate::domain::ids::UserId;
use crate::domain::order::order_attempt::AttemptStatus;
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::payment::{Decline, Payment};
use crate::domain::pricing::opens::Opens;

pub fn sale() -> OrderAttempt {
    let purchase = intended();
    OrderAttempt {
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
        subscription: None,
        attempt: AttemptStatus::Current,
        poll: PollState::default(),
    }
}

fn with(state: PaymentState) -> OrderAttempt {
    let mut one_time = sale();
    one_time.payment.state = state;
    one_time
}

fn awaiting() -> OrderAttempt {
    with(PaymentState::RequiresAction {
        client_secret: "pi_1_secret_2".into(),
    })
}

fn failed() -> OrderAttempt {
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
    let sold = |purpose: IntentPurpose| {
        let offers = [
            kind_of(&terms(PriceKind::Subscription, "premium"), None),
            kind_of(&terms(PriceKind::OneTime, "live-program"), None),
            kind_of(&terms(PriceKind::Gift, "gift"), None),
            kind_of(&terms(PriceKind::Addition, "therapy-session"), None),
            kind_of(&terms(PriceKind::Lifetime, "premium-lifetime"), None),
            kind_of(&terms(PriceKind::Trial, "premium"), Some(starts)),
            // A trial without a subscription price, and a gift with one.
            kind_of(&terms(PriceKind::Trial, "premium"), None),
            kind_of(&terms(PriceKind::Gift, "gift"), Some(starts)),
        ];
        offers.map(|kind| kind.is_some_and(|kind| purpose.sells(kind)))
    };
    let (no, yes) = (false, true);
    assert_eq!(sold(IntentPurpose::Payment), [no, yes, no, yes, yes, no, no, no]);
    assert_eq!(sold(IntentPurpose::OneTime), [no, yes, no, no, no, no, no, no]);
    assert_eq!(sold(IntentPurpose::Gift), [no, no, yes, no, no, no, no, no]);
    assert_eq!(sold(IntentPurpose::Addition), [no, no, no, yes, no, no, no, no]);
    assert_eq!(sold(IntentPurpose::Trial), [no, no, no, no, no, yes, no, no]);
}

#[test]
fn guests_leave_no_card_behind() {
    let mut order = sale().order;
    order.kind = OrderKind::Addition;
    assert!(saves_card(&order));
    order.user_id = UserId::guest(order.order_id);
    assert!(!saves_card(&order));
    assert!(order.user_id.is_guest() && order.user_id.public_id().is_empty());
    assert_eq!(UserId::parse(order.user_id.as_str()), Some(order.user_id));
}

#[test]
fn same_call_again_is_paid_by_what_was_opened_first() {
    let open = awaiting();
    let payment_id = open.payment.payment_id;
    let same = open.order.price_id;
    let other = PriceId::new(later(1));
    assert_eq!(decide(same, "", None), IntentDecision::Open);
    assert_eq!(decide(same, "", Some(&open)), IntentDecision::Join(payment_id));
    assert_eq!(
        decide(same, "pm_saved", Some(&open)),
        IntentDecision::Close(payment_id)
    );
    assert_eq!(decide(other, "", Some(&open)), IntentDecision::Close(payment_id));

    let unknown = with(PaymentState::Unknown);
    let joined = IntentDecision::Join(unknown.payment.payment_id);
    assert_eq!(decide(unknown.order.price_id, "pm_saved", Some(&unknown)), joined);
    assert_eq!(decide(other, "", Some(&unknown)), IntentDecision::Wait);

    let failed = failed();
    assert_eq!(
        decide(failed.order.price_id, "", Some(&failed)),
        IntentDecision::Retry
    );
    assert_eq!(decide(other, "", Some(&failed)), IntentDecision::Replace);
}

#[test]
fn provider_is_polled_until_the_state_is_final() {
    let timeout = InFlightTimeout(TimeDelta::seconds(15));
    let next = |one_time: &OrderAttempt| next_check(one_time, timeout, noon());
    assert_eq!(next(&sale()), Some(noon() + timeout.0));
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
fn unpaid_intent_is_closed_after_a_day() {
    let mut open = awaiting();
    open.poll.poll_count = 30;
    assert!(!open.is_overdue(later(23)));
    assert_eq!(
        next_check(
            &open,
            InFlightTimeout(TimeDelta::seconds(15)),
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
