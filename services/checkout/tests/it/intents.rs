//! What is paid once: opened by us, paid by the page, believed from Stripe alone.

use chrono::TimeDelta;
use kit::error::{Failure, Kind};
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{ConfirmIntentRequest, CreateIntentRequest, CreateIntentResponse, GetGuestRequest};
use serde_json::Value;

use crate::twin::{APPROVED, ASKS_FOR_3DS};
use crate::world::{MEMBER, World};

/// What the page sends of somebody signed in who buys the campaign.
pub async fn wanted(world: &World, purpose: Purpose, campaign: &str) -> CreateIntentRequest {
    CreateIntentRequest {
        purpose: purpose.into(),
        user_id: MEMBER.into(),
        email: "buyer@example.com".into(),
        full_name: "A Buyer".into(),
        price_id: world.offer(campaign, "", "tr").await.price_id,
        source: "live program".into(),
        country: "TR".into(),
        language: "tr".into(),
        ..Default::default()
    }
}

pub async fn wanted_by_guest(world: &World, purpose: Purpose, campaign: &str) -> CreateIntentRequest {
    CreateIntentRequest {
        user_id: String::new(),
        email: String::new(),
        full_name: String::new(),
        ..wanted(world, purpose, campaign).await
    }
}

pub async fn open(world: &World, request: &CreateIntentRequest) -> Result<CreateIntentResponse, Failure> {
    let answered = world.checkout.clone().create_intent(request.clone()).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status))
}

/// Opens it, and the browser pays it with a card of that number.
pub async fn pay(world: &World, request: &CreateIntentRequest, number: &str) -> CreateIntentResponse {
    let opened = open(world, request).await.unwrap();
    assert_eq!(opened.payment_status, "requires_payment_method", "{opened:?}");
    let card = world.twin.card(number).await;
    world.twin.confirm_in_browser(&opened.client_secret, &card).await;
    opened
}

/// Where mails about an order go that was bought without an account.
pub async fn guest_of(world: &World, order_id: &str) -> Result<String, String> {
    let request = GetGuestRequest {
        order_id: order_id.to_owned(),
    };
    let answered = world.checkout.clone().get_guest(request).await;
    answered
        .map(|answer| answer.into_inner().email)
        .map_err(|status| Failure::from_status(&status).code)
}

/// Everything Stripe would tell of it, in that order.
pub async fn deliver_all(world: &World) {
    for event in world.twin.events().await {
        world.deliver(&event).await;
    }
}

async fn refused(world: &World, request: &CreateIntentRequest) -> String {
    open(world, request).await.unwrap_err().code
}

async fn order_state(world: &World, order_id: &str) -> String {
    let uuid = order_id.strip_prefix("ord_").unwrap();
    sqlx::query_scalar("select state from orders where order_id = $1::uuid")
        .bind(uuid)
        .fetch_one(&world.pool().await)
        .await
        .unwrap()
}

async fn intents(world: &World) -> Vec<Value> {
    world.twin.list("payment_intents?limit=100").await
}

#[tokio::test]
async fn guest_pays_once_and_is_known_by_what_they_wrote_beside_the_card() {
    let world = World::start().await;
    let request = wanted_by_guest(&world, Purpose::OneTime, "live-program").await;
    let opened = pay(&world, &request, APPROVED).await;
    deliver_all(&world).await;

    let paid = world.events("order.paid", 1).await;
    let data = &paid[0].data;
    assert_eq!(data["orderId"], opened.order_id);
    assert_eq!(
        (&data["kind"], &data["product"]),
        (&"one_time".into(), &"live-program".into())
    );
    assert_eq!(data["source"], "live program");
    assert_eq!(
        (&data["priceId"], &data["paymentIntentId"], &data["provider"]),
        (
            &request.price_id.as_str().into(),
            &opened.payment_intent_id.as_str().into(),
            &"stripe".into()
        )
    );
    assert_eq!(data["amount"]["amountMinor"], "149900");
    // Nobody whom other services could know.
    assert!(data["userId"].as_str().unwrap_or_default().is_empty());
    let told = world.events("payment_intent.created", 1).await;
    assert_eq!(told[0].data["kind"], "one_time");
    let intent = &intents(&world).await[0];
    assert_eq!(
        (&intent["customer"], &intent["setup_future_usage"]),
        (&Value::Null, &Value::Null)
    );
    world.check_books().await;
}

#[tokio::test]
async fn whoever_says_they_have_paid_has_not() {
    let world = World::start().await;
    let request = wanted(&world, Purpose::Payment, "lifetime").await;
    let opened = open(&world, &request).await.unwrap();
    let confirm = ConfirmIntentRequest {
        user_id: MEMBER.into(),
        payment_intent_id: opened.payment_intent_id.clone(),
    };
    let answer = world.checkout.clone().confirm_intent(confirm.clone()).await;
    assert_eq!(
        answer.unwrap().into_inner().payment_status,
        "requires_payment_method"
    );
    assert_eq!(order_state(&world, &opened.order_id).await, "open");

    let foreign = ConfirmIntentRequest {
        user_id: "usr_other".into(),
        ..confirm.clone()
    };
    let status = world.checkout.clone().confirm_intent(foreign).await.unwrap_err();
    assert_eq!(Failure::from_status(&status).kind, Kind::NotFound);

    let card = world.twin.card(APPROVED).await;
    world.twin.confirm_in_browser(&opened.client_secret, &card).await;
    let answer = world.checkout.clone().confirm_intent(confirm).await;
    assert_eq!(answer.unwrap().into_inner().payment_status, "succeeded");
    assert_eq!(order_state(&world, &opened.order_id).await, "paid");
    // It is theirs for good.
    assert_eq!(refused(&world, &request).await, "ALREADY_OWNED");
    world.check_books().await;
}

