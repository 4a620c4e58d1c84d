//! A cheaper plan begins when what is paid for ends, and nothing is charged for it before.

use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{Cancel, CancelScheduledPlan, Change, Reactivate};
use proto::checkout::v1::{ListPlansRequest, Subscription};
use sandbox::Action;

use crate::change_subscription::{bought, card, pause, plan, preview, wish};
use crate::life::{Sold, until};
use crate::world::{MEMBER, World};

const DAY: TimeDelta = TimeDelta::days(1);
const MONTH: TimeDelta = TimeDelta::days(32);
const YEAR: TimeDelta = TimeDelta::days(368);

/// On the annual plan, for two charges.
async fn annual() -> World {
    let world = bought().await;
    let shown = preview(&world, "web-annual").await.unwrap();
    wish(&world, plan(&shown)).await.unwrap();
    world.events("subscription.renewed", 1).await;
    world.at_rest().await;
    world.advance(DAY * 10).await;
    world
}

async fn changing() -> World {
    let world = annual().await;
    let shown = preview(&world, "web-monthly").await.unwrap();
    wish(&world, plan(&shown)).await.unwrap();
    world.at_rest().await;
    world
}

async fn owned(world: &World) -> Subscription {
    world.subscriptions().await[0].clone()
}

#[tokio::test]
async fn cheaper_plan_begins_when_the_paid_time_ends() {
    let world = annual().await;
    let before = owned(&world).await;
    let shown = preview(&world, "web-monthly").await.unwrap();
    assert_eq!(shown.due_now.as_ref().unwrap().amount_minor, 0);
    assert_eq!(shown.starts_at, before.current_period_end);
    let listed = ListPlansRequest {
        user_id: MEMBER.into(),
        subscription_id: before.subscription_id.clone(),
    };
    let listed = world
        .checkout
        .clone()
        .list_plans(listed)
        .await
        .unwrap()
        .into_inner();
    let monthly = listed.plans.iter().find(|plan| plan.price_id == shown.price_id);
    assert_eq!(monthly.unwrap().starts_at, before.current_period_end);

    let changed = wish(&world, plan(&shown)).await.unwrap();
    assert_eq!(changed.price_id, before.price_id);
    let scheduled = changed.scheduled_plan.unwrap();
    assert_eq!(
        (scheduled.price_id, scheduled.starts_at),
        (shown.price_id.clone(), shown.starts_at)
    );
    assert!(changed.available_actions.contains(&"keep_plan".to_owned()));
    wish(&world, plan(&shown)).await.unwrap();
    assert_eq!(world.charges().await, 2);
    world.at_rest().await;

    world.advance(YEAR).await;
    world.events("subscription.renewed", 2).await;
    until(async || owned(&world).await.price_id == shown.price_id).await;
    until(async || world.twin.subscriptions().await[0]["schedule"].is_null()).await;
    world.at_rest().await;
    let now = owned(&world).await;
    assert_eq!(now.scheduled_plan, None);
    assert!(!now.available_actions.contains(&"keep_plan".to_owned()));
    let renewed = world.renewals().await[1].captured.minor;
    assert_eq!(Some(renewed), shown.then.as_ref().map(|then| then.amount_minor));
    world.advance(MONTH).await;
    world.events("subscription.renewed", 3).await;
    assert_eq!(world.renewals().await[2].captured.minor, renewed);
    assert!(
        preview(&world, "web-annual")
            .await
            .unwrap()
            .due_now
            .unwrap()
            .amount_minor
            > 0
    );
    assert_eq!(world.twin.misuses(), Vec::<String>::new());
    world.check_books().await;
}

#[tokio::test]
async fn change_to_a_cheaper_plan_is_undone() {
    let world = changing().await;
    let paused = wish(&world, pause(&world, 10)).await;
    assert_eq!(paused, Err("PLAN_CHANGE_SCHEDULED".into()));
    let kept = wish(&world, Change::CancelScheduledPlan(CancelScheduledPlan {}))
        .await
        .unwrap();
    assert_eq!(kept.scheduled_plan, None);
    wish(&world, Change::CancelScheduledPlan(CancelScheduledPlan {}))
        .await
        .unwrap();
    world.at_rest().await;

    world.advance(YEAR).await;
    world.events("subscription.renewed", 2).await;
    let after = owned(&world).await;
    assert_eq!(after.price_id, kept.price_id);
    let renewed = world.renewals().await[1].captured.minor;
    assert_eq!(Some(renewed), kept.price.map(|price| price.amount_minor));
    world.check_books().await;
}

#[tokio::test]
async fn cancel_leaves_nothing_to_change_to() {
    let world = changing().await;
    let leaving = wish(&world, Change::Cancel(Cancel {})).await.unwrap();
    assert_eq!(leaving.cancel_at, leaving.current_period_end);
    assert_eq!(leaving.scheduled_plan, None);
    let kept = wish(&world, Change::Reactivate(Reactivate {})).await.unwrap();
    assert_eq!((kept.cancel_at, kept.scheduled_plan), (None, None));
}

#[tokio::test]
async fn new_card_pays_the_plan_that_follows() {
    let world = changing().await;
    wish(&world, card(&world, "5555555555554444").await)
        .await
        .unwrap();
    world.at_rest().await;
    world.advance(YEAR).await;
    world.events("subscription.renewed", 2).await;
    let last = &world.twin.captured_charges().await[0];
    assert_eq!(last["payment_method_details"]["card"]["last4"], "4444");
    assert_eq!(owned(&world).await.card_last4, "4444");
    world.check_books().await;
}

#[tokio::test]
async fn lost_answers_to_a_cheaper_plan_become_definite() {
    for path in ["subscription_schedules", "subscription_schedules/sub_sched_*"] {
        for action in [Action::DropBefore {}, Action::DropAfterCommit {}] {
            let world = annual().await;
            let shown = preview(&world, "web-monthly").await.unwrap();
            world.twin.sabotage("POST", path, action);
            let asked = wish(&world, plan(&shown)).await.unwrap();
            assert!(world.twin.is_sabotaging(), "{path}");
            assert_eq!(asked.pending_change, "plan");
            world.advance(TimeDelta::minutes(1)).await;
            until(async || owned(&world).await.scheduled_plan.is_some()).await;
            assert_eq!(owned(&world).await.pending_change, "");
            assert_eq!(world.charges().await, 2);
        }
    }
}

/// It would begin a period later than was shown.
#[tokio::test]
async fn cheaper_plan_that_was_shown_before_a_renewal_is_shown_again() {
    let world = annual().await;
    let end = world.period_end().await - world.host.clock().now().timestamp();
    world
        .advance(TimeDelta::seconds(end) - TimeDelta::minutes(5))
        .await;
    let shown = preview(&world, "web-monthly").await.unwrap();
    world.advance(TimeDelta::minutes(10)).await;
    world.events("subscription.renewed", 2).await;
    assert_eq!(wish(&world, plan(&shown)).await, Err("PREVIEW_EXPIRED".into()));
    let again = preview(&world, "web-monthly").await.unwrap();
    assert!(again.starts_at.unwrap().seconds > shown.starts_at.unwrap().seconds);
    wish(&world, plan(&again)).await.unwrap();
}
