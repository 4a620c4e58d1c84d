//! Lost answers of Stripe for one-time orders: resolved within a minute, charged once.

use chrono::TimeDelta;
use proto::checkout::v1::create_intent_request::Purpose;
use sandbox::Action;

use crate::one_time::create_intent::{deliver_all, open, pay, wanted, wanted_by_guest};
use crate::support::fake_provider::APPROVED;
use crate::support::test_env::TestEnv;

const WITHIN: TimeDelta = TimeDelta::seconds(59);

async fn until_opened(env: &TestEnv) {
    let pool = env.pool().await;
    let reached = tokio::time::timeout(std::time::Duration::from_mins(1), async {
        let known = "select count(*) from payment where provider_intent_id is not null";
        while sqlx::query_scalar::<_, i64>(known)
            .fetch_one(&pool)
            .await
            .unwrap()
            == 0
        {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    assert!(reached.await.is_ok(), "still unknown");
}

/// The buyer gets "processing", repeats the request, and pays the first intent.
async fn check_opened_once(action: Action) {
    let env = TestEnv::start().await;
    let request = wanted(&env, Purpose::OneTime, "live-program").await;
    env.fake_provider.inject_fault("POST", "payment_intents", action);
    let unknown = open(&env, &request).await.unwrap_err();
    assert_eq!(unknown.code, "PROVIDER_UNAVAILABLE");

    env.advance(WITHIN).await;
    until_opened(&env).await;
    pay(&env, &request, APPROVED).await;
    deliver_all(&env).await;
    env.events("order.paid", 1).await;
    assert_eq!(env.fake_provider.list("payment_intents?limit=100").await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn intent_with_a_lost_answer_is_found_and_opened_once() {
    check_opened_once(Action::DropAfterCommit {}).await;
}

#[tokio::test]
async fn request_lost_on_the_way_is_sent_again() {
    check_opened_once(Action::DropBefore {}).await;
}

#[tokio::test]
async fn failure_cached_by_stripe_is_resolved_by_searching_the_intent() {
    let env = TestEnv::start().await;
    let request = wanted_by_guest(&env, Purpose::Gift, "gift-year").await;
    env.fake_provider.inject_fault(
        "POST",
        "payment_intents",
        Action::Error {
            status: 500,
            body: None,
            stored: Some(true),
        },
    );
    open(&env, &request).await.unwrap_err();
    // Nothing was opened: after a day the key is forgotten, and the attempt is given up.
    env.advance(TimeDelta::hours(24)).await;
    let pool = env.pool().await;
    let reached = tokio::time::timeout(std::time::Duration::from_mins(1), async {
        let state = "select state from payment";
        while sqlx::query_scalar::<_, String>(state)
            .fetch_one(&pool)
            .await
            .unwrap()
            != "canceled"
        {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    assert!(reached.await.is_ok());
    assert!(env.fake_provider.captured_charges().await.is_empty());
}
