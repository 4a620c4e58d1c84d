//! `SettleSurveyOrder`: a survey is paid by its owner's payment; a page's claim is not trusted.

use sandbox::Action;
use serde_json::json;

use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::{ONE_MINUTE, within};
use crate::support::test_env::{MEMBER, TestEnv};
use crate::surveys::calls::{begin, claim, is_paid};

#[tokio::test]
async fn survey_is_paid_by_its_owners_payment_not_by_a_pages_claim() {
    let env = TestEnv::start().await;
    let order = begin(&env, 15).await.order_id;
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
    let order = begin(&env, 15).await.order_id;
    claim(&env, MEMBER, &order, "").await.unwrap();
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
