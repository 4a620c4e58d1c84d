use chrono::TimeDelta;
use futures::future::join_all;
use hmac::{Hmac, KeyInit, Mac};
use kit::error::{Failure, Kind};
use proto::checkout::v1::{Provider, ReceiveWebhookRequest};
use sandbox::Action;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::twin::{APPROVED, ASKS_FOR_3DS};
use crate::world::World;

const SECRET: &str = "whsec_stillpoint";

fn signed(world: &World, secret: &str, event: &Value) -> ReceiveWebhookRequest {
    let body = event.to_string();
    let at = world.host.clock().now().timestamp();
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let signature = hex::encode(mac.chain_update(format!("{at}.{body}")).finalize().into_bytes());
    ReceiveWebhookRequest {
        provider: Provider::Stripe.into(),
        body: body.into_bytes(),
        signature: format!("t={at},v1={signature}"),
        ..Default::default()
    }
}

async fn receive(world: &World, request: ReceiveWebhookRequest) -> Result<bool, Failure> {
    let answered = world.checkout.clone().receive_webhook(request).await;
    answered
        .map(|answer| answer.into_inner().duplicate)
        .map_err(|status| Failure::from_status(&status))
}

/// A subscription whose 3-D Secure was passed and of which only Stripe knows, with the events Stripe has for it.
async fn authenticated(world: &World) -> Vec<Value> {
    let asked = world.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    world
        .twin
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    world.twin.events().await
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
        let world = World::start().await;
        let event = of_kind(&authenticated(&world).await, kind);
        assert!(!receive(&world, signed(&world, SECRET, &event)).await.unwrap());
        assert_eq!(world.subscriptions().await[0].status, "active", "{kind}");
        world.check_books().await;
    }
}

#[tokio::test]
async fn forged_and_stale_webhooks_change_nothing() {
    let world = World::start().await;
    let event = of_kind(&authenticated(&world).await, "invoice.paid");
    let forged = signed(&world, "whsec_somebody_else", &event);
    let stale = signed(&world, SECRET, &event);
    world.host.clock().advance(TimeDelta::seconds(301));
    let mut tampered = signed(&world, SECRET, &event);
    tampered.body.push(b' ');

    for request in [forged, stale, tampered] {
        let failure = receive(&world, request).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (Kind::Invalid, "BAD_SIGNATURE")
        );
    }
    let stored: i64 = sqlx::query_scalar("select count(*) from webhook_event")
        .fetch_one(&world.pool().await)
        .await
        .unwrap();
    assert_eq!(stored, 0);
}

#[tokio::test]
async fn replayed_webhook_is_a_duplicate() {
    let world = World::start().await;
    let event = of_kind(&authenticated(&world).await, "invoice.paid");
    assert!(!receive(&world, signed(&world, SECRET, &event)).await.unwrap());
    assert!(receive(&world, signed(&world, SECRET, &event)).await.unwrap());
    assert_eq!(world.events("order.paid", 1).await.len(), 1);
    world.check_books().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn same_webhook_twenty_times_at_once_settles_once() {
    let world = World::start().await;
    let event = of_kind(&authenticated(&world).await, "invoice.paid");
    let request = signed(&world, SECRET, &event);
    let answers = join_all((0..20).map(|_| receive(&world, request.clone()))).await;
    let first = answers
        .into_iter()
        .filter(|answer| !answer.as_ref().unwrap())
        .count();
    assert_eq!(first, 1);
    world.until_status("active").await;
    assert_eq!(world.events("order.paid", 1).await.len(), 1);
    world.check_books().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn webhooks_in_any_order_come_to_the_same() {
    let world = World::start().await;
    let mut events = authenticated(&world).await;
    events.reverse();
    for event in &events {
        receive(&world, signed(&world, SECRET, event)).await.unwrap();
    }
    assert_eq!(world.subscriptions().await[0].status, "active");
    assert_eq!(world.events("subscription.activated", 1).await.len(), 1);

    let world = World::start().await;
    let events = authenticated(&world).await;
    let answers = join_all(
        events
            .iter()
            .map(|event| receive(&world, signed(&world, SECRET, event))),
    )
    .await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    world.until_status("active").await;
    world.check_books().await;
}

#[tokio::test]
async fn webhook_overtaking_the_lost_answer_finds_its_payment() {
    let world = World::start().await;
    world
        .twin
        .sabotage("POST", "subscriptions", Action::DropAfterCommit {});
    assert_eq!(
        world.buy("web-monthly", APPROVED).await.unwrap().payment_status,
        "processing"
    );
    let event = of_kind(&world.twin.events().await, "customer.subscription.created");
    receive(&world, signed(&world, SECRET, &event)).await.unwrap();
    assert_eq!(world.subscriptions().await[0].status, "active");
    world.check_books().await;
}

#[tokio::test]
async fn webhook_is_followed_up_later_when_the_provider_is_down() {
    let world = World::start().await;
    let event = of_kind(&authenticated(&world).await, "invoice.paid");
    world.twin.sabotage(
        "GET",
        "subscriptions/*",
        Action::Error {
            status: 503,
            body: None,
            stored: None,
        },
    );
    receive(&world, signed(&world, SECRET, &event)).await.unwrap();
    world.until_status("active").await;
    world.check_books().await;
}

#[tokio::test]
async fn unknown_kinds_and_foreign_subscriptions_are_accepted_and_ignored() {
    let world = World::start().await;
    for object in [
        json!({ "object": "moon_landing", "id": "moon_1" }),
        json!({ "object": "subscription", "id": "sub_of_somebody_else" }),
    ] {
        let event = json!({ "id": format!("evt_{}", object["object"]), "type": "what.ever", "data": { "object": object } });
        assert!(!receive(&world, signed(&world, SECRET, &event)).await.unwrap());
    }
    assert!(world.subscriptions().await.is_empty());
}
