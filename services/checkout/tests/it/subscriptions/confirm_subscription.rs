use kit::error::{Failure, Kind};
use proto::checkout::v1::{
    ConfirmSubscriptionRequest, ConfirmSubscriptionResponse, CreateSubscriptionResponse,
};

use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::test_env::{MEMBER, TestEnv};

async fn asked(env: &TestEnv) -> CreateSubscriptionResponse {
    let answer = env.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    assert_eq!(answer.subscription.as_ref().unwrap().status, "incomplete");
    assert_eq!(answer.payment_status, "requires_action");
    assert!(answer.client_secret.contains("_secret_"), "{answer:?}");
    answer
}

pub async fn confirm(
    env: &TestEnv,
    user_id: &str,
    subscription_id: &str,
) -> Result<ConfirmSubscriptionResponse, Failure> {
    let request = ConfirmSubscriptionRequest {
        user_id: user_id.into(),
        subscription_id: subscription_id.into(),
    };
    let answered = env.checkout.clone().confirm_subscription(request).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status))
}

#[tokio::test]
async fn authenticated_charge_activates() {
    let env = TestEnv::start().await;
    let asked = asked(&env).await;
    env.fake_provider
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    let subscription_id = asked.subscription.unwrap().subscription_id;
    let confirmed = confirm(&env, MEMBER, &subscription_id).await.unwrap();
    assert_eq!(confirmed.payment_status, "succeeded");
    assert_eq!(confirmed.subscription.unwrap().status, "active");
    assert_eq!(env.events("subscription.activated", 1).await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn unauthenticated_browser_claim_is_not_trusted() {
    let env = TestEnv::start().await;
    let asked = asked(&env).await;
    let subscription_id = asked.subscription.unwrap().subscription_id;
    let confirmed = confirm(&env, MEMBER, &subscription_id).await.unwrap();
    assert_eq!(confirmed.payment_status, "requires_action");
    assert_eq!(confirmed.subscription.unwrap().status, "incomplete");
    env.check_ledger().await;
}

#[tokio::test]
async fn failed_authentication_lets_the_page_try_another_card() {
    let env = TestEnv::start().await;
    let asked = asked(&env).await;
    env.fake_provider
        .answer_challenge(&asked.client_secret, "failed")
        .await;
    let subscription_id = asked.subscription.unwrap().subscription_id;
    let confirmed = confirm(&env, MEMBER, &subscription_id).await.unwrap();
    assert_eq!(confirmed.payment_status, "requires_payment_method");

    let card = env.fake_provider.card(APPROVED).await;
    env.fake_provider
        .confirm_in_browser(&asked.client_secret, &card)
        .await;
    let confirmed = confirm(&env, MEMBER, &subscription_id).await.unwrap();
    assert_eq!(confirmed.payment_status, "succeeded");
    env.check_ledger().await;
}

#[tokio::test]
async fn confirming_twice_settles_once() {
    let env = TestEnv::start().await;
    let asked = asked(&env).await;
    env.fake_provider
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    let subscription_id = asked.subscription.unwrap().subscription_id;
    let (one, other) = tokio::join!(
        confirm(&env, MEMBER, &subscription_id),
        confirm(&env, MEMBER, &subscription_id)
    );
    assert_eq!(one.unwrap(), other.unwrap());
    assert_eq!(env.events("order.paid", 1).await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn subscription_of_another_member_is_not_found() {
    let env = TestEnv::start().await;
    let subscription_id = asked(&env).await.subscription.unwrap().subscription_id;
    for (user_id, id) in [("usr_other", subscription_id.as_str()), (MEMBER, "sbn_nonsense")] {
        let failure = confirm(&env, user_id, id).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (Kind::NotFound, "UNKNOWN_SUBSCRIPTION")
        );
    }
}
