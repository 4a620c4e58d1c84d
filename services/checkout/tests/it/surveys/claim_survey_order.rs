//! `ClaimSurveyOrder`: the first member who claims an order owns it.

use serde_json::json;

use crate::support::test_env::{MEMBER, TestEnv};
use crate::surveys::calls::{begin, claim, is_paid};

#[tokio::test]
async fn survey_belongs_to_its_first_claimant() {
    let env = TestEnv::start().await;
    let order = begin(&env, 15).await.order_id;
    assert_eq!(claim(&env, MEMBER, &order, "").await, Ok(()));
    assert_eq!(claim(&env, MEMBER, &order, "").await, Ok(()));
    let claimed = env.events("survey_order.claimed", 1).await.remove(0);
    assert_eq!(claimed.data, json!({ "surveyOrderId": order, "userId": MEMBER }));
    let unknown = "UNKNOWN_ORDER".to_owned();
    assert_eq!(claim(&env, "usr_other", &order, "").await, Err(unknown.clone()));
    assert_eq!(is_paid(&env, "usr_other", &order).await, Err(unknown.clone()));
    for nonsense in ["", "svo_nonsense", "ord_0199f0a46c1e7cc09f3a2b1d5f8a7c11"] {
        assert_eq!(
            claim(&env, MEMBER, nonsense, "").await,
            Err(unknown.clone()),
            "{nonsense}"
        );
    }
}
