//! `ListAdditions`: what members can add, and the card that would be charged.

use kit::error::Failure;
use proto::checkout::v1::{ListAdditionsRequest, ListAdditionsResponse};

use crate::support::fake_provider::APPROVED;
use crate::support::test_env::{MEMBER, TestEnv};

pub async fn list(env: &TestEnv, filter: &str) -> ListAdditionsResponse {
    let request = ListAdditionsRequest {
        user_id: MEMBER.into(),
        filter: filter.into(),
        language: "tr".into(),
        country: "TR".into(),
    };
    env.checkout
        .clone()
        .list_additions(request)
        .await
        .unwrap()
        .into_inner()
}

#[tokio::test]
async fn additions_are_listed_with_the_card_they_are_charged_to() {
    let env = TestEnv::start().await;
    let all = list(&env, "").await;
    let codes: Vec<&str> = all.offers.iter().map(|offer| offer.campaign.as_str()).collect();
    assert_eq!(codes, ["addition-coaching", "addition-therapy"]);
    assert_eq!(all.card_last4, "");

    env.buy("web-annual", APPROVED).await.unwrap();
    let therapy = list(&env, "therapy_addition").await;
    assert_eq!(therapy.offers.len(), 1);
    assert_eq!(therapy.offers[0].price.as_ref().unwrap().amount_minor, 149_900);
    assert_eq!(therapy.card_last4, "4242");
}

#[tokio::test]
async fn visitor_without_an_account_is_refused() {
    let env = TestEnv::start().await;
    let request = ListAdditionsRequest {
        language: "tr".into(),
        country: "TR".into(),
        ..Default::default()
    };
    let status = env.checkout.clone().list_additions(request).await.unwrap_err();
    assert_eq!(Failure::from_status(&status).code, "INVALID_ARGUMENT");
}
