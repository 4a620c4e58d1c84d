use axum::http::StatusCode;
use chrono::TimeDelta;
use hmac::{Hmac, KeyInit, Mac};
use kit::clock::Clock;
use sandbox::{Action, Fault, Options, Webhook};
use sha2::Sha256;

use crate::support::{Ear, World, noon};

async fn world_with(ear: &Ear) -> World {
    world_telling(ear, "*").await
}

async fn world_telling(ear: &Ear, event: &str) -> World {
    World::with(Options {
        clock: Clock::manual(noon()),
        webhook: Some(webhook(ear, event)),
        ..Options::default()
    })
    .await
}

fn webhook(ear: &Ear, event: &str) -> Webhook {
    Webhook {
        url: ear.url.clone(),
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
    let ear = Ear::open().await;
    let world = world_with(&ear).await;
    world.subscribe("4242424242424242", &[]).await.ok();
    let heard = ear
        .wait_for(|heard| heard.iter().any(|one| one.kind() == "invoice.paid"))
        .await;
    for one in &heard {
        assert_eq!(
            one.signature,
            signature("whsec_test", noon().timestamp(), &one.body)
        );
        assert_eq!(one.event()["api_version"], "2026-10-28.endive");
    }
    let stored = world.events().await;
    ear.wait_for(|heard| heard.len() == stored.len()).await;
}

#[tokio::test]
async fn what_is_not_accepted_is_tried_again_for_days() {
    let ear = Ear::open().await;
    ear.answer_with(StatusCode::SERVICE_UNAVAILABLE);
    let world = world_with(&ear).await;
    world.customer().await;
    ear.wait_for(|heard| heard.len() == 1).await;
    for (minutes, tries) in [(1, 2), (1, 3), (6, 4), (31, 5)] {
        world.sandbox.advance(TimeDelta::minutes(minutes)).await.unwrap();
        ear.wait_for(|heard| heard.len() >= tries).await;
    }
    ear.answer_with(StatusCode::OK);
    world.days(1).await;
    let heard = ear.wait_for(|heard| heard.len() >= 6).await;
    assert_eq!(heard[0].event()["id"], heard[5].event()["id"]);
    assert_ne!(heard[0].signature, heard[5].signature);
    world.days(4).await;
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(ear.heard().len(), 6);
}

#[tokio::test]
async fn a_webhook_can_be_held_repeated_and_overtaken() {
    let ear = Ear::open().await;
    let world = world_with(&ear).await;
    let faults = world.sandbox.faults();
    let hold = faults.add(Fault::on_event(
        "customer.created",
        Action::HoldWebhook { for_secs: None },
    ));
    faults.add(Fault::on_event(
        "product.created",
        Action::DuplicateWebhook { copies: 19 },
    ));
    world.customer().await;
    world.price().await;
    let heard = ear.wait_for(|heard| heard.len() == 21).await;
    assert_eq!(
        heard.iter().filter(|one| one.kind() == "product.created").count(),
        20
    );
    assert!(!ear.kinds().contains(&"customer.created".to_owned()));
    faults.remove(hold);
    ear.wait_for(|heard| heard.iter().any(|one| one.kind() == "customer.created"))
        .await;

    faults.add(Fault::on_event("product.created", Action::ReorderWebhook {}));
    let before = ear.heard().len();
    world.price().await;
    let heard = ear.wait_for(|heard| heard.len() == before + 2).await;
    let last: Vec<_> = heard[before..].iter().map(crate::support::Heard::kind).collect();
    assert_eq!(last, ["price.created", "product.created"]);
}

#[tokio::test]
async fn endpoints_can_be_made_by_the_api_and_hear_what_they_asked_for() {
    let ear = Ear::open().await;
    let world = World::start().await;
    let form = [("url", ear.url.as_str()), ("enabled_events[]", "price.created")];
    let endpoint = world.stripe.post("/v1/webhook_endpoints", &form).await.ok();
    let secret = endpoint["secret"].as_str().unwrap().to_owned();
    world.price().await;
    let heard = ear.wait_for(|heard| !heard.is_empty()).await;
    assert_eq!(ear.kinds(), ["price.created"]);
    assert_eq!(
        heard[0].signature,
        signature(&secret, noon().timestamp(), &heard[0].body)
    );

    let path = format!("/v1/webhook_endpoints/{}", endpoint["id"].as_str().unwrap());
    let read = world.stripe.get(&path).await.ok();
    assert!(read.get("secret").is_none());
    world.stripe.delete(&path).await.ok();
    world.price().await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(ear.heard().len(), 1);
}

#[tokio::test]
async fn events_that_were_not_asked_for_are_not_sent() {
    let ear = Ear::open().await;
    let world = world_telling(&ear, "invoice.paid").await;
    world.subscribe("4242424242424242", &[]).await.ok();
    world.subscribe("4242424242424242", &[]).await.ok();
    let heard = ear.wait_for(|heard| heard.len() == 2).await;
    assert!(heard.iter().all(|one| one.kind() == "invoice.paid"));
}

#[tokio::test]
async fn a_clock_moved_from_outside_is_noticed() {
    let ear = Ear::open().await;
    let clock = Clock::manual(noon());
    let world = World::with(Options {
        clock: clock.clone(),
        webhook: Some(webhook(&ear, "*")),
        ..Options::default()
    })
    .await;
    world
        .subscribe("4242424242424242", &[("trial_period_days", "7")])
        .await
        .ok();
    clock.advance(TimeDelta::days(8));
    ear.wait_for(|heard| heard.iter().any(|one| one.kind() == "charge.succeeded"))
        .await;
}
