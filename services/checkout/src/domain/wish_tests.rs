use super::*;
use crate::domain::arrears::{Arrears, Grace};
use crate::domain::fixtures::{later, noon, price};
use crate::domain::life::NextPlan;

fn life() -> Life {
    Life::new(SubscriptionId::new(noon()))
}

fn active() -> SubscriptionState {
    SubscriptionState::Active {
        period_end: later(24 * 30),
    }
}

fn in_arrears() -> Life {
    let grace = Grace(TimeDelta::days(14));
    Life {
        arrears: Some(Arrears::begin("in_1", price(), "lost_card", grace, noon())),
        ..life()
    }
}

fn leaving() -> Life {
    Life {
        cancel_at: Some(later(24 * 30)),
        ..life()
    }
}

fn changing() -> Life {
    Life {
        next_plan: Some(NextPlan {
            price_id: PriceId::new(later(1)),
            provider_price_id: "price_2".into(),
            starts_at: later(24 * 30),
        }),
        ..life()
    }
}

fn plan(prorated_at: DateTime<Utc>) -> Wish {
    Wish::Plan {
        price_id: PriceId::new(noon()),
        prorated_at,
        shown: price(),
    }
}

fn every_wish() -> [Wish; 8] {
    [
        Wish::Cancel,
        Wish::Keep,
        Wish::Card {
            payment_method_id: "pm_1".into(),
        },
        Wish::Pause { until: later(24) },
        Wish::Resume,
        plan(noon()),
        Wish::KeepPlan,
        Wish::End,
    ]
}

#[test]
fn nothing_is_wished_of_what_has_ended_or_not_begun() {
    for wish in every_wish() {
        let ended = SubscriptionState::Canceled { at: noon() };
        assert_eq!(decide(&wish, &ended, &life(), noon()), Err(Refusal::Ended));
        let open = SubscriptionState::Incomplete;
        assert_eq!(decide(&wish, &open, &life(), noon()), Err(Refusal::NotBegun));
    }
}

#[test]
fn cancel_and_keep_undo_each_other_and_repeat_nothing() {
    let check = |wish: Wish, life: &Life| decide(&wish, &active(), life, noon()).unwrap();
    assert_eq!(check(Wish::Cancel, &life()), Next::Ask);
    assert_eq!(check(Wish::Cancel, &leaving()), Next::Nothing);
    assert_eq!(check(Wish::Keep, &leaving()), Next::Ask);
    assert_eq!(check(Wish::Keep, &life()), Next::Nothing);
    assert_eq!(check(Wish::Resume, &life()), Next::Nothing);
}

#[test]
fn a_debt_leaves_a_new_card_and_a_cancel() {
    let state = SubscriptionState::PastDue {
        period_end: later(24),
    };
    for wish in every_wish() {
        let answer = decide(&wish, &state, &in_arrears(), noon());
        match wish {
            Wish::Pause { .. } | Wish::Plan { .. } => assert_eq!(answer, Err(Refusal::PastDue)),
            Wish::Cancel | Wish::Card { .. } | Wish::End => assert_eq!(answer, Ok(Next::Ask)),
            Wish::Keep | Wish::Resume | Wish::KeepPlan => assert_eq!(answer, Ok(Next::Nothing)),
        }
    }
}

#[test]
fn what_can_be_wished_depends_on_the_provider_and_the_moment() {
    let paypal = |state: &SubscriptionState, life: &Life| wishes(Provider::Paypal, state, life, noon());
    assert_eq!(paypal(&active(), &life()), [WishKind::Cancel, WishKind::Pause]);
    assert_eq!(paypal(&active(), &leaving()), []);
    assert_eq!(paypal(&active(), &in_arrears()), [WishKind::Cancel]);
    let paused = Life {
        paused_until: Some(later(24)),
        ..life()
    };
    assert_eq!(paypal(&active(), &paused), [WishKind::Cancel, WishKind::Resume]);
    assert_eq!(paypal(&SubscriptionState::Incomplete, &life()), []);
    let stripe = wishes(Provider::Stripe, &active(), &leaving(), noon());
    assert_eq!(stripe, [WishKind::Keep, WishKind::Card]);
}

#[test]
fn what_is_shown_as_a_wish_is_decided_to_be_asked_for() {
    for provider in Provider::ALL {
        for life in [life(), leaving(), in_arrears(), changing()] {
            for kind in wishes(provider, &active(), &life, noon()) {
                let mut wish = every_wish().into_iter().find(|wish| wish.kind() == kind).unwrap();
                if let (Wish::Plan { shown, .. }, true) = (&mut wish, life.next_plan.is_some()) {
                    *shown = Money::zero(shown.currency);
                }
                assert_eq!(decide(&wish, &active(), &life, noon()), Ok(Next::Ask), "{wish:?}");
                assert_eq!(check_offered(provider, kind), Ok(()));
            }
        }
    }
    let undone = check_offered(Provider::Paypal, WishKind::Keep);
    assert_eq!(undone, Err(Refusal::NotOffered));
}

