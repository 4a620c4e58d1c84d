//! `ConfirmIntent`: the state is fetched from the provider, whatever the page claims.

use chrono::TimeDelta;
use kit::error::{Failure, Kind};
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{ConfirmIntentRequest, CreateIntentResponse};

use crate::one_time::additions::member_with;
use crate::one_time::create_intent::{open, order_state, refused, wanted};
use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::subscription_probe::SubscriptionProbe;
use crate::support::test_env::{MEMBER, TestEnv};

async fn confirmed(env: &TestEnv, intent: &str) -> CreateIntentResponse {
    let request = ConfirmIntentRequest {
        user_id: MEMBER.into(),
        payment_intent_id: intent.into(),
    };
    env.checkout
        .clone()
        .confirm_intent(request)
        .await
        .unwrap()
        .into_inner()
}

#[tokio::test]
async fn payment_claimed_by_the_browser_is_not_believed() {
    let env = TestEnv::start().await;
    let request = wanted(&env, Purpose::Payment, "lifetime").await;
    let opened = open(&env, &request).await.unwrap();
    let confirm = ConfirmIntentRequest {
        user_id: MEMBER.into(),
        payment_intent_id: opened.payment_intent_id.clone(),
    };
    let answer = env.checkout.clone().confirm_intent(confirm.clone()).await;
    assert_eq!(
        answer.unwrap().into_inner().payment_status,
        "requires_payment_method"
    );
    assert_eq!(order_state(&env, &opened.order_id).await, "open");

    let foreign = ConfirmIntentRequest {
        user_id: "usr_other".into(),
        ..confirm.clone()
    };
    let status = env.checkout.clone().confirm_intent(foreign).await.unwrap_err();
    assert_eq!(Failure::from_status(&status).kind, Kind::NotFound);

    let card = env.fake_provider.card(APPROVED).await;
    env.fake_provider
        .confirm_in_browser(&opened.client_secret, &card)
        .await;
    let answer = env.checkout.clone().confirm_intent(confirm).await;
    assert_eq!(answer.unwrap().into_inner().payment_status, "succeeded");
    assert_eq!(order_state(&env, &opened.order_id).await, "paid");
    // It is theirs for good.
    assert_eq!(refused(&env, &request).await, "ALREADY_OWNED");
    env.check_ledger().await;
}

#[tokio::test]
async fn authentication_is_confirmed_with_the_provider() {
    let env = member_with(ASKS_FOR_3DS).await;
    let request = wanted(&env, Purpose::Addition, "addition-coaching").await;
    let asked = open(&env, &request).await.unwrap();
    assert!(!asked.client_secret.is_empty(), "{asked:?}");
    let intent = &asked.payment_intent_id;
    assert_eq!(
        confirmed(&env, intent).await.payment_status,
        "requires_payment_method"
    );

    env.fake_provider
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    assert_eq!(confirmed(&env, intent).await.payment_status, "succeeded");
    env.events("order.paid", 1).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn intent_of_a_renewal_is_no_order_that_a_page_can_confirm() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    env.advance(TimeDelta::days(32)).await;
    env.events("subscription.renewed", 1).await;
    let intent = env.renewals().await[0].provider_intent_id.clone().unwrap();
    let request = ConfirmIntentRequest {
        user_id: MEMBER.into(),
        payment_intent_id: intent,
    };
    let refused = env.checkout.clone().confirm_intent(request).await.unwrap_err();
    assert_eq!(Failure::from_status(&refused).code, "UNKNOWN_ORDER");
}
