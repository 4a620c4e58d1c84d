use std::time::Duration;

use chrono::TimeDelta;
use sandbox::Action;
use serde_json::Value;

use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::subscription_probe::{ONE_MINUTE, within};
use crate::support::test_env::{MEMBER, TestEnv};

const LATER: TimeDelta = TimeDelta::minutes(5);

/// The first attempt was presumed closed and was captured after all; another card had paid by then. Returns Stripe's events.
async fn capture_twice(env: &TestEnv) -> Vec<Value> {
    let asked = env.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    think_closed(env).await;
    let bought = env.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(bought.payment_status, "succeeded");
    env.fake_provider
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    assert_eq!(env.fake_provider.captured_charges().await.len(), 2);
    env.fake_provider.events().await
}

async fn think_closed(env: &TestEnv) {
    sqlx::query("update payment set state = 'canceled', client_secret = null")
        .execute(&env.pool().await)
        .await
        .unwrap();
}

async fn is_given_back(env: &TestEnv) -> bool {
    let accounts = env.accounts().await;
    let mut refunds = accounts.iter().flat_map(|account| &account.refunds);
    refunds
        .next()
        .is_some_and(|refund| refund.state.name() == "succeeded")
}

async fn until_given_back(env: &TestEnv) {
    let waiting = async {
        while !is_given_back(env).await {
            tokio::time::sleep(Duration::from_millis(200)).await;
            env.advance(LATER).await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_mins(1), waiting).await;
    assert!(in_time.is_ok(), "{:?}", env.accounts().await);
}

/// One capture pays the order; the other is refunded once and its subscription is terminated.
async fn check_stored_once(env: &TestEnv) {
    let refunds = env.fake_provider.list("refunds?limit=100").await;
    let price = env.accounts().await[0].order.amount.minor;
    assert_eq!(refunds.len(), 1);
    assert_eq!(
        (refunds[0]["amount"].as_i64(), refunds[0]["reason"].as_str()),
        (Some(price), Some("duplicate"))
    );
    assert_eq!(env.subscriptions().await[0].status, "active");
    let mut statuses: Vec<String> = env
        .fake_provider
        .subscriptions()
        .await
        .iter()
        .map(|subscription| subscription["status"].as_str().unwrap().to_owned())
        .collect();
    statuses.sort();
    assert_eq!(statuses, ["active", "canceled"]);

    let events = env.events("refund.succeeded", 1).await;
    assert_eq!(events[0].data["reason"], "excess");
    assert_eq!(events[0].data["userId"], MEMBER);
    assert_eq!(env.events("order.paid", 1).await.len(), 1);
    assert_eq!(env.events("subscription.activated", 1).await.len(), 1);
    let owed: Option<i64> =
        sqlx::query_scalar("select sum(amount_minor)::bigint from ledger_entry where account = 'suspense'")
            .fetch_one(&env.pool().await)
            .await
            .unwrap();
    assert_eq!(owed, Some(0));
    env.check_ledger().await;
}

#[tokio::test]
async fn duplicate_capture_is_refunded_automatically() {
    let env = TestEnv::start().await;
    for event in capture_twice(&env).await {
        env.deliver(&event).await;
    }
    until_given_back(&env).await;
    check_stored_once(&env).await;
}

#[tokio::test]
async fn duplicate_capture_is_refunded_once_in_any_webhook_order() {
    let env = TestEnv::start().await;
    let mut emitted = capture_twice(&env).await;
    emitted.reverse();
    for event in &emitted {
        env.deliver(event).await;
    }
    until_given_back(&env).await;
    // The end of the excess subscription and the refund emit their events too.
    for event in env.fake_provider.events().await {
        env.deliver(&event).await;
    }
    env.advance(LATER).await;
    env.job_rounds(3).await;
    check_stored_once(&env).await;
}

#[tokio::test]
async fn lost_answers_refund_once() {
    for (method, path) in [
        ("POST", "refunds"),
        ("DELETE", "subscriptions/*"),
        ("GET", "refunds*"),
    ] {
        let env = TestEnv::start().await;
        let emitted = capture_twice(&env).await;
        env.fake_provider
            .inject_fault(method, path, Action::DropAfterCommit {});
        for event in emitted {
            env.deliver(&event).await;
        }
        within(&env, ONE_MINUTE, async || is_given_back(&env).await).await;
        assert!(
            env.fake_provider.is_fault_active(),
            "{method} {path} is never called"
        );
        check_stored_once(&env).await;
    }
}

#[tokio::test]
async fn lost_attempt_is_not_repeated_after_another_has_paid() {
    let env = TestEnv::start().await;
    let asked = env.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    think_closed(&env).await;
    env.fake_provider
        .inject_fault("POST", "subscriptions", Action::DropBefore {});
    let lost = env.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(lost.payment_status, "processing");
    env.fake_provider
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    for event in env.fake_provider.events().await {
        env.deliver(&event).await;
    }
    assert_eq!(env.subscriptions().await[0].status, "active");
    for _ in 0..5 {
        env.advance(LATER).await;
        env.job_rounds(2).await;
    }
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    env.check_ledger().await;
}
