use chrono::TimeDelta;
use futures::future::join_all;
use hmac::{Hmac, KeyInit, Mac};
use kit::error::{Failure, Kind};
use proto::checkout::v1::{Provider, ReceiveWebhookRequest};
use sandbox::Action;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::test_env::TestEnv;

const SECRET: &str = "whsec_stillpoint";

fn signed(env: &TestEnv, secret: &str, event: &Value) -> ReceiveWebhookRequest {
    let body = event.to_string();
    let at = env.host.clock().now().timestamp();
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let signature = hex::encode(mac.chain_update(format!("{at}.{body}")).finalize().into_bytes());
    ReceiveWebhookRequest {
        provider: Provider::Stripe.into(),
        body: body.into_bytes(),
        signature: format!("t={at},v1={signature}"),
        ..Default::default()
    }
}

async fn receive(env: &TestEnv, request: ReceiveWebhookRequest) -> Result<bool, Failure> {
    let answered = env.checkout.clone().receive_webhook(request).await;
    answered
        .map(|answer| answer.into_inner().duplicate)
        .map_err(|status| Failure::from_status(&status))
}

/// A subscription that passed 3-D Secure at Stripe before checkout learned of it, with Stripe's events for it.
async fn authenticated(env: &TestEnv) -> Vec<Value> {
    let asked = env.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    env.fake_provider
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    env.fake_provider.events().await
}

fn of_kind(events: &[Value], kind: &str) -> Value {
    events
        .iter()
        .find(|event| event["type"] == kind)
        .unwrap_or_else(|| panic!("no {kind}"))
        .clone()
}

#[tokio::test]
async fn webhook_settles_what_was_waiting() {
    for kind in [
        "customer.subscription.updated",
        "invoice.paid",
        "payment_intent.succeeded",
        "charge.succeeded",
    ] {
        let env = TestEnv::start().await;
        let event = of_kind(&authenticated(&env).await, kind);
        assert!(!receive(&env, signed(&env, SECRET, &event)).await.unwrap());
        assert_eq!(env.subscriptions().await[0].status, "active", "{kind}");
        env.check_ledger().await;
    }
}

#[tokio::test]
async fn forged_and_stale_webhooks_change_nothing() {
    let env = TestEnv::start().await;
    let event = of_kind(&authenticated(&env).await, "invoice.paid");
    let forged = signed(&env, "whsec_another", &event);
    let stale = signed(&env, SECRET, &event);
    env.host.clock().advance(TimeDelta::seconds(301));
    let mut tampered = signed(&env, SECRET, &event);
    tampered.body.push(b' ');

    for request in [forged, stale, tampered] {
        let failure = receive(&env, request).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (Kind::Invalid, "BAD_SIGNATURE")
        );
    }
    let stored: i64 = sqlx::query_scalar("select count(*) from webhook_event")
        .fetch_one(&env.pool().await)
        .await
        .unwrap();
    assert_eq!(stored, 0);
}

#[tokio::test]
async fn replayed_webhook_is_a_duplicate() {
    let env = TestEnv::start().await;
    let event = of_kind(&authenticated(&env).await, "invoice.paid");
    assert!(!receive(&env, signed(&env, SECRET, &event)).await.unwrap());
    assert!(receive(&env, signed(&env, SECRET, &event)).await.unwrap());
    assert_eq!(env.events("order.paid", 1).await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn same_webhook_twenty_times_at_once_settles_once() {
    let env = TestEnv::start().await;
    let event = of_kind(&authenticated(&env).await, "invoice.paid");
    let request = signed(&env, SECRET, &event);
    let answers = join_all((0..20).map(|_| receive(&env, request.clone()))).await;
    let first = answers
        .into_iter()
        .filter(|answer| !answer.as_ref().unwrap())
        .count();
    assert_eq!(first, 1);
    env.until_status("active").await;
    assert_eq!(env.events("order.paid", 1).await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn webhooks_in_any_order_come_to_the_same() {
    let env = TestEnv::start().await;
    let mut events = authenticated(&env).await;
    events.reverse();
    for event in &events {
        receive(&env, signed(&env, SECRET, event)).await.unwrap();
    }
    assert_eq!(env.subscriptions().await[0].status, "active");
    assert_eq!(env.events("subscription.activated", 1).await.len(), 1);

    let env = TestEnv::start().await;
    let events = authenticated(&env).await;
    let answers = join_all(
        events
            .iter()
            .map(|event| receive(&env, signed(&env, SECRET, event))),
    )
    .await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    env.until_status("active").await;
    env.check_ledger().await;
}

#[tokio::test]
async fn webhook_overtaking_the_lost_answer_finds_its_payment() {
    let env = TestEnv::start().await;
    env.fake_provider
        .inject_fault("POST", "subscriptions", Action::DropAfterCommit {});
    assert_eq!(
        env.buy("web-monthly", APPROVED).await.unwrap().payment_status,
        "processing"
    );
    let event = of_kind(&env.fake_provider.events().await, "customer.subscription.created");
    receive(&env, signed(&env, SECRET, &event)).await.unwrap();
    assert_eq!(env.subscriptions().await[0].status, "active");
    env.check_ledger().await;
}

#[tokio::test]
async fn webhook_is_processed_later_when_the_provider_is_down() {
    let env = TestEnv::start().await;
    let event = of_kind(&authenticated(&env).await, "invoice.paid");
    env.fake_provider.inject_fault(
        "GET",
        "subscriptions/*",
        Action::Error {
            status: 503,
            body: None,
            stored: None,
        },
    );
    receive(&env, signed(&env, SECRET, &event)).await.unwrap();
    env.until_status("active").await;
    env.check_ledger().await;
}

#[tokio::test]
async fn unknown_kinds_and_foreign_subscriptions_are_accepted_and_ignored() {
    let env = TestEnv::start().await;
    for object in [
        json!({ "object": "moon_landing", "id": "moon_1" }),
        json!({ "object": "subscription", "id": "sub_of_another" }),
    ] {
        let event = json!({ "id": format!("evt_{}", object["object"]), "type": "what.ever", "data": { "object": object } });
        assert!(!receive(&env, signed(&env, SECRET, &event)).await.unwrap());
    }
    assert!(env.subscriptions().await.is_empty());
}
