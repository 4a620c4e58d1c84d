use std::time::Duration;

use chrono::TimeDelta;
use sandbox::Action;

use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::test_env::TestEnv;

const LATER: TimeDelta = TimeDelta::minutes(5);

/// The buyer gets "processing", and the outcome is resolved within a minute.
async fn check_settled_later(path: &str, action: Action) {
    let env = TestEnv::start().await;
    env.fake_provider.inject_fault("POST", path, action);
    let answer = env.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(answer.payment_status, "processing");
    assert_eq!(answer.subscription.unwrap().status, "incomplete");

    env.advance(TimeDelta::minutes(1)).await;
    env.until_status("active").await;
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    assert_eq!(env.events("order.paid", 1).await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn answer_lost_after_the_charge_charges_once() {
    check_settled_later("subscriptions", Action::DropAfterCommit {}).await;
}

#[tokio::test]
async fn request_lost_on_the_way_is_sent_again() {
    check_settled_later("subscriptions", Action::DropBefore {}).await;
}

#[tokio::test]
async fn customer_with_a_lost_answer_is_created_once() {
    check_settled_later("customers", Action::DropAfterCommit {}).await;
}

#[tokio::test]
async fn card_whose_answer_was_lost_is_attached_again() {
    check_settled_later("payment_methods/*/attach", Action::DropAfterCommit {}).await;
}

#[tokio::test]
async fn uncached_failure_is_retried() {
    check_settled_later(
        "subscriptions",
        Action::Error {
            status: 500,
            body: None,
            stored: Some(false),
        },
    )
    .await;
}

#[tokio::test]
async fn failure_cached_by_stripe_ends_when_its_keys_expire() {
    let env = TestEnv::start().await;
    env.fake_provider.inject_fault(
        "POST",
        "subscriptions",
        Action::Error {
            status: 500,
            body: None,
            stored: None,
        },
    );
    let card = env.fake_provider.card(APPROVED).await;
    let submit = env.submit("web-monthly", &card).await;
    assert_eq!(
        env.pay(submit.clone()).await.unwrap().payment_status,
        "processing"
    );

    env.advance(LATER).await;
    env.advance(TimeDelta::hours(25)).await;
    let until_free = async {
        while env.pay(submit.clone()).await.unwrap().payment_status != "succeeded" {
            env.advance(LATER).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), until_free)
        .await
        .unwrap();
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn slow_provider_is_answered_for_and_settled() {
    let env = TestEnv::start_with([("CHECKOUT_RESPONSE_BUDGET_MS", "200")]).await;
    env.fake_provider
        .inject_fault("POST", "subscriptions", Action::DelayAfterCommit { ms: 1000 });
    let answer = env.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(answer.payment_status, "processing");
    env.until_status("active").await;
    env.check_ledger().await;
}

#[tokio::test]
async fn authentication_without_a_webhook_is_found() {
    let env = TestEnv::start().await;
    let asked = env.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    env.fake_provider
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    env.advance(LATER).await;
    env.until_status("active").await;
    env.check_ledger().await;
}

#[tokio::test]
async fn missing_authentication_expires_and_the_card_is_usable_again() {
    let env = TestEnv::start().await;
    let card = env.fake_provider.card(ASKS_FOR_3DS).await;
    let submit = env.submit("web-monthly", &card).await;
    let first = env.pay(submit.clone()).await.unwrap();
    env.advance(TimeDelta::hours(24)).await;
    let again = async {
        loop {
            let answer = env.pay(submit.clone()).await.unwrap();
            if answer.client_secret != first.client_secret {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let again = tokio::time::timeout(Duration::from_mins(1), again).await.unwrap();
    assert_eq!(again.payment_status, "requires_action");
    env.check_ledger().await;
}

/// A settlement locks the order, then its payment, then its subscription: the reconciler must not lock
/// in the reverse order.
#[tokio::test]
async fn locked_order_is_skipped_by_the_reconciler() {
    let env = TestEnv::start_with([("CHECKOUT_RESPONSE_BUDGET_MS", "200")]).await;
    let slow = Action::DelayAfterCommit { ms: 2500 };
    env.fake_provider.inject_fault("POST", "subscriptions", slow);
    env.buy("web-monthly", APPROVED).await.unwrap();

    let pool = env.pool().await;
    let mut settling = kit::database::begin(&pool).await.unwrap();
    let locked = "with held as (select order_id from orders for update)
        update payment set created_at = created_at from held where payment.order_id = held.order_id and state = 'intended'";
    let locked = sqlx::query(locked).execute(&mut *settling).await.unwrap();
    assert_eq!(locked.rows_affected(), 1);
    // Makes it due.
    env.advance(LATER).await;
    // A round that waited for this transaction would not end.
    env.host.rounds("reconcile-payments", 10).await;
    // The reconciler can hold the subscription briefly; waiting for the order meanwhile would deadlock here.
    let at_once = sqlx::query("set local deadlock_timeout = '50ms'");
    at_once.execute(&mut *settling).await.unwrap();
    let subscription = sqlx::query("select from subscription for update");
    subscription.execute(&mut *settling).await.unwrap();
    settling.commit().await.unwrap();
    env.until_status("active").await;
    env.check_ledger().await;
}
