use axum::http::StatusCode;
use chrono::TimeDelta;
use hmac::{Hmac, KeyInit, Mac};
use kit::clock::Clock;
use sandbox::{
    Action, Fault, Options,
    stripe::{self, Webhook},
};
use sha2::Sha256;

use crate::support::{Fixture, WebhookReceiver, deliveries_done, start_time};

async fn fixture_with(receiver: &WebhookReceiver) -> Fixture {
    world_telling(receiver, "*").await
}

async fn world_telling(receiver: &WebhookReceiver, event: &str) -> Fixture {
    Fixture::with(Options {
        clock: Clock::manual(start_time()),
        stripe: stripe::Settings {
            webhook: Some(webhook(receiver, event)),
            ..stripe::Settings::default()
        },
        ..Options::default()
    })
    .await
}

fn webhook(receiver: &WebhookReceiver, event: &str) -> Webhook {
    Webhook {
        url: receiver.url.clone(),
        secret: "whsec_test".into(),
        events: vec![event.into()],
    }
}

fn signature(secret: &str, signed_at: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{signed_at}.").as_bytes());
    mac.update(body);
    format!("t={signed_at},v1={}", hex::encode(mac.finalize().into_bytes()))
}

#[tokio::test]
async fn every_event_arrives_signed_with_the_virtual_time() {
    let receiver = WebhookReceiver::open().await;
    let fixture = fixture_with(&receiver).await;
    fixture.subscribe("4242424242424242", &[]).await.ok();
    let webhooks = receiver
        .wait_for(|received| received.iter().any(|one| one.kind() == "invoice.paid"))
        .await;
    for one in &webhooks {
        assert_eq!(
            one.signature,
            signature("whsec_test", start_time().timestamp(), &one.body)
        );
        assert_eq!(one.event()["api_version"], "2026-10-28.endive");
    }
    let stored = fixture.events().await;
    receiver.wait_for(|received| received.len() == stored.len()).await;
}

#[tokio::test]
async fn what_is_not_accepted_is_tried_again_for_days() {
    let receiver = WebhookReceiver::open().await;
    receiver.answer_with(StatusCode::SERVICE_UNAVAILABLE);
    let fixture = fixture_with(&receiver).await;
    fixture.customer().await;
    receiver.wait_for(|received| received.len() == 1).await;
    for (minutes, tries) in [(1, 2), (1, 3), (6, 4), (31, 5)] {
        fixture
            .sandbox
            .advance(TimeDelta::minutes(minutes))
            .await
            .unwrap();
        receiver.wait_for(|received| received.len() >= tries).await;
    }
    receiver.answer_with(StatusCode::OK);
    fixture.days(1).await;
    let webhooks = receiver.wait_for(|received| received.len() >= 6).await;
    assert_eq!(webhooks[0].event()["id"], webhooks[5].event()["id"]);
    assert_ne!(webhooks[0].signature, webhooks[5].signature);
    fixture.days(4).await;
    deliveries_done(&fixture.sandbox).await;
    assert_eq!(receiver.received().len(), 6);
}

#[tokio::test]
async fn a_webhook_can_be_held_duplicated_and_reordered() {
    let receiver = WebhookReceiver::open().await;
    let fixture = fixture_with(&receiver).await;
    let faults = fixture.sandbox.faults();
    let hold = faults.add(Fault::on_event(
        "customer.created",
        Action::HoldWebhook { for_secs: None },
    ));
    faults.add(Fault::on_event(
        "product.created",
        Action::DuplicateWebhook { copies: 19 },
    ));
    fixture.customer().await;
    fixture.price().await;
    let webhooks = receiver.wait_for(|received| received.len() == 21).await;
    assert_eq!(
        webhooks
            .iter()
            .filter(|one| one.kind() == "product.created")
            .count(),
        20
    );
    assert!(!receiver.kinds().contains(&"customer.created".to_owned()));
    faults.remove(hold);
    receiver
        .wait_for(|received| received.iter().any(|one| one.kind() == "customer.created"))
        .await;

    faults.add(Fault::on_event("product.created", Action::ReorderWebhook {}));
    let before = receiver.received().len();
    fixture.price().await;
    let webhooks = receiver.wait_for(|received| received.len() == before + 2).await;
    let last: Vec<_> = webhooks[before..]
        .iter()
        .map(crate::support::ReceivedWebhook::kind)
        .collect();
    assert_eq!(last, ["price.created", "product.created"]);
}

#[tokio::test]
async fn endpoints_can_be_made_by_the_api_and_hear_what_they_asked_for() {
    let receiver = WebhookReceiver::open().await;
    let fixture = Fixture::start().await;
    let form = [
        ("url", receiver.url.as_str()),
        ("enabled_events[]", "price.created"),
    ];
    let endpoint = fixture.stripe.post("/v1/webhook_endpoints", &form).await.ok();
    let secret = endpoint["secret"].as_str().unwrap().to_owned();
    fixture.price().await;
    let webhooks = receiver.wait_for(|received| !received.is_empty()).await;
    assert_eq!(receiver.kinds(), ["price.created"]);
    assert_eq!(
        webhooks[0].signature,
        signature(&secret, start_time().timestamp(), &webhooks[0].body)
    );

    let path = format!("/v1/webhook_endpoints/{}", endpoint["id"].as_str().unwrap());
    let read = fixture.stripe.get(&path).await.ok();
    assert!(read.get("secret").is_none());
    fixture.stripe.delete(&path).await.ok();
    fixture.price().await;
    deliveries_done(&fixture.sandbox).await;
    assert_eq!(receiver.received().len(), 1);
}

#[tokio::test]
async fn events_that_were_not_asked_for_are_not_sent() {
    let receiver = WebhookReceiver::open().await;
    let fixture = world_telling(&receiver, "invoice.paid").await;
    fixture.subscribe("4242424242424242", &[]).await.ok();
    fixture.subscribe("4242424242424242", &[]).await.ok();
    let webhooks = receiver.wait_for(|received| received.len() == 2).await;
    assert!(webhooks.iter().all(|one| one.kind() == "invoice.paid"));
}

#[tokio::test]
async fn a_clock_moved_from_outside_is_noticed() {
    let receiver = WebhookReceiver::open().await;
    let clock = Clock::manual(start_time());
    let fixture = Fixture::with(Options {
        clock: clock.clone(),
        stripe: stripe::Settings {
            webhook: Some(webhook(&receiver, "*")),
            ..stripe::Settings::default()
        },
        ..Options::default()
    })
    .await;
    fixture
        .subscribe("4242424242424242", &[("trial_period_days", "7")])
        .await
        .ok();
    clock.advance(TimeDelta::days(8));
    receiver
        .wait_for(|received| received.iter().any(|one| one.kind() == "charge.succeeded"))
        .await;
}
