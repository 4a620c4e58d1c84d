//! Paid trials: a one-time order whose payment starts the subscription.

use chrono::TimeDelta;
use proto::checkout::v1::CreateIntentRequest;
use proto::checkout::v1::create_intent_request::Purpose;
use serde_json::json;

use crate::one_time::create_intent::{deliver_all, open, pay, wanted};
use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::test_env::TestEnv;

const PAST_TRIAL: TimeDelta = TimeDelta::seconds(7 * 86_400 + 120);

/// What the page sends of the campaign's trial.
pub async fn trial(env: &TestEnv) -> CreateIntentRequest {
    let shown = env.resolve("paid-trial", "", "tr").await.unwrap();
    let [fee] = &shown.trial_prices[..] else {
        panic!("{shown:?}");
    };
    CreateIntentRequest {
        price_id: fee.price_id.clone(),
        starts_price_id: shown.offer.unwrap().price_id,
        quote: shown.quote,
        ..wanted(env, Purpose::Trial, "paid-trial").await
    }
}

pub async fn charged(env: &TestEnv) -> Vec<i64> {
    let charges = env.fake_provider.captured_charges().await;
    let mut amounts: Vec<i64> = charges
        .iter()
        .map(|charge| charge["amount_captured"].as_i64().unwrap())
        .collect();
    amounts.sort_unstable();
    amounts
}

#[tokio::test]
async fn trial_is_paid_now_and_the_subscription_when_it_is_over() {
    let env = TestEnv::start().await;
    pay(&env, &trial(&env).await, APPROVED).await;
    deliver_all(&env).await;
    env.until_status("trialing").await;
    assert_eq!(charged(&env).await, [2_999]);
    let paid = env.events("order.paid", 1).await;
    assert_eq!(paid[0].data["kind"], "trial");
    let activated = env.events("subscription.activated", 1).await;
    assert_eq!(activated[0].data["trialDays"], 7);
    let intent = &env.fake_provider.list("payment_intents?limit=100").await[0];
    assert_eq!(intent["setup_future_usage"], json!("off_session"));

    env.advance(PAST_TRIAL).await;
    env.until_status("active").await;
    assert_eq!(charged(&env).await, [2_999, 99_999]);
    env.events("order.paid", 2).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn paid_trial_requires_one_authentication_only() {
    let env = TestEnv::start().await;
    let opened = pay(&env, &trial(&env).await, ASKS_FOR_3DS).await;
    env.fake_provider
        .answer_challenge(&opened.client_secret, "succeeded")
        .await;
    deliver_all(&env).await;
    env.until_status("trialing").await;
    // What was paid for is had at once.
    env.events("subscription.activated", 1).await;
    env.advance(PAST_TRIAL).await;
    env.until_status("active").await;
    assert_eq!(charged(&env).await, [2_999, 99_999]);
    env.check_ledger().await;
}

#[tokio::test]
async fn paid_trial_requires_its_payment() {
    let env = TestEnv::start().await;
    let free = env.buy("paid-trial", APPROVED).await.unwrap_err();
    assert_eq!(free.code, "TRIAL_NOT_PAID");

    // Nor with a fee of another plan, or no fee at all.
    let request = trial(&env).await;
    let annual = env.offer("web-annual", "", "tr").await.price_id;
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
        assert_eq!(open(&env, &lie).await.unwrap_err().code, "UNKNOWN_PRICE");
    }
    assert!(
        env.fake_provider
            .list("payment_intents?limit=100")
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn owner_of_the_product_cannot_buy_its_trial() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    let refused = open(&env, &trial(&env).await).await.unwrap_err();
    assert_eq!(refused.code, "ALREADY_SUBSCRIBED");
}

#[tokio::test]
async fn trial_paid_beside_a_subscription_is_refunded() {
    let env = TestEnv::start().await;
    let request = trial(&env).await;
    let opened = open(&env, &request).await.unwrap();
    // In another tab they subscribe to something else of it, then the first page pays.
    env.buy("web-monthly", APPROVED).await.unwrap();
    let card = env.fake_provider.card(APPROVED).await;
    env.fake_provider
        .confirm_in_browser(&opened.client_secret, &card)
        .await;
    deliver_all(&env).await;

    let refunded = env.events("refund.succeeded", 1).await;
    assert_eq!(refunded[0].data["reason"], "excess");
    assert_eq!(refunded[0].data["amount"]["amountMinor"], "2999");
    assert_eq!(env.subscriptions().await.len(), 1);
    env.events("order.paid", 1).await;
}
