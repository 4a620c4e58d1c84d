//! `ChangeSubscription`: each change, and that a lost answer or a second click result in one change.

use chrono::TimeDelta;
use kit::error::Failure;
use proto::checkout::v1::change_subscription_request::{
    Cancel, Card, Change, Pause, Plan, Reactivate, Resume,
};
use proto::checkout::v1::{ChangeSubscriptionRequest, PreviewPlanResponse, Subscription};
use sandbox::{Action, Fault};

use crate::subscriptions::preview_plan::preview;
use crate::support::fake_provider::{APPROVED, DECLINED, DECLINED_WHEN_CHARGED};
use crate::support::subscription_probe::{SubscriptionProbe, until};
use crate::support::test_env::{MEMBER, TestEnv};

const DAY: TimeDelta = TimeDelta::days(1);
const MONTH: TimeDelta = TimeDelta::days(32);

pub async fn bought() -> TestEnv {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    env
}

async fn request_change_as(env: &TestEnv, user_id: &str, change: Change) -> Result<Subscription, String> {
    let request = ChangeSubscriptionRequest {
        user_id: user_id.into(),
        subscription_id: env.subscriptions().await[0].subscription_id.clone(),
        change: Some(change),
    };
    let answered = env.checkout.clone().change_subscription(request).await;
    answered
        .map(|answer| answer.into_inner().subscription.unwrap())
        .map_err(|status| Failure::from_status(&status).code)
}

pub async fn request_change(env: &TestEnv, change: Change) -> Result<Subscription, String> {
    request_change_as(env, MEMBER, change).await
}

pub fn pause(env: &TestEnv, days: i64) -> Change {
    let until = env.host.clock().now() + TimeDelta::days(days);
    Change::Pause(Pause {
        until: Some(until.into()),
    })
}

pub async fn card(env: &TestEnv, number: &str) -> Change {
    Change::Card(Card {
        payment_method_id: env.fake_provider.card(number).await,
    })
}

#[tokio::test]
async fn cancel_ends_with_the_period_and_can_be_undone() {
    let env = bought().await;
    let leaving = request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
    assert_eq!(leaving.cancel_at, leaving.current_period_end);
    assert_eq!(leaving.status, "active");
    let kept = request_change(&env, Change::Reactivate(Reactivate {}))
        .await
        .unwrap();
    assert_eq!(kept.cancel_at, None);
    env.until_idle().await;
    env.advance(MONTH).await;
    env.events("subscription.renewed", 1).await;
    env.until_idle().await;

    request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
    request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
    env.until_idle().await;
    env.advance(MONTH).await;
    env.until_status("canceled").await;
    env.events("subscription.canceled", 1).await;
    assert_eq!(
        request_change(&env, Change::Reactivate(Reactivate {})).await,
        Err("SUBSCRIPTION_ENDED".into())
    );
    assert_eq!(env.charges().await, 2);
    env.check_ledger().await;
}

#[tokio::test]
async fn change_without_a_schedule_needs_no_fetch() {
    let env = bought().await;
    let sandbox = env.fake_provider.sandbox();
    let changes = [
        pause(&env, 10),
        Change::Resume(Resume {}),
        Change::Cancel(Cancel {}),
        Change::Reactivate(Reactivate {}),
    ];
    for (change, first) in changes.into_iter().zip(["POST", "POST", "GET", "POST"]) {
        let before = sandbox.requests().len();
        request_change(&env, change).await.unwrap();
        let asked = sandbox.requests().split_off(before);
        let of_it = |path: &str| path.starts_with("/stripe/v1/subscriptions/");
        let asked = asked.iter().find(|sent| of_it(&sent.path));
        assert_eq!(asked.unwrap().method, first);
        env.until_idle().await;
    }
}

/// Two concurrent syncs could mistake one's result for the other's initial state.
#[tokio::test]
async fn open_change_leases_its_subscription() {
    let env = bought().await;
    let late = Action::DelayBefore { ms: 700 };
    env.fake_provider.inject_fault("GET", "subscriptions/sub_*", late);
    let sandbox = env.fake_provider.sandbox();
    let before = sandbox.requests().len();
    request_change(&env, pause(&env, 10)).await.unwrap();
    let asked = sandbox.requests().split_off(before);
    let is_look = |path: &str| path.starts_with("/stripe/v1/subscriptions/sub_");
    let looks = asked
        .iter()
        .filter(|sent| sent.method == "GET" && is_look(&sent.path));
    assert_eq!(looks.count(), 1);
    env.until_idle().await;
}

