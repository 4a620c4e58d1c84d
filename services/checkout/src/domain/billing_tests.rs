//! One step at a time.

use chrono::TimeDelta;

use super::*;
use crate::domain::fixtures::{intended, noon, paid, price};
use crate::domain::ids::SubscriptionId;
use crate::domain::life::Life;
use crate::domain::provider::Provider;
use crate::domain::report::Report;
use crate::domain::settlement;
use crate::domain::subscription::SubscriptionState;

pub(super) fn billing() -> Billing {
    Billing {
        subscription_id: SubscriptionId::new(noon()),
        means: Some(Means {
            means_id: "pm_1".into(),
            expire_at: None,
            card: None,
        }),
        anchor: noon(),
        period_months: 1,
        paid_until: months(1),
        resumes_at: None,
        ended_at: None,
    }
}

pub(super) fn months(count: u32) -> DateTime<Utc> {
    noon().checked_add_months(chrono::Months::new(count)).unwrap()
}

fn life(billing: &Billing) -> Life {
    Life::new(billing.subscription_id)
}

fn opened(billing: &Billing, life: &Life, at: DateTime<Utc>) -> Option<Charge> {
    match next(billing, life, &[], price(), at) {
        Some(Step::Open { charge, .. }) => Some(charge),
        None => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_period_is_charged_once_the_one_before_is_over() {
    let billing = billing();
    let life = life(&billing);
    assert_eq!(opened(&billing, &life, months(1) - TimeDelta::seconds(1)), None);
    let charge = opened(&billing, &life, months(1)).unwrap();
    assert_eq!((charge.covers_from, charge.covers_until), (months(1), months(2)));
    let again = opened(&billing, &life, months(1) + TimeDelta::days(3)).unwrap();
    assert_eq!(
        again.charge_id, charge.charge_id,
        "by its period, not by the moment"
    );
    assert_eq!(again.tries[0].key, charge.tries[0].key);
    assert!(charge.tries[0].key.len() <= 50, "what Platron takes as an order");
}

#[test]
fn the_last_day_of_a_long_month_comes_back() {
    let anchor: DateTime<Utc> = "2027-01-31T12:00:00Z".parse().unwrap();
    let february: DateTime<Utc> = "2027-02-28T12:00:00Z".parse().unwrap();
    let end = steps::period_after(anchor, 1, february);
    assert_eq!(end.to_rfc3339(), "2027-03-31T12:00:00+00:00");
}

#[test]
fn nothing_is_charged_of_what_is_cancelled_paused_ended_or_not_kept() {
    let due = months(1) + TimeDelta::hours(1);
    let ask = |edit: fn(&mut Billing, &mut Life)| {
        let (mut billing, mut life) = (billing(), life(&billing()));
        edit(&mut billing, &mut life);
        opened(&billing, &life, months(1) + TimeDelta::hours(1))
    };
    assert!(ask(|_, _| {}).is_some());
    assert_eq!(ask(|_, life| life.cancel_at = Some(months(1))), None);
    assert_eq!(ask(|billing, _| billing.resumes_at = Some(months(3))), None);
    assert_eq!(ask(|billing, _| billing.ended_at = Some(noon())), None);
    assert_eq!(ask(|billing, _| billing.means = None), None);
    assert!(due > months(1));
}

#[test]
fn after_a_pause_a_new_period_begins_with_the_charge() {
    let resumed = months(2) + TimeDelta::days(5);
    let billing = Billing {
        resumes_at: Some(resumed),
        ..billing()
    };
    let charge = opened(&billing, &life(&billing), resumed).unwrap();
    assert_eq!(charge.covers_from, resumed);
    let over_before = Billing {
        resumes_at: Some(noon() + TimeDelta::days(3)),
        ..self::billing()
    };
    let charge = opened(&over_before, &life(&over_before), months(1)).unwrap();
    assert_eq!(charge.covers_from, months(1), "nothing was skipped");
}

#[test]
fn months_in_which_nobody_was_at_work_are_not_made_up_for() {
    let late = months(4) + TimeDelta::days(2);
    let charge = opened(&billing(), &life(&billing()), late).unwrap();
    assert_eq!(charge.covers_from, late);
}

#[test]
fn what_was_closed_and_is_wanted_after_all_is_asked_for_by_another_key() {
    let (billing, at) = (billing(), months(1));
    let life = life(&billing);
    let mut charge = opened(&billing, &life, at).unwrap();
    charge.tries[0].state = TryState::Closed;
    charge.state = ChargeState::Closed;
    let again = match next(&billing, &life, &[charge.clone()], price(), at) {
        Some(Step::Open { charge, .. }) => charge,
        other => panic!("{other:?}"),
    };
    assert_eq!(again.charge_id, charge.charge_id);
    assert_ne!(again.tries[1].key, charge.tries[0].key);
}

#[test]
fn a_first_payment_heard_of_again_ends_nothing_and_revives_nothing() {
    let mut purchase = intended();
    purchase.payment.provider = Provider::Yookassa;
    let mut purchase = settlement::decide(purchase, &paid(), noon()).purchase;
    let mut told = paid();
    if let Report::Snapshot(snapshot) = &mut told {
        snapshot.status = crate::domain::report::ProviderStatus::Paid;
    }
    let past_due = SubscriptionState::PastDue {
        period_end: months(1),
    };
    for state in [past_due, SubscriptionState::Canceled { at: months(2) }] {
        purchase.subscription.state = state.clone();
        let after = settlement::decide(purchase.clone(), &told, months(3)).purchase;
        assert_eq!(after.subscription.state, state);
    }
}
