//! `CreateIntent`: checkout opens the intent, the page pays it, and only Stripe's answer counts.

use chrono::TimeDelta;
use kit::error::{Failure, Kind};
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{CreateIntentRequest, CreateIntentResponse};
use serde_json::Value;

use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::test_env::{MEMBER, TestEnv};

/// The page's request for a signed-in buyer of the campaign.
pub async fn wanted(env: &TestEnv, purpose: Purpose, campaign: &str) -> CreateIntentRequest {
    CreateIntentRequest {
        purpose: purpose.into(),
        user_id: MEMBER.into(),
        email: "buyer@example.com".into(),
        full_name: "A Buyer".into(),
        price_id: env.offer(campaign, "", "tr").await.price_id,
        source: "live program".into(),
        country: "TR".into(),
        language: "tr".into(),
        ..Default::default()
    }
}

pub async fn wanted_by_guest(env: &TestEnv, purpose: Purpose, campaign: &str) -> CreateIntentRequest {
    CreateIntentRequest {
        user_id: String::new(),
        email: String::new(),
        full_name: String::new(),
        ..wanted(env, purpose, campaign).await
    }
}

pub async fn open(env: &TestEnv, request: &CreateIntentRequest) -> Result<CreateIntentResponse, Failure> {
    let answered = env.checkout.clone().create_intent(request.clone()).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status))
}

/// Opens it, and the browser pays it with a card of that number.
pub async fn pay(env: &TestEnv, request: &CreateIntentRequest, number: &str) -> CreateIntentResponse {
    let opened = open(env, request).await.unwrap();
    assert_eq!(opened.payment_status, "requires_payment_method", "{opened:?}");
    let card = env.fake_provider.card(number).await;
    env.fake_provider
        .confirm_in_browser(&opened.client_secret, &card)
        .await;
    opened
}

/// All webhooks that Stripe would send, in order.
pub async fn deliver_all(env: &TestEnv) {
    for event in env.fake_provider.events().await {
        env.deliver(&event).await;
    }
}

pub async fn refused(env: &TestEnv, request: &CreateIntentRequest) -> String {
    open(env, request).await.unwrap_err().code
}

pub async fn order_state(env: &TestEnv, order_id: &str) -> String {
    let uuid = order_id.strip_prefix("ord_").unwrap();
    sqlx::query_scalar("select state from orders where order_id = $1::uuid")
        .bind(uuid)
        .fetch_one(&env.pool().await)
        .await
        .unwrap()
}

async fn intents(env: &TestEnv) -> Vec<Value> {
    env.fake_provider.list("payment_intents?limit=100").await
}

#[tokio::test]
async fn guest_pays_once_and_has_the_name_from_the_form() {
    let env = TestEnv::start().await;
    let request = wanted_by_guest(&env, Purpose::OneTime, "live-program").await;
    let opened = pay(&env, &request, APPROVED).await;
    deliver_all(&env).await;

    let paid = env.events("order.paid", 1).await;
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
    // Guests have ids that no other service has.
    assert!(data["userId"].as_str().unwrap_or_default().is_empty());
    let emitted = env.events("payment_intent.created", 1).await;
    assert_eq!(emitted[0].data["kind"], "one_time");
    let intent = &intents(&env).await[0];
    assert_eq!(
        (&intent["customer"], &intent["setup_future_usage"]),
        (&Value::Null, &Value::Null)
    );
    env.check_ledger().await;
}

#[tokio::test]
async fn repeated_request_returns_the_open_intent() {
    let env = TestEnv::start().await;
    let request = wanted(&env, Purpose::OneTime, "live-program").await;
    let asked = futures::future::join_all((0..8).map(|_| open(&env, &request))).await;
    let secrets: Vec<String> = asked
        .into_iter()
        .map(|answer| answer.unwrap().client_secret)
        .collect();
    assert!(!secrets[0].is_empty());
    assert!(secrets.iter().all(|secret| *secret == secrets[0]), "{secrets:?}");
    assert_eq!(intents(&env).await.len(), 1);

    pay(&env, &request, APPROVED).await;
    deliver_all(&env).await;
    env.events("order.paid", 1).await;
    // They may want another one.
    let again = open(&env, &request).await.unwrap();
    assert_ne!(again.client_secret, secrets[0]);
    env.check_ledger().await;
}

