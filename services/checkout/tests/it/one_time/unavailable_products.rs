//! Offers that are refused: owned products, cards outside the offer, and products that are not bookable yet.

use checkout::domain::invariants::violations;
use kit::error::Failure;
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{
    ChangeSubscriptionRequest, ListAdditionsRequest, change_subscription_request as change,
};
use serde_json::json;

use crate::one_time::create_intent::{deliver_all, open, pay, wanted};
use crate::operations::ledger_cli::checkout as command_line;
use crate::subscriptions::confirm_subscription::confirm;
use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS, OF_THE_BANK};
use crate::support::subscription_probe::{ONE_MINUTE, within};
use crate::support::test_env::{MEMBER, TestEnv};

async fn owner_for_good() -> (TestEnv, String) {
    let env = TestEnv::start().await;
    let request = wanted(&env, Purpose::Payment, "lifetime").await;
    let order_id = pay(&env, &request, APPROVED).await.order_id;
    deliver_all(&env).await;
    env.events("order.paid", 1).await;
    (env, order_id)
}

async fn code_of(env: &TestEnv, campaign: &str) -> String {
    env.resolve(campaign, "", "tr").await.unwrap_err().code
}

#[tokio::test]
async fn lifetime_owner_is_refused_owned_entitlements() {
    let env = TestEnv::start().await;
    // The page was open, with its price, before lifetime was bought in another tab.
    let card = env.fake_provider.card(APPROVED).await;
    let monthly = env.submit("web-monthly", &card).await;
    let fee = env.resolve("paid-trial", "", "tr").await.unwrap();
    let mut trial = wanted(&env, Purpose::Trial, "paid-trial").await;
    trial.starts_price_id = fee.offer.unwrap().price_id;
    trial.price_id = fee.trial_prices[0].price_id.clone();
    let lifetime = wanted(&env, Purpose::Payment, "lifetime").await;
    pay(&env, &lifetime, APPROVED).await;
    deliver_all(&env).await;
    let paid = env.events("order.paid", 1).await;
    assert_eq!(paid[0].data["opens"], json!(["premium"]));

    assert_eq!(env.pay(monthly).await.unwrap_err().code, "ALREADY_OWNED");
    assert_eq!(open(&env, &trial).await.unwrap_err().code, "ALREADY_OWNED");
    for campaign in ["web-monthly", "web-annual", "paid-trial", "lifetime"] {
        assert_eq!(code_of(&env, campaign).await, "ALREADY_OWNED", "{campaign}");
    }
    assert!(env.subscriptions().await.is_empty());
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn trial_paid_after_a_lifetime_purchase_is_refunded() {
    let env = TestEnv::start().await;
    let offer = env.resolve("paid-trial", "", "tr").await.unwrap();
    let mut trial = wanted(&env, Purpose::Trial, "paid-trial").await;
    trial.starts_price_id = offer.offer.unwrap().price_id;
    trial.price_id = offer.trial_prices[0].price_id.clone();
    let opened = open(&env, &trial).await.unwrap();
    let lifetime = wanted(&env, Purpose::Payment, "lifetime").await;
    pay(&env, &lifetime, APPROVED).await;
    deliver_all(&env).await;
    env.events("order.paid", 1).await;

    let card = env.fake_provider.card(APPROVED).await;
    env.fake_provider
        .confirm_in_browser(&opened.client_secret, &card)
        .await;
    deliver_all(&env).await;
    let refunded = &env.events("refund.succeeded", 1).await[0].data;
    assert_eq!(refunded["orderId"], opened.order_id);
    assert_eq!(refunded["reason"], "excess");
    assert!(env.subscriptions().await.is_empty());
    assert!(env.fake_provider.subscriptions().await.is_empty());
}

async fn buy_lifetime(env: &TestEnv) {
    let lifetime = wanted(env, Purpose::Payment, "lifetime").await;
    pay(env, &lifetime, APPROVED).await;
    deliver_all(env).await;
    env.events("order.paid", 1).await;
}

#[tokio::test]
async fn subscription_confirmed_after_a_lifetime_purchase_is_refunded_and_ended() {
    let env = TestEnv::start().await;
    let asked = env.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    buy_lifetime(&env).await;

    env.fake_provider
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    let subscription = asked.subscription.unwrap();
    let refused = confirm(&env, MEMBER, &subscription.subscription_id)
        .await
        .unwrap_err();
    assert_eq!(refused.code, "ALREADY_OWNED");
    let refunded = &env.events("refund.succeeded", 1).await[0].data;
    assert_eq!(refunded["orderId"], subscription.order_id);
    assert_eq!(refunded["reason"], "excess");
    assert_eq!(env.fake_provider.subscriptions().await[0]["status"], "canceled");
    env.events("subscription.activated", 0).await;
    assert!(env.subscriptions().await.is_empty());
    // The refunded capture is of no paid order, so `check_ledger` does not expect it.
    assert_eq!(violations(&env.accounts().await), []);
}

#[tokio::test]
async fn free_trial_confirmed_after_a_lifetime_purchase_is_ended() {
    let env = TestEnv::start().await;
    let asked = env.buy("web-annual", ASKS_FOR_3DS).await.unwrap();
    buy_lifetime(&env).await;

    env.fake_provider
        .answer_challenge(&asked.setup_intent_secret, "succeeded")
        .await;
    within(&env, ONE_MINUTE, async || {
        env.fake_provider.subscriptions().await[0]["status"] == "canceled"
    })
    .await;
    env.events("subscription.activated", 0).await;
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    assert!(env.subscriptions().await.is_empty());
    env.check_ledger().await;
}

#[tokio::test]
async fn lifetime_owner_can_buy_further_entitlements() {
    let (env, _) = owner_for_good().await;
    let bought = env.buy("coaching-monthly", APPROVED).await.unwrap();
    assert_eq!(bought.payment_status, "succeeded");
    let activated = &env.events("subscription.activated", 1).await[0].data;
    assert_eq!(activated["opens"], json!(["premium", "coaching"]));
    env.check_ledger().await;
}

#[tokio::test]
async fn fully_refunded_member_can_subscribe_again() {
    let (env, order_id) = owner_for_good().await;
    command_line(&env, &["refund", &order_id, "--ticket", "T-1"]).await;
    env.events("refund.succeeded", 1).await;
    let bought = env.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(bought.payment_status, "succeeded");
}

#[tokio::test]
async fn sessions_are_not_sold_before_they_can_be_booked() {
    let env = TestEnv::start_with([("CHECKOUT_SESSIONS_BOOKABLE", "false")]).await;
    for campaign in ["addition-coaching", "addition-therapy"] {
        assert_eq!(
            code_of(&env, campaign).await,
            "SESSIONS_NOT_BOOKABLE",
            "{campaign}"
        );
    }
    let list = ListAdditionsRequest {
        user_id: MEMBER.into(),
        language: "tr".into(),
        country: "TR".into(),
        ..Default::default()
    };
    let listed = env.checkout.clone().list_additions(list).await.unwrap();
    assert!(listed.into_inner().offers.is_empty());

    // A page that was loaded while they were sold.
    let sold: sqlx::types::Uuid = sqlx::query_scalar(
        "select price_id from price where kind = 'addition' and currency = 'TRY' order by price_id limit 1",
    )
    .fetch_one(&env.pool().await)
    .await
    .unwrap();
    let mut request = wanted(&env, Purpose::Addition, "lifetime").await;
    request.price_id = format!("prc_{}", sold.simple());
    assert_eq!(
        open(&env, &request).await.unwrap_err().code,
        "SESSIONS_NOT_BOOKABLE"
    );
    assert!(env.fake_provider.captured_charges().await.is_empty());
}

#[tokio::test]
async fn paid_session_grants_its_entitlement() {
    let env = TestEnv::start().await;
    let request = wanted(&env, Purpose::Payment, "addition-therapy").await;
    pay(&env, &request, APPROVED).await;
    deliver_all(&env).await;
    let paid = env.events("order.paid", 1).await;
    assert_eq!(paid[0].data["opens"], json!(["therapy"]));
}

#[tokio::test]
async fn a_banks_price_is_not_charged_to_another_card() {
    let env = TestEnv::start().await;
    let refused: Failure = env.buy("teb40", APPROVED).await.unwrap_err();
    assert_eq!(refused.code, "CARD_NOT_IN_OFFER");
    // It is not stored.
    assert!(
        env.fake_provider
            .list("payment_methods?type=card")
            .await
            .is_empty()
    );
    assert_eq!(
        env.buy("teb40", APPROVED).await.unwrap_err().code,
        "CARD_NOT_IN_OFFER"
    );

    env.buy("teb40", OF_THE_BANK).await.unwrap();
    assert_eq!(env.subscriptions().await[0].status, "trialing");
    env.check_ledger().await;
}

#[tokio::test]
async fn bank_offer_accepts_no_other_card_later() {
    let env = TestEnv::start().await;
    let bought = env.buy("teb40", OF_THE_BANK).await.unwrap();
    let subscription_id = bought.subscription.unwrap().subscription_id;
    let changed = async |number: &str| {
        let request = ChangeSubscriptionRequest {
            user_id: MEMBER.into(),
            subscription_id: subscription_id.clone(),
            change: Some(change::Change::Card(change::Card {
                payment_method_id: env.fake_provider.card(number).await,
            })),
        };
        let answered = env.checkout.clone().change_subscription(request).await;
        answered
            .map(drop)
            .map_err(|status| Failure::from_status(&status).code)
    };
    assert_eq!(changed(APPROVED).await, Err("CARD_NOT_IN_OFFER".to_owned()));
    assert_eq!(changed(OF_THE_BANK).await, Ok(()));
}