#[tokio::test]
async fn asking_again_is_answered_with_what_was_opened_first() {
    let world = World::start().await;
    let request = wanted(&world, Purpose::OneTime, "live-program").await;
    let asked = futures::future::join_all((0..8).map(|_| open(&world, &request))).await;
    let secrets: Vec<String> = asked
        .into_iter()
        .map(|answer| answer.unwrap().client_secret)
        .collect();
    assert!(!secrets[0].is_empty());
    assert!(secrets.iter().all(|secret| *secret == secrets[0]), "{secrets:?}");
    assert_eq!(intents(&world).await.len(), 1);

    pay(&world, &request, APPROVED).await;
    deliver_all(&world).await;
    world.events("order.paid", 1).await;
    // They may want another one.
    let again = open(&world, &request).await.unwrap();
    assert_ne!(again.client_secret, secrets[0]);
    world.check_books().await;
}

#[tokio::test]
async fn guests_share_nothing_but_an_idempotency_key() {
    let world = World::start().await;
    let mut request = wanted_by_guest(&world, Purpose::Gift, "gift-year").await;
    let first = open(&world, &request).await.unwrap();
    let second = open(&world, &request).await.unwrap();
    assert_ne!(first.order_id, second.order_id);

    request.idempotency_key = "the-click".into();
    let clicked = open(&world, &request).await.unwrap();
    assert_eq!(open(&world, &request).await.unwrap(), clicked);
    request.source = "another page".into();
    assert_eq!(refused(&world, &request).await, "IDEMPOTENCY_CONFLICT");
}

#[tokio::test]
async fn call_sells_what_it_is_there_for_at_the_price_of_our_row() {
    let world = World::start().await;
    for (purpose, campaign) in [
        (Purpose::OneTime, "gift-year"),
        (Purpose::OneTime, "web-monthly"),
        (Purpose::Gift, "live-program"),
        (Purpose::Payment, "gift-year"),
        (Purpose::Payment, "web-annual"),
        (Purpose::Addition, "lifetime"),
    ] {
        let request = wanted(&world, purpose, campaign).await;
        assert_eq!(refused(&world, &request).await, "UNKNOWN_PRICE", "{campaign}");
    }
    // For members alone.
    let request = wanted_by_guest(&world, Purpose::Payment, "lifetime").await;
    assert_eq!(open(&world, &request).await.unwrap_err().kind, Kind::Invalid);

    let mut request = wanted(&world, Purpose::Gift, "gift-year").await;
    request.quote = "anything".into();
    assert_eq!(refused(&world, &request).await, "QUOTE_INVALID");
    request.quote.clear();
    open(&world, &request).await.unwrap();
    assert_eq!(intents(&world).await[0]["amount"], 84_999);
}

#[tokio::test]
async fn other_price_closes_what_could_still_be_paid() {
    let world = World::start().await;
    let request = wanted(&world, Purpose::OneTime, "live-program").await;
    let lira = open(&world, &request).await.unwrap();
    let dollars = CreateIntentRequest {
        price_id: world.offer("live-program", "", "en").await.price_id,
        ..request
    };
    let other = open(&world, &dollars).await.unwrap();
    assert_ne!(lira.order_id, other.order_id);
    assert_eq!(order_state(&world, &lira.order_id).await, "abandoned");
    let mut states: Vec<Value> = intents(&world)
        .await
        .iter()
        .map(|pi| pi["status"].clone())
        .collect();
    states.sort_by_key(ToString::to_string);
    assert_eq!(states, ["canceled", "requires_payment_method"]);
}

#[tokio::test]
async fn bank_may_ask_and_events_may_come_in_any_order_and_number() {
    let world = World::start().await;
    let request = wanted(&world, Purpose::OneTime, "live-program").await;
    let opened = pay(&world, &request, ASKS_FOR_3DS).await;
    let before = world.twin.events().await;
    world
        .twin
        .answer_challenge(&opened.client_secret, "succeeded")
        .await;
    for event in world.twin.events().await.iter().rev() {
        world.deliver(event).await;
        world.deliver(event).await;
    }
    for event in before {
        world.deliver(&event).await;
    }
    world.events("order.paid", 1).await;
    world.check_books().await;
}

#[tokio::test]
async fn nobody_tells_and_it_is_found_out_within_a_minute() {
    let world = World::start().await;
    let request = wanted_by_guest(&world, Purpose::Gift, "gift-year").await;
    pay(&world, &request, APPROVED).await;
    world.advance(TimeDelta::seconds(55)).await;
    world.events("order.paid", 1).await;
    world.check_books().await;
}

#[tokio::test]
async fn what_nobody_pays_is_closed_after_a_day() {
    let world = World::start().await;
    let request = wanted_by_guest(&world, Purpose::Gift, "gift-year").await;
    let opened = open(&world, &request).await.unwrap();
    world.advance(TimeDelta::hours(25)).await;
    let reached = tokio::time::timeout(std::time::Duration::from_secs(10), async {
        while order_state(&world, &opened.order_id).await != "abandoned" {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    assert!(reached.await.is_ok());
    assert_eq!(intents(&world).await[0]["status"], "canceled");
}
