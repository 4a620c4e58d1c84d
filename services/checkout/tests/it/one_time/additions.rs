//! Additional sessions, charged to a saved card.

use kit::error::Failure;
use proto::checkout::v1::create_intent_request::Purpose;

use crate::one_time::create_intent::{deliver_all, open, wanted};
use crate::one_time::list_additions::list;
use crate::support::fake_provider::{APPROVED, DECLINED_WHEN_CHARGED};
use crate::support::test_env::{MEMBER, TestEnv};

/// They have bought before, with a card of that number.
pub async fn member_with(number: &str) -> TestEnv {
    let env = TestEnv::start().await;
    let answer = env.buy("web-annual", number).await.unwrap();
    if !answer.setup_intent_secret.is_empty() {
        let secret = answer.setup_intent_secret;
        env.fake_provider.answer_challenge(&secret, "succeeded").await;
    }
    env
}

#[tokio::test]
async fn saved_card_pays_at_once_and_each_session_anew() {
    let env = member_with(APPROVED).await;
    let mut request = wanted(&env, Purpose::Addition, "addition-therapy").await;
    request.source = "therapy_addition".into();
    for sessions in 1..=2 {
        let bought = open(&env, &request).await.unwrap();
        assert_eq!(
            (bought.payment_status.as_str(), bought.client_secret.as_str()),
            ("succeeded", "")
        );
        let paid = env.events("order.paid", sessions).await;
        let paid = &paid[sessions - 1].data;
        assert_eq!(paid["kind"], "addition");
        assert_eq!(paid["product"], "therapy-session");
        assert_eq!(paid["source"], request.source);
        assert_eq!(paid["userId"], MEMBER);
        assert_eq!(paid["priceId"], request.price_id);
        assert_eq!(paid["paymentIntentId"], bought.payment_intent_id);
        assert!(bought.payment_intent_id.starts_with("pi_"), "{bought:?}");
    }
    assert_eq!(env.fake_provider.captured_charges().await.len(), 2);
    env.check_ledger().await;
}

#[tokio::test]
async fn repeated_click_buys_one_session() {
    let env = member_with(APPROVED).await;
    let mut request = wanted(&env, Purpose::Addition, "addition-therapy").await;
    request.idempotency_key = "the-click".into();
    let clicks = futures::future::join_all((0..4).map(|_| open(&env, &request))).await;
    assert!(clicks.iter().all(Result::is_ok), "{clicks:?}");
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
}

#[tokio::test]
async fn declined_card_returns_its_code_and_another_card_pays() {
    let env = member_with(DECLINED_WHEN_CHARGED).await;
    let request = wanted(&env, Purpose::Addition, "addition-coaching").await;
    let declined: Failure = open(&env, &request).await.unwrap_err();
    assert_eq!(declined.code, "card_declined");
    assert_eq!(open(&env, &request).await.unwrap_err().code, "card_declined");
    assert!(env.fake_provider.captured_charges().await.is_empty());
}

#[tokio::test]
async fn without_a_card_the_page_asks_for_one() {
    let env = TestEnv::start().await;
    let request = wanted(&env, Purpose::Addition, "addition-coaching").await;
    let opened = open(&env, &request).await.unwrap();
    let card = env.fake_provider.card(APPROVED).await;
    env.fake_provider
        .confirm_in_browser(&opened.client_secret, &card)
        .await;
    deliver_all(&env).await;
    env.events("order.paid", 1).await;
    // Next time it is there.
    assert_eq!(list(&env, "").await.card_last4, "4242");
    env.check_ledger().await;
}
