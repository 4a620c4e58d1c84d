//! What members want of their subscriptions, and that a lost answer or a second click end in one change.

use chrono::TimeDelta;
use kit::error::Failure;
use proto::checkout::v1::change_subscription_request::{
    Cancel, Card, Change, Pause, Plan, Reactivate, Resume,
};
use proto::checkout::v1::{ChangeSubscriptionRequest, PreviewPlanRequest, PreviewPlanResponse, Subscription};
use sandbox::Action;

use crate::life::{Sold, until};
use crate::twin::{APPROVED, DECLINED, DECLINED_WHEN_CHARGED};
use crate::world::{MEMBER, World};

const DAY: TimeDelta = TimeDelta::days(1);
const MONTH: TimeDelta = TimeDelta::days(32);

pub async fn bought() -> World {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    world.at_rest().await;
    world
}

async fn wish_as(world: &World, user_id: &str, wish: Change) -> Result<Subscription, String> {
    let request = ChangeSubscriptionRequest {
        user_id: user_id.into(),
        subscription_id: world.subscriptions().await[0].subscription_id.clone(),
        change: Some(wish),
    };
    let answered = world.checkout.clone().change_subscription(request).await;
    answered
        .map(|answer| answer.into_inner().subscription.unwrap())
        .map_err(|status| Failure::from_status(&status).code)
}

pub async fn wish(world: &World, wish: Change) -> Result<Subscription, String> {
    wish_as(world, MEMBER, wish).await
}

pub fn pause(world: &World, days: i64) -> Change {
    let until = world.host.clock().now() + TimeDelta::days(days);
    Change::Pause(Pause {
        until: Some(until.into()),
    })
}

pub async fn card(world: &World, number: &str) -> Change {
    Change::Card(Card {
        payment_method_id: world.twin.card(number).await,
    })
}

#[tokio::test]
async fn cancel_ends_with_the_period_and_keep_undoes_it() {
    let world = bought().await;
    let leaving = wish(&world, Change::Cancel(Cancel {})).await.unwrap();
    assert_eq!(leaving.cancel_at, leaving.current_period_end);
    assert_eq!(leaving.status, "active");
    let kept = wish(&world, Change::Reactivate(Reactivate {})).await.unwrap();
    assert_eq!(kept.cancel_at, None);
    world.at_rest().await;
    world.advance(MONTH).await;
    world.events("subscription.renewed", 1).await;
    world.at_rest().await;

    wish(&world, Change::Cancel(Cancel {})).await.unwrap();
    wish(&world, Change::Cancel(Cancel {})).await.unwrap();
    world.at_rest().await;
    world.advance(MONTH).await;
    world.until_status("canceled").await;
    world.events("subscription.canceled", 1).await;
    assert_eq!(
        wish(&world, Change::Reactivate(Reactivate {})).await,
        Err("SUBSCRIPTION_ENDED".into())
    );
    assert_eq!(world.charges().await, 2);
    world.check_books().await;
}

#[tokio::test]
async fn what_no_schedule_touches_is_asked_for_without_a_look() {
    let world = bought().await;
    let sandbox = world.twin.sandbox();
    let wishes = [
        pause(&world, 10),
        Change::Resume(Resume {}),
        Change::Cancel(Cancel {}),
        Change::Reactivate(Reactivate {}),
    ];
    for (wished, first) in wishes.into_iter().zip(["POST", "POST", "GET", "POST"]) {
        let before = sandbox.requests().len();
        wish(&world, wished).await.unwrap();
        let asked = sandbox.requests().split_off(before);
        let of_it = |path: &str| path.starts_with("/stripe/v1/subscriptions/");
        let asked = asked.iter().find(|sent| of_it(&sent.path));
        assert_eq!(asked.unwrap().method, first);
        world.at_rest().await;
    }
}

/// Two looks at once could take what one of them did for what the other began with.
#[tokio::test]
async fn nobody_else_looks_while_a_wish_is_looked_after() {
    let world = bought().await;
    let late = Action::DelayBefore { ms: 700 };
    world.twin.sabotage("GET", "subscriptions/sub_*", late);
    let sandbox = world.twin.sandbox();
    let before = sandbox.requests().len();
    wish(&world, pause(&world, 10)).await.unwrap();
    let asked = sandbox.requests().split_off(before);
    let is_look = |path: &str| path.starts_with("/stripe/v1/subscriptions/sub_");
    let looks = asked
        .iter()
        .filter(|sent| sent.method == "GET" && is_look(&sent.path));
    assert_eq!(looks.count(), 1);
    world.at_rest().await;
}

