//! A provider is disabled in `CHECKOUT_PROVIDERS` while it still has subscriptions and refunds.

use chrono::{DateTime, TimeDelta, Utc};
use kit::error::Failure;
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{Provider, ReceiveWebhookRequest};

use crate::one_time::create_intent::{open, wanted};
use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::until;
use crate::support::test_env::TestEnv;

/// A member's paid subscription, as if PayPal had sold it before it was taken out.
async fn sold_by_paypal(env: &TestEnv) {
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.events("subscription.activated", 1).await;
    sqlx::query("update payment set provider = 'paypal'")
        .execute(&env.pool().await)
        .await
        .unwrap();
}

async fn make_due(env: &TestEnv, statement: &'static str) {
    let changed = sqlx::query(statement).execute(&env.pool().await).await.unwrap();
    assert_eq!(changed.rows_affected(), 1, "{statement}");
}

/// Waits until the next check is a day away. `due` makes it due. A webhook of the sale may arrive meanwhile: it settles the
/// order, or stops the check, which is repeated when its lease ends.
async fn is_left_for_a_day(env: &TestEnv, due: &'static str, next: &'static str) {
    make_due(env, due).await;
    until(async || {
        env.job_rounds(1).await;
        let at: Option<DateTime<Utc>> = sqlx::query_scalar(next)
            .fetch_one(&env.pool().await)
            .await
            .unwrap();
        let Some(at) = at else {
            make_due(env, due).await;
            return false;
        };
        let left = at - env.host.clock().now();
        let is_day = left > TimeDelta::hours(23) && left < TimeDelta::hours(25);
        if !is_day {
            env.advance(TimeDelta::minutes(1)).await;
        }
        is_day
    })
    .await;
    // The ledger names the provider.
    sqlx::query("update payment set provider = 'stripe'")
        .execute(&env.pool().await)
        .await
        .unwrap();
}

#[tokio::test]
async fn subscription_sync_is_postponed_by_a_day() {
    let env = TestEnv::start().await;
    sold_by_paypal(&env).await;
    is_left_for_a_day(
        &env,
        "update billing_state set due_at = '2026-01-01'",
        "select due_at from billing_state",
    )
    .await;
}

#[tokio::test]
async fn unknown_payment_is_postponed_by_a_day() {
    let env = TestEnv::start().await;
    sold_by_paypal(&env).await;
    is_left_for_a_day(
        &env,
        "update orders set next_check_at = '2026-01-01'",
        "select next_check_at from orders",
    )
    .await;
}

#[tokio::test]
async fn unpaid_one_time_order_is_postponed_by_a_day() {
    let env = TestEnv::start().await;
    let request = wanted(&env, Purpose::Payment, "lifetime").await;
    open(&env, &request).await.unwrap();
    make_due(&env, "update payment set provider = 'paypal'").await;
    is_left_for_a_day(
        &env,
        "update orders set next_check_at = '2026-01-01'",
        "select next_check_at from orders",
    )
    .await;
}

#[tokio::test]
async fn refund_reconciliation_is_postponed_by_a_day() {
    let env = TestEnv::start().await;
    sold_by_paypal(&env).await;
    let due = "insert into refund_reconciliation (payment_id, next_check_at) select payment_id, '2026-01-01' from payment
         on conflict (payment_id) do update set next_check_at = excluded.next_check_at";
    is_left_for_a_day(&env, due, "select next_check_at from refund_reconciliation").await;
}

#[tokio::test]
async fn stored_webhook_is_dead_lettered_after_one_attempt() {
    let env = TestEnv::start().await;
    sqlx::query(
        "insert into webhook_event (provider, event_id, kind, body, next_attempt_at, received_at)
         values ('paypal', 'WH-1', 'PAYMENT.SALE.COMPLETED', '{}', '2026-01-01', '2026-01-01')",
    )
    .execute(&env.pool().await)
    .await
    .unwrap();
    let dead_lettered = "select count(*) from webhook_event
        where dead_lettered_at is not null and next_attempt_at is null and attempts = 1 and last_error <> ''";
    until(async || env.count(dead_lettered).await == 1).await;
}

#[tokio::test]
async fn webhooks_of_a_disabled_provider_are_rejected() {
    let env = TestEnv::start().await;
    let request = ReceiveWebhookRequest {
        provider: Provider::Paypal.into(),
        body: b"{}".to_vec(),
        ..Default::default()
    };
    let refused = env.checkout.clone().receive_webhook(request).await.unwrap_err();
    assert_eq!(Failure::from_status(&refused).code, "PROVIDER_NOT_OFFERED");
}
