use super::*;
use crate::domain::fixtures::{later, noon, price};
use crate::domain::subscription::billing_state::NextPlan;
use crate::domain::subscription::dunning::{Dunning, Grace};

fn billing() -> BillingState {
    BillingState::new(SubscriptionId::new(noon()))
}

fn active() -> SubscriptionState {
    SubscriptionState::Active {
        period_end: later(24 * 30),
    }
}

fn overdue() -> BillingState {
    let grace = Grace(TimeDelta::days(14));
    BillingState {
        dunning: Some(Dunning::begin("in_1", price(), "lost_card", grace, noon())),
        ..billing()
    }
}

fn leaving() -> BillingState {
    BillingState {
        cancel_at: Some(later(24 * 30)),
        ..billing()
    }
}

fn changing() -> BillingState {
    BillingState {
        next_plan: Some(NextPlan {
            price_id: PriceId::new(later(1)),
            provider_price_id: "price_2".into(),
            starts_at: later(24 * 30),
        }),
        ..billing()
    }
}

fn plan(prorated_at: DateTime<Utc>) -> SubscriptionChange {
    SubscriptionChange::Plan {
        price_id: PriceId::new(noon()),
        prorated_at,
        shown: price(),
    }
}

fn every_change() -> [SubscriptionChange; 8] {
    [
        SubscriptionChange::Cancel,
        SubscriptionChange::Reactivate,
        SubscriptionChange::Card {
            payment_method_id: "pm_1".into(),
        },
        SubscriptionChange::Pause { until: later(24) },
        SubscriptionChange::Resume,
        plan(noon()),
        SubscriptionChange::CancelScheduledPlan,
        SubscriptionChange::TerminateNow,
    ]
}

#[test]
fn nothing_is_available_when_ended_or_not_active() {
    for change in every_change() {
        let ended = SubscriptionState::Canceled { at: noon() };
        assert_eq!(decide(&change, &ended, &billing(), noon()), Err(Refusal::Ended));
        let open = SubscriptionState::Incomplete;
        assert_eq!(
            decide(&change, &open, &billing(), noon()),
            Err(Refusal::NotActive)
        );
    }
}

#[test]
fn cancel_and_reactivate_undo_each_other_and_are_idempotent() {
    let check = |change: SubscriptionChange, billing: &BillingState| {
        decide(&change, &active(), billing, noon()).unwrap()
    };
    assert_eq!(
        check(SubscriptionChange::Cancel, &billing()),
        ChangeDecision::Submit
    );
    assert_eq!(
        check(SubscriptionChange::Cancel, &leaving()),
        ChangeDecision::AlreadyApplied
    );
    assert_eq!(
        check(SubscriptionChange::Reactivate, &leaving()),
        ChangeDecision::Submit
    );
    assert_eq!(
        check(SubscriptionChange::Reactivate, &billing()),
        ChangeDecision::AlreadyApplied
    );
    assert_eq!(
        check(SubscriptionChange::Resume, &billing()),
        ChangeDecision::AlreadyApplied
    );
}

#[test]
fn overdue_allows_only_card_and_cancel() {
    let state = SubscriptionState::PastDue {
        period_end: later(24),
    };
    for change in every_change() {
        let answer = decide(&change, &state, &overdue(), noon());
        match change {
            SubscriptionChange::Pause { .. } | SubscriptionChange::Plan { .. } => {
                assert_eq!(answer, Err(Refusal::PastDue));
            }
            SubscriptionChange::Cancel
            | SubscriptionChange::Card { .. }
            | SubscriptionChange::TerminateNow => assert_eq!(answer, Ok(ChangeDecision::Submit)),
            SubscriptionChange::Reactivate
            | SubscriptionChange::Resume
            | SubscriptionChange::CancelScheduledPlan => {
                assert_eq!(answer, Ok(ChangeDecision::AlreadyApplied));
            }
        }
    }
}

#[test]
fn available_actions_depend_on_provider_and_time() {
    let paypal = |state: &SubscriptionState, billing: &BillingState| {
        available_actions(Provider::Paypal, state, billing, noon())
    };
    assert_eq!(
        paypal(&active(), &billing()),
        [ChangeKind::Cancel, ChangeKind::Pause]
    );
    assert_eq!(paypal(&active(), &leaving()), []);
    assert_eq!(paypal(&active(), &overdue()), [ChangeKind::Cancel]);
    let paused = BillingState {
        paused_until: Some(later(24)),
        ..billing()
    };
    assert_eq!(
        paypal(&active(), &paused),
        [ChangeKind::Cancel, ChangeKind::Resume]
    );
    assert_eq!(paypal(&SubscriptionState::Incomplete, &billing()), []);
    let stripe = available_actions(Provider::Stripe, &active(), &leaving(), noon());
    assert_eq!(stripe, [ChangeKind::Reactivate, ChangeKind::Card]);
}

#[test]
fn available_actions_are_submitted() {
    for provider in Provider::ALL {
        for billing in [billing(), leaving(), overdue(), changing()] {
            for kind in available_actions(provider, &active(), &billing, noon()) {
                let mut change = every_change()
                    .into_iter()
                    .find(|change| change.kind() == kind)
                    .unwrap();
                if let (SubscriptionChange::Plan { shown, .. }, true) =
                    (&mut change, billing.next_plan.is_some())
                {
                    *shown = Money::zero(shown.currency);
                }
                assert_eq!(
                    decide(&change, &active(), &billing, noon()),
                    Ok(ChangeDecision::Submit),
                    "{change:?}"
                );
                assert_eq!(check_supported(provider, kind), Ok(()));
            }
        }
    }
    let undone = check_supported(Provider::Paypal, ChangeKind::Reactivate);
    assert_eq!(undone, Err(Refusal::Unsupported));
}

