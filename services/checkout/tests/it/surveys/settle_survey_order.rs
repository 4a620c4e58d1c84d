//! Owner and payment of a survey order: a page's claim is not trusted.

use kit::error::Failure;
use proto::checkout::v1::{
    ClaimSurveyOrderRequest, CreateSurveyOrderRequest, SetSubscriptionAttributionRequest,
    SettleSurveyOrderRequest,
};
use proto::common::v1::Tracking;
use sandbox::Action;
use serde_json::json;

use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::{ONE_MINUTE, within};
use crate::support::test_env::{MEMBER, TestEnv};

async fn survey(env: &TestEnv) -> String {
    let request = CreateSurveyOrderRequest {
        lang: "tr".into(),
        country: "TR".into(),
        ..Default::default()
    };
    let opened = env.checkout.clone().create_survey_order(request).await.unwrap();
    opened.into_inner().order_id
}

async fn is_paid(env: &TestEnv, user_id: &str, order_id: &str) -> Result<bool, String> {
    let request = SettleSurveyOrderRequest {
        user_id: user_id.into(),
        order_id: order_id.into(),
    };
    let answered = env.checkout.clone().settle_survey_order(request).await;
    answered
        .map(|answer| answer.into_inner().paid)
        .map_err(|status| Failure::from_status(&status).code)
}

async fn claim(env: &TestEnv, user_id: &str, order_id: &str) -> Result<(), String> {
    let request = ClaimSurveyOrderRequest {
        user_id: user_id.into(),
        order_id: order_id.into(),
        ..Default::default()
    };
    let answered = env.checkout.clone().claim_survey_order(request).await;
    answered
        .map(|_| ())
        .map_err(|status| Failure::from_status(&status).code)
}

#[tokio::test]
async fn survey_is_paid_by_its_owners_payment_not_by_a_pages_claim() {
    let env = TestEnv::start().await;
    let order = survey(&env).await;
    assert_eq!(is_paid(&env, "", &order).await, Ok(false));
    assert_eq!(is_paid(&env, MEMBER, &order).await, Ok(false));
    env.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(is_paid(&env, "", &order).await, Ok(false));
    assert_eq!(is_paid(&env, MEMBER, &order).await, Ok(true));
    assert_eq!(is_paid(&env, MEMBER, &order).await, Ok(true));

    let purchase = env.events("order.paid", 1).await.remove(0);
    let paid = env.events("survey_order.paid", 1).await.remove(0);
    let expected = json!({
        "surveyOrderId": order, "userId": MEMBER, "orderId": purchase.data["orderId"], "variant": 15,
    });
    assert_eq!(paid.data, expected);
    let person = (paid.lang.as_deref(), paid.country.as_deref());
    assert_eq!(person, (Some("tr"), Some("TR")));
}

#[tokio::test]
async fn survey_paid_with_a_lost_answer_is_paid_within_a_minute() {
    let env = TestEnv::start().await;
    let order = survey(&env).await;
    claim(&env, MEMBER, &order).await.unwrap();
    env.fake_provider
        .inject_fault("POST", "subscriptions", Action::DropAfterCommit {});
    let bought = env.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(bought.payment_status, "processing");
    assert_eq!(is_paid(&env, MEMBER, &order).await, Ok(false));
    // What the page asks for is what is known here: no provider is asked on its behalf.
    let paid = async || is_paid(&env, MEMBER, &order).await == Ok(true);
    within(&env, ONE_MINUTE, paid).await;
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    env.events("order.paid", 1).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn survey_belongs_to_its_first_claimant() {
    let env = TestEnv::start().await;
    let order = survey(&env).await;
    assert_eq!(claim(&env, MEMBER, &order).await, Ok(()));
    assert_eq!(claim(&env, MEMBER, &order).await, Ok(()));
    let claimed = env.events("survey_order.claimed", 1).await.remove(0);
    assert_eq!(claimed.data, json!({ "surveyOrderId": order, "userId": MEMBER }));
    let unknown = "UNKNOWN_ORDER".to_owned();
    assert_eq!(claim(&env, "usr_other", &order).await, Err(unknown.clone()));
    assert_eq!(is_paid(&env, "usr_other", &order).await, Err(unknown.clone()));
    for nonsense in ["", "svo_nonsense", "ord_0199f0a46c1e7cc09f3a2b1d5f8a7c11"] {
        assert_eq!(
            claim(&env, MEMBER, nonsense).await,
            Err(unknown.clone()),
            "{nonsense}"
        );
    }
}

#[tokio::test]
async fn attribution_is_added_and_never_overwritten() {
    let env = TestEnv::start().await;
    let bought = env.buy("web-monthly", APPROVED).await.unwrap();
    let subscription_id = bought.subscription.unwrap().subscription_id;
    let note = async |user_id: &str, source: &str| {
        let parameters = [("utm_source".to_owned(), source.to_owned())];
        let request = SetSubscriptionAttributionRequest {
            user_id: user_id.into(),
            subscription_id: subscription_id.clone(),
            tracking: Some(Tracking {
                parameters: parameters.into_iter().collect(),
            }),
        };
        let answered = env.checkout.clone().set_subscription_attribution(request).await;
        answered.map_err(|status| Failure::from_status(&status).code)
    };
    note(MEMBER, "a-letter").await.unwrap();
    note(MEMBER, "somewhere-else").await.unwrap();
    assert_eq!(note("usr_other", "x").await.unwrap_err(), "UNKNOWN_SUBSCRIPTION");
    let kept: String = sqlx::query_scalar("select tracking->>'utm_source' from orders")
        .fetch_one(&env.pool().await)
        .await
        .unwrap();
    assert_eq!(kept, "a-letter");
}
