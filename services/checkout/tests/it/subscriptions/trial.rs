use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{Cancel, Change, Reactivate};

use crate::subscriptions::change_subscription::request_change;
use crate::subscriptions::confirm_subscription::confirm;
use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS, DECLINED_WHEN_CHARGED};
use crate::support::subscription_probe::{SubscriptionProbe, until};
use crate::support::test_env::{MEMBER, TestEnv};

const PAST_TRIAL: TimeDelta = TimeDelta::seconds(7 * 86_400 + 120);

#[tokio::test]
async fn trial_starts_without_a_charge_and_is_charged_at_its_end() {
    let env = TestEnv::start().await;
    let answer = env.buy("web-annual", APPROVED).await.unwrap();
    let subscription = answer.subscription.unwrap();
    assert_eq!(
        (subscription.status.as_str(), answer.payment_status.as_str()),
        ("trialing", "")
    );
    assert_eq!(answer.setup_intent_secret, "");
    assert!(env.fake_provider.captured_charges().await.is_empty());
    assert_eq!(
        env.events("subscription.activated", 1).await[0].data["trialDays"],
        7
    );

    env.until_idle().await;
    env.advance(PAST_TRIAL).await;
    env.until_status("active").await;
    assert_eq!(env.events("order.paid", 1).await.len(), 1);
    assert_eq!(env.events("subscription.activated", 1).await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn card_that_must_be_authenticated_starts_the_trial_afterwards() {
    let env = TestEnv::start().await;
    let answer = env.buy("web-annual", ASKS_FOR_3DS).await.unwrap();
    assert_eq!(answer.subscription.unwrap().status, "trialing");
    assert!(
        answer.setup_intent_secret.starts_with("seti_"),
        "{}",
        answer.setup_intent_secret
    );
    assert_eq!(answer.payment_status, "");
    // Until then nothing has begun, and nothing is listed as if it had.
    let waiting = env.subscriptions().await.remove(0);
    assert_eq!((waiting.status.as_str(), waiting.renews), ("incomplete", false));
    assert_eq!(waiting.current_period_end, None);

    env.fake_provider
        .answer_challenge(&answer.setup_intent_secret, "succeeded")
        .await;
    env.advance(TimeDelta::seconds(5)).await;
    assert_eq!(env.events("subscription.activated", 1).await.len(), 1);
    env.until_status("trialing").await;
    env.check_ledger().await;
}

#[tokio::test]
async fn trial_whose_card_is_never_confirmed_does_not_begin_and_is_never_charged() {
    let env = TestEnv::start().await;
    let answer = env.buy("web-annual", ASKS_FOR_3DS).await.unwrap();
    env.fake_provider
        .answer_challenge(&answer.setup_intent_secret, "failed")
        .await;
    let subscription_id = answer.subscription.unwrap().subscription_id;
    let confirmed = confirm(&env, MEMBER, &subscription_id).await.unwrap();
    assert_eq!(confirmed.subscription.unwrap().status, "incomplete");

    env.advance(TimeDelta::hours(22)).await;
    assert_eq!(env.fake_provider.subscriptions().await[0]["status"], "trialing");
    env.advance(TimeDelta::hours(2)).await;
    until(async || env.fake_provider.subscriptions().await[0]["status"] == "canceled").await;
    env.advance(PAST_TRIAL).await;
    env.events("subscription.activated", 0).await;
    assert_eq!(env.charges().await, 0);
    assert_eq!(env.subscriptions().await[0].status, "incomplete");

    // Another card begins it.
    let again = env.buy("web-annual", APPROVED).await.unwrap();
    assert_eq!(again.subscription.unwrap().status, "trialing");
    env.check_ledger().await;
}

#[tokio::test]
async fn trial_whose_charge_fails_is_past_due() {
    let env = TestEnv::start().await;
    env.buy("web-annual", DECLINED_WHEN_CHARGED).await.unwrap();
    env.until_idle().await;
    env.advance(PAST_TRIAL).await;
    env.until_status("past_due").await;
    assert_eq!(
        env.events("subscription.payment_failed", 1).await[0].data["code"],
        "card_declined"
    );
    env.check_ledger().await;
}

#[tokio::test]
async fn canceled_trial_runs_to_its_end_and_stays_listed() {
    let env = TestEnv::start().await;
    env.buy("web-annual", APPROVED).await.unwrap();
    env.until_idle().await;
    request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
    let leaving = env.subscriptions().await.remove(0);
    assert_eq!((leaving.status.as_str(), leaving.trial_days), ("trialing", 7));
    assert_eq!(leaving.cancel_at, leaving.current_period_end);
    assert_eq!(leaving.available_actions, ["keep", "card"]);
    assert!(!leaving.renews);
    let kept = request_change(&env, Change::Reactivate(Reactivate {}))
        .await
        .unwrap();
    assert_eq!(kept.cancel_at, None);
    request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
    env.until_idle().await;

    env.advance(PAST_TRIAL).await;
    env.until_status("canceled").await;
    let emitted = env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "requested");
    let over = env.subscriptions().await.remove(0);
    assert_eq!(over.subscription_id, leaving.subscription_id);
    assert!(
        over.available_actions.is_empty() && over.receipts.is_empty(),
        "{over:?}"
    );
    assert_eq!(env.charges().await, 0);
    env.events("order.paid", 0).await;

    // It stays listed beside the next purchase.
    env.buy("web-monthly", APPROVED).await.unwrap();
    let listed = env.subscriptions().await;
    let statuses: Vec<&str> = listed.iter().map(|one| one.status.as_str()).collect();
    assert_eq!(statuses, ["active", "canceled"]);
    env.check_ledger().await;
}

#[tokio::test]
async fn trial_that_is_never_paid_is_seen_as_ended() {
    let env = TestEnv::start().await;
    env.buy("web-annual", DECLINED_WHEN_CHARGED).await.unwrap();
    env.until_idle().await;
    env.advance(PAST_TRIAL).await;
    env.until_status("past_due").await;
    env.until_auto_advance_disabled().await;
    env.advance(TimeDelta::days(15)).await;
    env.until_status("canceled").await;
    let emitted = env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "unpaid");
    let over = env.subscriptions().await.remove(0);
    assert_eq!((over.overdue, over.cancel_at), (None, None));
    assert_eq!(env.charges().await, 0);
    env.check_ledger().await;
}

#[tokio::test]
async fn next_period_is_fetched_from_the_provider() {
    let env = TestEnv::start().await;
    let first = env
        .buy("web-monthly", APPROVED)
        .await
        .unwrap()
        .subscription
        .unwrap()
        .current_period_end
        .unwrap();
    env.until_idle().await;
    env.advance(TimeDelta::days(32)).await;
    let moved = tokio::time::timeout(std::time::Duration::from_mins(1), async {
        while env.subscriptions().await[0].current_period_end.unwrap().seconds <= first.seconds {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    moved.await.unwrap();
}