/// The reconciler is always about to look.
#[tokio::test]
async fn a_wish_that_is_settled_is_looked_at_once() {
    let world = World::start_with([("CHECKOUT_RECONCILE_EVERY_MS", "1")]).await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    world.at_rest().await;
    let sandbox = world.twin.sandbox();
    for _ in 0..10 {
        // Unlike a cancellation, neither begins with a look of its own.
        for wished in [pause(&world, 10), Change::Resume(Resume {})] {
            let before = sandbox.requests().len();
            wish(&world, wished).await.unwrap();
            world.at_rest().await;
            let asked = sandbox.requests().split_off(before);
            let asked: Vec<_> = asked
                .iter()
                .map(|sent| (sent.method.as_str(), sent.path.as_str()))
                .filter(|(_, path)| path.starts_with("/stripe/v1/subscriptions/sub_"))
                .collect();
            let looks = asked.iter().filter(|(method, _)| *method == "GET");
            assert_eq!(looks.count(), 1, "{asked:?}");
        }
    }
}

#[tokio::test]
async fn somebody_elses_subscription_is_unknown() {
    let world = bought().await;
    let stranger = "usr_0192f0c0a0007000800000000000000b";
    for attempt in [
        Change::Cancel(Cancel {}),
        Change::Resume(Resume {}),
        pause(&world, 10),
    ] {
        let answer = wish_as(&world, stranger, attempt).await;
        assert_eq!(answer, Err("UNKNOWN_SUBSCRIPTION".into()));
    }
    assert_eq!(world.subscriptions().await[0].cancel_at, None);
}

#[tokio::test]
async fn lost_answers_to_a_wish_become_definite() {
    for action in [Action::DropBefore {}, Action::DropAfterCommit {}] {
        let world = bought().await;
        world.twin.sabotage("POST", "subscriptions/sub_*", action);
        let asked = wish(&world, Change::Cancel(Cancel {})).await.unwrap();
        assert!(world.twin.is_sabotaging());
        assert_eq!(asked.pending_change, "cancel");
        let other = wish(&world, pause(&world, 10)).await;
        assert_eq!(other, Err("CHANGE_IN_PROGRESS".into()));
        world.advance(TimeDelta::minutes(1)).await;
        until(async || world.subscriptions().await[0].cancel_at.is_some()).await;
        assert_eq!(world.subscriptions().await[0].pending_change, "");
    }
}

#[tokio::test]
async fn new_card_pays_what_is_overdue_at_once() {
    let world = bought().await;
    world.twin.set_refusal(Some("expired_card")).await;
    world.advance(MONTH).await;
    world.until_status("past_due").await;
    world.until_held().await;
    let shown = world.subscriptions().await[0].overdue.clone().unwrap();
    assert!(shown.needs_new_card);
    let refused = wish(&world, card(&world, DECLINED).await).await;
    assert_eq!(refused, Err("card_declined".into()));

    let changed = wish(&world, card(&world, APPROVED).await).await.unwrap();
    assert_eq!(changed.card_last4, "4242");
    world.until_status("active").await;
    world.events("subscription.recovered", 1).await;
    let renewed = &world.subscriptions().await[0];
    assert_eq!(renewed.receipts.len(), 2);
    assert_eq!(renewed.receipts[0].reason, "renewal");
    world.check_books().await;
}

#[tokio::test]
async fn card_that_is_refused_when_charged_leaves_the_debt() {
    let world = bought().await;
    world.twin.set_refusal(Some("lost_card")).await;
    world.advance(MONTH).await;
    world.until_status("past_due").await;
    world.until_held().await;
    let before = world.attempts().await;
    wish(&world, card(&world, DECLINED_WHEN_CHARGED).await)
        .await
        .unwrap();
    until(async || world.attempts().await == before + 1).await;
    assert_eq!(world.subscriptions().await[0].status, "past_due");
    assert_eq!(world.charges().await, 1);
}

#[tokio::test]
async fn cancel_of_an_unpaid_renewal_ends_at_once() {
    let world = bought().await;
    world.twin.set_refusal(Some("lost_card")).await;
    world.advance(MONTH).await;
    world.until_status("past_due").await;
    world.events("subscription.past_due", 1).await;
    wish(&world, Change::Cancel(Cancel {})).await.unwrap();
    world.until_status("canceled").await;
    world.events("subscription.canceled", 1).await;
    assert_eq!(world.charges().await, 1);
}