/// A sync that fetched before a change and stores after it must not undo the change.
#[tokio::test]
async fn snapshot_from_before_a_change_is_not_applied() {
    let env = bought().await;
    request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
    env.until_idle().await;
    let slow = Action::DelayAfterCommit { ms: 1_500 };
    env.fake_provider.inject_fault("GET", "subscriptions/sub_*", slow);
    sqlx::query("update billing_state set due_at = 'epoch'")
        .execute(&env.pool().await)
        .await
        .unwrap();
    until(async || env.fake_provider.is_fault_active()).await;
    // The webhook of the reactivation would repair what this sync stores.
    let silent = Fault::on_event("*", Action::HoldWebhook { for_secs: None });
    env.fake_provider.sandbox().faults().add(silent.times(0));
    let reactivated = request_change(&env, Change::Reactivate(Reactivate {}))
        .await
        .unwrap();
    assert_eq!(reactivated.cancel_at, None);
    env.host.rounds("reconcile-subscriptions", 1).await;
    assert_eq!(env.subscriptions().await[0].cancel_at, None);
}

/// The reconciler runs every millisecond.
#[tokio::test]
async fn settled_change_is_synced_at_once() {
    let env = TestEnv::start_with([("CHECKOUT_RECONCILE_EVERY_MS", "1")]).await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    let sandbox = env.fake_provider.sandbox();
    for _ in 0..10 {
        // Unlike a cancellation, neither fetches first.
        for change in [pause(&env, 10), Change::Resume(Resume {})] {
            let before = sandbox.requests().len();
            request_change(&env, change).await.unwrap();
            env.until_idle().await;
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
async fn subscription_of_another_member_is_unknown() {
    let env = bought().await;
    let stranger = "usr_0192f0c0a0007000800000000000000b";
    for attempt in [
        Change::Cancel(Cancel {}),
        Change::Resume(Resume {}),
        pause(&env, 10),
    ] {
        let answer = request_change_as(&env, stranger, attempt).await;
        assert_eq!(answer, Err("UNKNOWN_SUBSCRIPTION".into()));
    }
    assert_eq!(env.subscriptions().await[0].cancel_at, None);
}

#[tokio::test]
async fn lost_answers_to_a_change_are_resolved() {
    for action in [Action::DropBefore {}, Action::DropAfterCommit {}] {
        let env = bought().await;
        env.fake_provider
            .inject_fault("POST", "subscriptions/sub_*", action);
        let asked = request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
        assert!(env.fake_provider.is_fault_active());
        assert_eq!(asked.pending_change, "cancel");
        let other = request_change(&env, pause(&env, 10)).await;
        assert_eq!(other, Err("CHANGE_IN_PROGRESS".into()));
        env.advance(TimeDelta::minutes(1)).await;
        until(async || env.subscriptions().await[0].cancel_at.is_some()).await;
        assert_eq!(env.subscriptions().await[0].pending_change, "");
    }
}

#[tokio::test]
async fn new_card_pays_the_overdue_invoice_at_once() {
    let env = bought().await;
    env.fake_provider.set_decline(Some("expired_card")).await;
    env.advance(MONTH).await;
    env.until_status("past_due").await;
    env.until_auto_advance_disabled().await;
    let shown = env.subscriptions().await[0].overdue.clone().unwrap();
    assert!(shown.needs_new_card);
    let refused = request_change(&env, card(&env, DECLINED).await).await;
    assert_eq!(refused, Err("card_declined".into()));

    let changed = request_change(&env, card(&env, APPROVED).await).await.unwrap();
    assert_eq!(changed.card_last4, "4242");
    env.until_status("active").await;
    env.events("subscription.recovered", 1).await;
    let renewed = &env.subscriptions().await[0];
    assert_eq!(renewed.receipts.len(), 2);
    assert_eq!(renewed.receipts[0].reason, "renewal");
    env.check_ledger().await;
}

#[tokio::test]
async fn declined_card_leaves_the_invoice_overdue() {
    let env = bought().await;
    env.fake_provider.set_decline(Some("lost_card")).await;
    env.advance(MONTH).await;
    env.until_status("past_due").await;
    env.until_auto_advance_disabled().await;
    let before = env.attempts().await;
    request_change(&env, card(&env, DECLINED_WHEN_CHARGED).await)
        .await
        .unwrap();
    until(async || env.attempts().await == before + 1).await;
    assert_eq!(env.subscriptions().await[0].status, "past_due");
    assert_eq!(env.charges().await, 1);
}

#[tokio::test]
async fn cancel_of_an_unpaid_renewal_ends_at_once() {
    let env = bought().await;
    env.fake_provider.set_decline(Some("lost_card")).await;
    env.advance(MONTH).await;
    env.until_status("past_due").await;
    env.events("subscription.past_due", 1).await;
    request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
    env.until_status("canceled").await;
    env.events("subscription.canceled", 1).await;
    assert_eq!(env.charges().await, 1);
}

#[tokio::test]
async fn paused_periods_are_skipped_and_emitted() {
    let env = bought().await;
    let too_long = request_change(&env, pause(&env, 93)).await;
    assert_eq!(too_long, Err("PAUSE_TOO_LONG".into()));
    let paused = request_change(&env, pause(&env, 50)).await.unwrap();
    assert!(paused.paused_until.is_some());
    env.until_idle().await;
    env.advance(MONTH).await;
    env.events("subscription.paused", 1).await;
    env.events("subscription.renewed", 0).await;
    env.until_idle().await;
    env.advance(MONTH).await;
    env.events("subscription.renewed", 1).await;
    assert_eq!(env.subscriptions().await[0].paused_until, None);
    assert_eq!(env.charges().await, 2);
    env.check_ledger().await;
}

#[tokio::test]
async fn resuming_after_a_skipped_period_begins_a_new_one() {
    let env = bought().await;
    request_change(&env, pause(&env, 90)).await.unwrap();
    env.until_idle().await;
    env.advance(MONTH + DAY * 5).await;
    env.events("subscription.paused", 1).await;
    let resumed = request_change(&env, Change::Resume(Resume {})).await.unwrap();
    assert_eq!(resumed.paused_until, None);
    env.events("subscription.renewed", 1).await;
    let end = env.period_end().await - env.host.clock().now().timestamp();
    assert!((28..=31).contains(&(end / 86_400)), "{end}");
    env.check_ledger().await;
}

pub fn plan(shown: &PreviewPlanResponse) -> Change {
    Change::Plan(Plan {
        price_id: shown.price_id.clone(),
        prorated_at: shown.prorated_at,
        due_now: shown.due_now.clone(),
    })
}

#[tokio::test]
async fn plan_is_refused_when_stale_or_unpayable() {
    let env = bought().await;
    env.advance(DAY).await;
    let shown = preview(&env, "web-annual").await.unwrap();
    let mut lied = shown.clone();
    lied.due_now.as_mut().unwrap().amount_minor = 1;
    assert_eq!(
        request_change(&env, plan(&lied)).await,
        Err("PREVIEW_EXPIRED".into())
    );
    env.advance(TimeDelta::hours(1)).await;
    assert_eq!(
        request_change(&env, plan(&shown)).await,
        Err("PREVIEW_EXPIRED".into())
    );

    let shown = preview(&env, "web-annual").await.unwrap();
    env.fake_provider.set_decline(Some("insufficient_funds")).await;
    assert_eq!(
        request_change(&env, plan(&shown)).await,
        Err("insufficient_funds".into())
    );
    assert_eq!(env.charges().await, 1);

    env.fake_provider.set_decline(None).await;
    let shown = preview(&env, "web-annual").await.unwrap();
    request_change(&env, plan(&shown)).await.unwrap();
    env.check_ledger().await;
}

#[tokio::test]
async fn trial_can_be_cancelled_but_not_paused() {
    let env = TestEnv::start().await;
    env.buy("web-annual", APPROVED).await.unwrap();
    env.until_idle().await;
    assert_eq!(
        request_change(&env, pause(&env, 10)).await,
        Err("SUBSCRIPTION_ON_TRIAL".into())
    );
    request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
    env.until_idle().await;
    env.advance(DAY * 8).await;
    env.events("subscription.canceled", 1).await;
    env.events("subscription.trial_ending", 0).await;
    assert_eq!(env.charges().await, 0);
}
