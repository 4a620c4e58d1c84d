//! One step at a time.

use chrono::TimeDelta;

use super::*;
use crate::domain::fixtures::{intended, noon, paid, price};
use crate::domain::ids::SubscriptionId;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::provider::Provider;
use crate::domain::subscription::billing_state::BillingState;
use crate::domain::subscription::settlement;
use crate::domain::subscription_state::SubscriptionState;

pub(super) fn schedule() -> MerchantSchedule {
    MerchantSchedule {
        subscription_id: SubscriptionId::new(noon()),
        payment_method: Some(PaymentMethod {
            payment_method_id: "pm_1".into(),
            expires_at: None,
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

fn state_of(schedule: &MerchantSchedule) -> BillingState {
    BillingState::new(schedule.subscription_id)
}

fn opened(schedule: &MerchantSchedule, billing: &BillingState, at: DateTime<Utc>) -> Option<Charge> {
    match next_action(schedule, billing, &[], price(), at) {
        Some(Action::OpenCharge { charge, .. }) => Some(charge),
        None => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_period_is_charged_once_the_one_before_is_over() {
    let schedule = self::schedule();
    let billing = state_of(&schedule);
    assert_eq!(
        opened(&schedule, &billing, months(1) - TimeDelta::seconds(1)),
        None
    );
    let charge = opened(&schedule, &billing, months(1)).unwrap();
    assert_eq!((charge.period_start, charge.period_end), (months(1), months(2)));
    let again = opened(&schedule, &billing, months(1) + TimeDelta::days(3)).unwrap();
    assert_eq!(
        again.charge_id, charge.charge_id,
        "by its period, not by the moment"
    );
    assert_eq!(again.attempts[0].key, charge.attempts[0].key);
    assert!(
        charge.attempts[0].key.len() <= 50,
        "what Platron takes as an order"
    );
}

#[test]
fn the_last_day_of_a_long_month_comes_back() {
    let anchor: DateTime<Utc> = "2027-01-31T12:00:00Z".parse().unwrap();
    let february: DateTime<Utc> = "2027-02-28T12:00:00Z".parse().unwrap();
    let end = actions::period_after(anchor, 1, february);
    assert_eq!(end.to_rfc3339(), "2027-03-31T12:00:00+00:00");
}

#[test]
fn nothing_is_charged_when_cancelled_paused_ended_or_without_method() {
    let due = months(1) + TimeDelta::hours(1);
    let ask = |edit: fn(&mut MerchantSchedule, &mut BillingState)| {
        let (mut schedule, mut billing) = (self::schedule(), state_of(&self::schedule()));
        edit(&mut schedule, &mut billing);
        opened(&schedule, &billing, months(1) + TimeDelta::hours(1))
    };
    assert!(ask(|_, _| {}).is_some());
    assert_eq!(ask(|_, billing| billing.cancel_at = Some(months(1))), None);
    assert_eq!(ask(|schedule, _| schedule.resumes_at = Some(months(3))), None);
    assert_eq!(ask(|schedule, _| schedule.ended_at = Some(noon())), None);
    assert_eq!(ask(|schedule, _| schedule.payment_method = None), None);
    assert!(due > months(1));
}

#[test]
fn after_a_pause_a_new_period_begins_with_the_charge() {
    let resumed = months(2) + TimeDelta::days(5);
    let schedule = MerchantSchedule {
        resumes_at: Some(resumed),
        ..self::schedule()
    };
    let charge = opened(&schedule, &state_of(&schedule), resumed).unwrap();
    assert_eq!(charge.period_start, resumed);
    let over_before = MerchantSchedule {
        resumes_at: Some(noon() + TimeDelta::days(3)),
        ..self::schedule()
    };
    let charge = opened(&over_before, &state_of(&over_before), months(1)).unwrap();
    assert_eq!(charge.period_start, months(1), "nothing was skipped");
}

#[test]
fn periods_missed_during_downtime_are_skipped() {
    let late = months(4) + TimeDelta::days(2);
    let charge = opened(&schedule(), &state_of(&schedule()), late).unwrap();
    assert_eq!(charge.period_start, late);
}

#[test]
fn closed_charge_is_reopened_with_another_key() {
    let (schedule, at) = (self::schedule(), months(1));
    let billing = state_of(&schedule);
    let mut charge = opened(&schedule, &billing, at).unwrap();
    charge.attempts[0].state = ChargeAttemptState::Closed;
    charge.state = ChargeState::Closed;
    let again = match next_action(&schedule, &billing, &[charge.clone()], price(), at) {
        Some(Action::OpenCharge { charge, .. }) => charge,
        other => panic!("{other:?}"),
    };
    assert_eq!(again.charge_id, charge.charge_id);
    assert_ne!(again.attempts[1].key, charge.attempts[0].key);
}

#[test]
fn repeated_initial_payment_neither_ends_nor_revives() {
    let mut purchase = intended();
    purchase.payment.provider = Provider::Yookassa;
    let mut purchase = settlement::decide(purchase, &paid(), noon()).purchase;
    let mut result = paid();
    if let ProviderResult::Snapshot(snapshot) = &mut result {
        snapshot.status = crate::domain::payment::provider_result::ProviderStatus::Paid;
    }
    let past_due = SubscriptionState::PastDue {
        period_end: months(1),
    };
    for state in [past_due, SubscriptionState::Canceled { at: months(2) }] {
        purchase.subscription.state = state.clone();
        let after = settlement::decide(purchase.clone(), &result, months(3)).purchase;
        assert_eq!(after.subscription.state, state);
    }
}
