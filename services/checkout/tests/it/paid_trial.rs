//! A trial that costs something: paid by itself, and the subscription begins with it.

use chrono::TimeDelta;
use proto::checkout::v1::CreateIntentRequest;
use proto::checkout::v1::create_intent_request::Purpose;
use serde_json::json;

use crate::intents::{deliver_all, open, pay, wanted};
use crate::twin::{APPROVED, ASKS_FOR_3DS};
use crate::world::World;

const PAST_TRIAL: TimeDelta = TimeDelta::seconds(7 * 86_400 + 120);

/// What the page sends of the campaign's trial.
pub async fn trial(world: &World) -> CreateIntentRequest {
    let shown = world.resolve("paid-trial", "", "tr").await.unwrap();
    let [fee] = &shown.trial_prices[..] else {
        panic!("{shown:?}");
    };
    CreateIntentRequest {
        price_id: fee.price_id.clone(),
        starts_price_id: shown.offer.unwrap().price_id,
        quote: shown.quote,
        ..wanted(world, Purpose::Trial, "paid-trial").await
    }
}

pub async fn charged(world: &World) -> Vec<i64> {
    let charges = world.twin.captured_charges().await;
    let mut amounts: Vec<i64> = charges
        .iter()
        .map(|charge| charge["amount_captured"].as_i64().unwrap())
        .collect();
    amounts.sort_unstable();
    amounts
}

#[tokio::test]
async fn trial_is_paid_now_and_the_subscription_when_it_is_over() {
    let world = World::start().await;
    pay(&world, &trial(&world).await, APPROVED).await;
    deliver_all(&world).await;
    world.until_status("trialing").await;
    assert_eq!(charged(&world).await, [2_999]);
    let paid = world.events("order.paid", 1).await;
    assert_eq!(paid[0].data["kind"], "trial");
    let activated = world.events("subscription.activated", 1).await;
    assert_eq!(activated[0].data["trialDays"], 7);
    let intent = &world.twin.list("payment_intents?limit=100").await[0];
    assert_eq!(intent["setup_future_usage"], json!("off_session"));

    world.advance(PAST_TRIAL).await;
    world.until_status("active").await;
    assert_eq!(charged(&world).await, [2_999, 99_999]);
    world.events("order.paid", 2).await;
    world.check_books().await;
}

#[tokio::test]
async fn bank_is_asked_once_for_the_trial_and_never_for_what_follows() {
    let world = World::start().await;
    let opened = pay(&world, &trial(&world).await, ASKS_FOR_3DS).await;
    world
        .twin
        .answer_challenge(&opened.client_secret, "succeeded")
        .await;
    deliver_all(&world).await;
    world.until_status("trialing").await;
    // What was paid for is had at once.
    world.events("subscription.activated", 1).await;
    world.advance(PAST_TRIAL).await;
    world.until_status("active").await;
    assert_eq!(charged(&world).await, [2_999, 99_999]);
    world.check_books().await;
}

#[tokio::test]
async fn trial_that_costs_something_is_not_had_for_nothing() {
    let world = World::start().await;
    let free = world.buy("paid-trial", APPROVED).await.unwrap_err();
    assert_eq!(free.code, "TRIAL_NOT_PAID");

    // Nor with a fee of another plan, or no fee at all.
    let request = trial(&world).await;
    let annual = world.offer("web-annual", "", "tr").await.price_id;
    for (price_id, starts, quote) in [
        (request.price_id.clone(), annual.clone(), ""),
        (annual, request.starts_price_id.clone(), ""),
        (
            request.starts_price_id.clone(),
            request.starts_price_id.clone(),
            "",
        ),
    ] {
        let lie = CreateIntentRequest {
            price_id,
            starts_price_id: starts,
            quote: quote.into(),
            ..request.clone()
        };
        assert_eq!(open(&world, &lie).await.unwrap_err().code, "UNKNOWN_PRICE");
    }
    assert!(world.twin.list("payment_intents?limit=100").await.is_empty());
}

#[tokio::test]
async fn whoever_has_the_product_pays_for_no_trial_of_it() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    let refused = open(&world, &trial(&world).await).await.unwrap_err();
    assert_eq!(refused.code, "ALREADY_SUBSCRIBED");
}

#[tokio::test]
async fn trial_paid_beside_a_subscription_goes_back() {
    let world = World::start().await;
    let request = trial(&world).await;
    let opened = open(&world, &request).await.unwrap();
    // In another tab they subscribe to something else of it, then the first page pays.
    world.buy("web-monthly", APPROVED).await.unwrap();
    let card = world.twin.card(APPROVED).await;
    world.twin.confirm_in_browser(&opened.client_secret, &card).await;
    deliver_all(&world).await;

    let refunded = world.events("refund.succeeded", 1).await;
    assert_eq!(refunded[0].data["reason"], "surplus");
    assert_eq!(refunded[0].data["amount"]["amountMinor"], "2999");
    assert_eq!(world.subscriptions().await.len(), 1);
    world.events("order.paid", 1).await;
}