#[tokio::test]
async fn paused_periods_are_skipped_and_told() {
    let world = bought().await;
    let too_long = wish(&world, pause(&world, 93)).await;
    assert_eq!(too_long, Err("PAUSE_TOO_LONG".into()));
    let paused = wish(&world, pause(&world, 50)).await.unwrap();
    assert!(paused.paused_until.is_some());
    world.at_rest().await;
    world.advance(MONTH).await;
    world.events("subscription.paused", 1).await;
    world.events("subscription.renewed", 0).await;
    world.at_rest().await;
    world.advance(MONTH).await;
    world.events("subscription.renewed", 1).await;
    assert_eq!(world.subscriptions().await[0].paused_until, None);
    assert_eq!(world.charges().await, 2);
    world.check_books().await;
}

#[tokio::test]
async fn resuming_after_a_skipped_period_begins_a_new_one() {
    let world = bought().await;
    wish(&world, pause(&world, 90)).await.unwrap();
    world.at_rest().await;
    world.advance(MONTH + DAY * 5).await;
    world.events("subscription.paused", 1).await;
    let resumed = wish(&world, Change::Resume(Resume {})).await.unwrap();
    assert_eq!(resumed.paused_until, None);
    world.events("subscription.renewed", 1).await;
    let end = world.period_end().await - world.host.clock().now().timestamp();
    assert!((28..=31).contains(&(end / 86_400)), "{end}");
    world.check_books().await;
}

pub async fn preview(world: &World, campaign: &str) -> Result<PreviewPlanResponse, String> {
    let request = PreviewPlanRequest {
        user_id: MEMBER.into(),
        subscription_id: world.subscriptions().await[0].subscription_id.clone(),
        price_id: world.offer(campaign, "", "tr").await.price_id,
    };
    let answered = world.checkout.clone().preview_plan(request).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status).code)
}

pub fn plan(shown: &PreviewPlanResponse) -> Change {
    Change::Plan(Plan {
        price_id: shown.price_id.clone(),
        prorated_at: shown.prorated_at,
        due_now: shown.due_now.clone(),
    })
}

#[tokio::test]
async fn dearer_plan_charges_exactly_what_was_shown() {
    let world = bought().await;
    world.advance(DAY * 10).await;
    let shown = preview(&world, "web-annual").await.unwrap();
    world.advance(TimeDelta::minutes(5)).await;
    let changed = wish(&world, plan(&shown)).await.unwrap();
    assert_eq!(changed.price_id, shown.price_id);
    let told = world.events("subscription.renewed", 1).await;
    assert_eq!(told[0].data["reason"], "change");
    let captured = world.renewals().await[0].captured.minor;
    assert_eq!(Some(captured), shown.due_now.as_ref().map(|due| due.amount_minor));
    // Once more is no other charge.
    wish(&world, plan(&shown)).await.unwrap_err();
    assert_eq!(world.charges().await, 2);

    world.at_rest().await;
    world.advance(TimeDelta::days(368)).await;
    world.events("subscription.renewed", 2).await;
    world.check_books().await;
}

#[tokio::test]
async fn plan_is_refused_when_stale_or_unpayable() {
    let world = bought().await;
    world.advance(DAY).await;
    // On sale, and no plan: a way to begin, and what is for the cards of one bank.
    for campaign in ["free-trial", "teb40"] {
        assert_eq!(preview(&world, campaign).await, Err("UNKNOWN_PRICE".into()));
    }
    let shown = preview(&world, "web-annual").await.unwrap();
    let mut lied = shown.clone();
    lied.due_now.as_mut().unwrap().amount_minor = 1;
    assert_eq!(wish(&world, plan(&lied)).await, Err("PREVIEW_EXPIRED".into()));
    world.advance(TimeDelta::hours(1)).await;
    assert_eq!(wish(&world, plan(&shown)).await, Err("PREVIEW_EXPIRED".into()));

    let shown = preview(&world, "web-annual").await.unwrap();
    world.twin.set_refusal(Some("insufficient_funds")).await;
    assert_eq!(wish(&world, plan(&shown)).await, Err("insufficient_funds".into()));
    assert_eq!(world.charges().await, 1);

    world.twin.set_refusal(None).await;
    let shown = preview(&world, "web-annual").await.unwrap();
    wish(&world, plan(&shown)).await.unwrap();
    world.check_books().await;
}

#[tokio::test]
async fn trial_can_be_cancelled_but_not_paused() {
    let world = World::start().await;
    world.buy("web-annual", APPROVED).await.unwrap();
    world.at_rest().await;
    assert_eq!(
        wish(&world, pause(&world, 10)).await,
        Err("SUBSCRIPTION_ON_TRIAL".into())
    );
    wish(&world, Change::Cancel(Cancel {})).await.unwrap();
    world.at_rest().await;
    world.advance(DAY * 8).await;
    world.events("subscription.canceled", 1).await;
    world.events("subscription.trial_ending", 0).await;
    assert_eq!(world.charges().await, 0);
}
