//! A cheaper plan starts with the next period and is not charged before.

use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{Cancel, CancelScheduledPlan, Change, Reactivate};
use proto::checkout::v1::{ListPlansRequest, Subscription};
use sandbox::Action;

use crate::subscriptions::change_subscription::{bought, card, pause, plan, request_change};
use crate::subscriptions::preview_plan::preview;
use crate::support::subscription_probe::{SubscriptionProbe, until};
use crate::support::test_env::{MEMBER, TestEnv};

const DAY: TimeDelta = TimeDelta::days(1);
const MONTH: TimeDelta = TimeDelta::days(32);
const YEAR: TimeDelta = TimeDelta::days(368);

/// On the annual plan, for two charges.
async fn annual() -> TestEnv {
    let env = bought().await;
    let shown = preview(&env, "web-annual").await.unwrap();
    request_change(&env, plan(&shown)).await.unwrap();
    env.events("subscription.renewed", 1).await;
    env.until_idle().await;
    env.advance(DAY * 10).await;
    env
}

async fn changing() -> TestEnv {
    let env = annual().await;
    let shown = preview(&env, "web-monthly").await.unwrap();
    request_change(&env, plan(&shown)).await.unwrap();
    env.until_idle().await;
    env
}

async fn owned(env: &TestEnv) -> Subscription {
    env.subscriptions().await[0].clone()
}

#[tokio::test]
async fn cheaper_plan_begins_when_the_paid_time_ends() {
    let env = annual().await;
    let before = owned(&env).await;
    let shown = preview(&env, "web-monthly").await.unwrap();
    assert_eq!(shown.due_now.as_ref().unwrap().amount_minor, 0);
    assert_eq!(shown.starts_at, before.current_period_end);
    let listed = ListPlansRequest {
        user_id: MEMBER.into(),
        subscription_id: before.subscription_id.clone(),
    };
    let listed = env
        .checkout
        .clone()
        .list_plans(listed)
        .await
        .unwrap()
        .into_inner();
    let monthly = listed.plans.iter().find(|plan| plan.price_id == shown.price_id);
    assert_eq!(monthly.unwrap().starts_at, before.current_period_end);

    let changed = request_change(&env, plan(&shown)).await.unwrap();
    assert_eq!(changed.price_id, before.price_id);
    let scheduled = changed.scheduled_plan.unwrap();
    assert_eq!(
        (scheduled.price_id, scheduled.starts_at),
        (shown.price_id.clone(), shown.starts_at)
    );
    assert!(changed.available_actions.contains(&"keep_plan".to_owned()));
    request_change(&env, plan(&shown)).await.unwrap();
    assert_eq!(env.charges().await, 2);
    env.until_idle().await;

    env.advance(YEAR).await;
    env.events("subscription.renewed", 2).await;
    until(async || owned(&env).await.price_id == shown.price_id).await;
    until(async || env.fake_provider.subscriptions().await[0]["schedule"].is_null()).await;
    env.until_idle().await;
    let now = owned(&env).await;
    assert_eq!(now.scheduled_plan, None);
    assert!(!now.available_actions.contains(&"keep_plan".to_owned()));
    let renewed = env.renewals().await[1].captured.minor;
    assert_eq!(Some(renewed), shown.then.as_ref().map(|then| then.amount_minor));
    env.advance(MONTH).await;
    env.events("subscription.renewed", 3).await;
    assert_eq!(env.renewals().await[2].captured.minor, renewed);
    assert!(
        preview(&env, "web-annual")
            .await
            .unwrap()
            .due_now
            .unwrap()
            .amount_minor
            > 0
    );
    assert_eq!(env.fake_provider.api_misuses(), Vec::<String>::new());
    env.check_ledger().await;
}

#[tokio::test]
async fn scheduled_plan_is_canceled() {
    let env = changing().await;
    let paused = request_change(&env, pause(&env, 10)).await;
    assert_eq!(paused, Err("PLAN_CHANGE_SCHEDULED".into()));
    let kept = request_change(&env, Change::CancelScheduledPlan(CancelScheduledPlan {}))
        .await
        .unwrap();
    assert_eq!(kept.scheduled_plan, None);
    request_change(&env, Change::CancelScheduledPlan(CancelScheduledPlan {}))
        .await
        .unwrap();
    env.until_idle().await;

    env.advance(YEAR).await;
    env.events("subscription.renewed", 2).await;
    let after = owned(&env).await;
    assert_eq!(after.price_id, kept.price_id);
    let renewed = env.renewals().await[1].captured.minor;
    assert_eq!(Some(renewed), kept.price.map(|price| price.amount_minor));
    env.check_ledger().await;
}

#[tokio::test]
async fn cancel_leaves_nothing_to_change_to() {
    let env = changing().await;
    let leaving = request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
    assert_eq!(leaving.cancel_at, leaving.current_period_end);
    assert_eq!(leaving.scheduled_plan, None);
    let kept = request_change(&env, Change::Reactivate(Reactivate {}))
        .await
        .unwrap();
    assert_eq!((kept.cancel_at, kept.scheduled_plan), (None, None));
}

#[tokio::test]
async fn new_card_pays_the_plan_that_follows() {
    let env = changing().await;
    request_change(&env, card(&env, "5555555555554444").await)
        .await
        .unwrap();
    env.until_idle().await;
    env.advance(YEAR).await;
    env.events("subscription.renewed", 2).await;
    let last = &env.fake_provider.captured_charges().await[0];
    assert_eq!(last["payment_method_details"]["card"]["last4"], "4444");
    assert_eq!(owned(&env).await.card_last4, "4444");
    env.check_ledger().await;
}

#[tokio::test]
async fn lost_answers_to_a_scheduled_plan_are_resolved() {
    for path in ["subscription_schedules", "subscription_schedules/sub_sched_*"] {
        for action in [Action::DropBefore {}, Action::DropAfterCommit {}] {
            let env = annual().await;
            let shown = preview(&env, "web-monthly").await.unwrap();
            env.fake_provider.inject_fault("POST", path, action);
            let asked = request_change(&env, plan(&shown)).await.unwrap();
            assert!(env.fake_provider.is_fault_active(), "{path}");
            assert_eq!(asked.pending_change, "plan");
            env.advance(TimeDelta::minutes(1)).await;
            until(async || owned(&env).await.scheduled_plan.is_some()).await;
            assert_eq!(owned(&env).await.pending_change, "");
            assert_eq!(env.charges().await, 2);
        }
    }
}

/// It would begin a period later than was shown.
#[tokio::test]
async fn cheaper_plan_that_was_shown_before_a_renewal_is_shown_again() {
    let env = annual().await;
    let end = env.period_end().await - env.host.clock().now().timestamp();
    env.advance(TimeDelta::seconds(end) - TimeDelta::minutes(5)).await;
    let shown = preview(&env, "web-monthly").await.unwrap();
    env.advance(TimeDelta::minutes(10)).await;
    env.events("subscription.renewed", 2).await;
    assert_eq!(
        request_change(&env, plan(&shown)).await,
        Err("PREVIEW_EXPIRED".into())
    );
    let again = preview(&env, "web-monthly").await.unwrap();
    assert!(again.starts_at.unwrap().seconds > shown.starts_at.unwrap().seconds);
    request_change(&env, plan(&again)).await.unwrap();
}