#[test]
fn what_follows_is_undone_before_a_pause_or_a_dearer_plan() {
    let life_now = changing();
    let check = |change: &SubscriptionChange| decide(change, &active(), &life_now, noon());
    assert_eq!(
        check(&SubscriptionChange::CancelScheduledPlan),
        Ok(ChangeDecision::Submit)
    );
    assert_eq!(check(&SubscriptionChange::Cancel), Ok(ChangeDecision::Submit));
    let pause = SubscriptionChange::Pause { until: later(24) };
    for refused in [pause, plan(noon())] {
        assert_eq!(check(&refused), Err(Refusal::PlanScheduled));
    }
    let cheaper = |price_id| SubscriptionChange::Plan {
        price_id,
        prorated_at: noon(),
        shown: Money::zero(price().currency),
    };
    assert_eq!(check(&cheaper(PriceId::new(noon()))), Ok(ChangeDecision::Submit));
    let follows = life_now.scheduled().unwrap().price_id;
    assert_eq!(check(&cheaper(follows)), Ok(ChangeDecision::AlreadyApplied));
    let stays = decide(
        &SubscriptionChange::CancelScheduledPlan,
        &active(),
        &billing(),
        noon(),
    );
    assert_eq!(stays, Ok(ChangeDecision::AlreadyApplied));
}

#[test]
fn a_pause_is_between_now_and_three_months() {
    let check = |until| {
        decide(
            &SubscriptionChange::Pause { until },
            &active(),
            &billing(),
            noon(),
        )
    };
    assert_eq!(check(noon()), Err(Refusal::PauseTooLong));
    assert_eq!(check(noon() + PAUSE_MAX), Ok(ChangeDecision::Submit));
    assert_eq!(check(later(1) + PAUSE_MAX), Err(Refusal::PauseTooLong));
    let ending = decide(
        &SubscriptionChange::Pause { until: later(24) },
        &active(),
        &leaving(),
        noon(),
    );
    assert_eq!(ending, Err(Refusal::Ending));
}

#[test]
fn a_plan_is_changed_by_what_was_just_shown() {
    let check = |at| decide(&plan(at), &active(), &billing(), noon());
    assert_eq!(check(noon()), Ok(ChangeDecision::Submit));
    assert_eq!(
        check(noon() - PREVIEW_LIVES - TimeDelta::seconds(1)),
        Err(Refusal::PreviewExpired)
    );
    assert_eq!(check(later(1)), Err(Refusal::PreviewExpired));
    let trial = SubscriptionState::Trialing { until: later(24) };
    assert_eq!(
        decide(&plan(noon()), &trial, &billing(), noon()),
        Err(Refusal::OnTrial)
    );
}

#[test]
fn plan_canceled_before_its_start_is_dropped_and_one_that_may_have_begun_stays() {
    let changing = changing();
    let starts_at = changing.next_plan.as_ref().unwrap().starts_at;
    for change in [
        SubscriptionChange::CancelScheduledPlan,
        SubscriptionChange::Cancel,
    ] {
        let at = |now| apply_change(changing.clone(), &change, None, now).next_plan;
        assert_eq!(at(starts_at - TimeDelta::seconds(1)), None);
        assert_eq!(at(starts_at), changing.next_plan);
    }
}

#[test]
fn next_plan_shows_that_the_previous_has_begun() {
    let first = changing().next_plan.unwrap();
    let after = |starts_at| {
        let next = NextPlan {
            price_id: PriceId::new(later(2)),
            starts_at,
            ..first.clone()
        };
        let billing = BillingState {
            next_plan: Some(first.clone()),
            ..billing()
        };
        apply_change(billing, &plan(noon()), Some(next), noon()).plan_price_id
    };
    assert_eq!(after(first.starts_at), None, "it is there instead");
    assert_eq!(after(first.starts_at + TimeDelta::days(30)), Some(first.price_id));
}

#[test]
fn dearer_plan_takes_the_place_of_all_others_at_once() {
    let change = plan(noon());
    let SubscriptionChange::Plan { price_id, .. } = change else {
        panic!()
    };
    let billing = apply_change(changing(), &change, None, later(1));
    assert_eq!((billing.plan_price_id, billing.next_plan), (Some(price_id), None));
}

#[test]
fn pause_is_listed_where_it_can_skip_a_period() {
    let listed = |period_end| {
        let state = SubscriptionState::Active { period_end };
        available_actions(Provider::Stripe, &state, &billing(), noon()).contains(&ChangeKind::Pause)
    };
    assert!(listed(noon() + TimeDelta::days(31)));
    assert!(!listed(noon() + PAUSE_MAX));
    assert!(!listed(noon() + TimeDelta::days(360)));
}

#[test]
fn what_is_cancelled_or_not_begun_does_not_renew() {
    assert!(renews(&active(), &billing()));
    assert!(!renews(&active(), &leaving()));
    assert!(!renews(&SubscriptionState::Incomplete, &billing()));
    assert!(!renews(&SubscriptionState::Canceled { at: noon() }, &billing()));
}