#[test]
fn what_follows_is_undone_before_a_pause_or_a_dearer_plan() {
    let life_now = changing();
    let check = |wish: &Wish| decide(wish, &active(), &life_now, noon());
    assert_eq!(check(&Wish::KeepPlan), Ok(Next::Ask));
    assert_eq!(check(&Wish::Cancel), Ok(Next::Ask));
    let pause = Wish::Pause { until: later(24) };
    for refused in [pause, plan(noon())] {
        assert_eq!(check(&refused), Err(Refusal::PlanScheduled));
    }
    let cheaper = |price_id| Wish::Plan {
        price_id,
        prorated_at: noon(),
        shown: Money::zero(price().currency),
    };
    assert_eq!(check(&cheaper(PriceId::new(noon()))), Ok(Next::Ask));
    let follows = life_now.scheduled().unwrap().price_id;
    assert_eq!(check(&cheaper(follows)), Ok(Next::Nothing));
    let stays = decide(&Wish::KeepPlan, &active(), &life(), noon());
    assert_eq!(stays, Ok(Next::Nothing));
}

#[test]
fn a_pause_is_between_now_and_three_months() {
    let check = |until| decide(&Wish::Pause { until }, &active(), &life(), noon());
    assert_eq!(check(noon()), Err(Refusal::PauseTooLong));
    assert_eq!(check(noon() + PAUSE_MAX), Ok(Next::Ask));
    assert_eq!(check(later(1) + PAUSE_MAX), Err(Refusal::PauseTooLong));
    let ending = decide(&Wish::Pause { until: later(24) }, &active(), &leaving(), noon());
    assert_eq!(ending, Err(Refusal::Ending));
}

#[test]
fn a_plan_is_changed_by_what_was_just_shown() {
    let check = |at| decide(&plan(at), &active(), &life(), noon());
    assert_eq!(check(noon()), Ok(Next::Ask));
    assert_eq!(
        check(noon() - PREVIEW_LIVES - TimeDelta::seconds(1)),
        Err(Refusal::PreviewExpired)
    );
    assert_eq!(check(later(1)), Err(Refusal::PreviewExpired));
    let trial = SubscriptionState::Trialing { until: later(24) };
    assert_eq!(
        decide(&plan(noon()), &trial, &life(), noon()),
        Err(Refusal::OnTrial)
    );
}

#[test]
fn plan_that_is_undone_before_it_begins_is_dropped_and_one_that_may_have_begun_is_looked_at() {
    let changing = changing();
    let starts_at = changing.next_plan.as_ref().unwrap().starts_at;
    for wish in [Wish::KeepPlan, Wish::Cancel] {
        let at = |now| done(changing.clone(), &wish, None, now).next_plan;
        assert_eq!(at(starts_at - TimeDelta::seconds(1)), None);
        assert_eq!(at(starts_at), changing.next_plan);
    }
}

#[test]
fn plan_that_follows_another_tells_that_the_other_has_begun() {
    let first = changing().next_plan.unwrap();
    let after = |starts_at| {
        let next = NextPlan {
            price_id: PriceId::new(later(2)),
            starts_at,
            ..first.clone()
        };
        let life = Life {
            next_plan: Some(first.clone()),
            ..life()
        };
        done(life, &plan(noon()), Some(next), noon()).plan_price_id
    };
    assert_eq!(after(first.starts_at), None, "it is there instead");
    assert_eq!(after(first.starts_at + TimeDelta::days(30)), Some(first.price_id));
}

#[test]
fn dearer_plan_takes_the_place_of_all_others_at_once() {
    let wish = plan(noon());
    let Wish::Plan { price_id, .. } = wish else {
        panic!()
    };
    let life = done(changing(), &wish, None, later(1));
    assert_eq!((life.plan_price_id, life.next_plan), (Some(price_id), None));
}

#[test]
fn pause_is_listed_where_it_can_skip_a_period() {
    let listed = |period_end| {
        let state = SubscriptionState::Active { period_end };
        wishes(Provider::Stripe, &state, &life(), noon()).contains(&WishKind::Pause)
    };
    assert!(listed(noon() + TimeDelta::days(31)));
    assert!(!listed(noon() + PAUSE_MAX));
    assert!(!listed(noon() + TimeDelta::days(360)));
}

#[test]
fn what_is_cancelled_or_not_begun_does_not_renew() {
    assert!(renews(&active(), &life()));
    assert!(!renews(&active(), &leaving()));
    assert!(!renews(&SubscriptionState::Incomplete, &life()));
    assert!(!renews(&SubscriptionState::Canceled { at: noon() }, &life()));
}