#[tokio::test]
async fn guests_share_nothing_but_an_idempotency_key() {
    let env = TestEnv::start().await;
    let mut request = wanted_by_guest(&env, Purpose::Gift, "gift-year").await;
    let first = open(&env, &request).await.unwrap();
    let second = open(&env, &request).await.unwrap();
    assert_ne!(first.order_id, second.order_id);

    request.idempotency_key = "the-click".into();
    let clicked = open(&env, &request).await.unwrap();
    assert_eq!(open(&env, &request).await.unwrap(), clicked);
    request.source = "another page".into();
    assert_eq!(refused(&env, &request).await, "IDEMPOTENCY_CONFLICT");
}

#[tokio::test]
async fn each_sales_channel_sells_its_own_kind_at_the_stored_price() {
    let env = TestEnv::start().await;
    for (purpose, campaign) in [
        (Purpose::OneTime, "gift-year"),
        (Purpose::OneTime, "web-monthly"),
        (Purpose::Gift, "live-program"),
        (Purpose::Payment, "gift-year"),
        (Purpose::Payment, "web-annual"),
        (Purpose::Addition, "lifetime"),
    ] {
        let request = wanted(&env, purpose, campaign).await;
        assert_eq!(refused(&env, &request).await, "UNKNOWN_PRICE", "{campaign}");
    }
    // For members alone.
    let request = wanted_by_guest(&env, Purpose::Payment, "lifetime").await;
    assert_eq!(open(&env, &request).await.unwrap_err().kind, Kind::Invalid);

    let mut request = wanted(&env, Purpose::Gift, "gift-year").await;
    request.quote = "anything".into();
    assert_eq!(refused(&env, &request).await, "QUOTE_INVALID");
    request.quote.clear();
    open(&env, &request).await.unwrap();
    assert_eq!(intents(&env).await[0]["amount"], 84_999);
}

#[tokio::test]
async fn other_price_closes_the_open_intent() {
    let env = TestEnv::start().await;
    let request = wanted(&env, Purpose::OneTime, "live-program").await;
    let lira = open(&env, &request).await.unwrap();
    let dollars = CreateIntentRequest {
        price_id: env.offer("live-program", "", "en").await.price_id,
        ..request
    };
    let other = open(&env, &dollars).await.unwrap();
    assert_ne!(lira.order_id, other.order_id);
    assert_eq!(order_state(&env, &lira.order_id).await, "abandoned");
    let mut states: Vec<Value> = intents(&env)
        .await
        .iter()
        .map(|pi| pi["status"].clone())
        .collect();
    states.sort_by_key(ToString::to_string);
    assert_eq!(states, ["canceled", "requires_payment_method"]);
}

#[tokio::test]
async fn authentication_and_webhooks_in_any_order_settle_once() {
    let env = TestEnv::start().await;
    let request = wanted(&env, Purpose::OneTime, "live-program").await;
    let opened = pay(&env, &request, ASKS_FOR_3DS).await;
    let before = env.fake_provider.events().await;
    env.fake_provider
        .answer_challenge(&opened.client_secret, "succeeded")
        .await;
    for event in env.fake_provider.events().await.iter().rev() {
        env.deliver(event).await;
        env.deliver(event).await;
    }
    for event in before {
        env.deliver(&event).await;
    }
    env.events("order.paid", 1).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn missing_webhook_is_recovered_within_a_minute() {
    let env = TestEnv::start().await;
    let request = wanted_by_guest(&env, Purpose::Gift, "gift-year").await;
    pay(&env, &request, APPROVED).await;
    env.advance(TimeDelta::seconds(55)).await;
    env.events("order.paid", 1).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn unpaid_intent_is_closed_after_a_day() {
    let env = TestEnv::start().await;
    let request = wanted_by_guest(&env, Purpose::Gift, "gift-year").await;
    let opened = open(&env, &request).await.unwrap();
    env.advance(TimeDelta::hours(25)).await;
    let reached = tokio::time::timeout(std::time::Duration::from_mins(1), async {
        while order_state(&env, &opened.order_id).await != "abandoned" {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    assert!(reached.await.is_ok());
    assert_eq!(intents(&env).await[0]["status"], "canceled");
}
