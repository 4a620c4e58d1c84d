//! Orders of surveys: anybody may open one.
use serde_json::{Value, json};

use crate::site::{Site, body_of, problem};

async fn begun(site: &Site, body: &Value) -> proto::checkout::v1::CreateSurveyOrderRequest {
    let response = site.post("/api/survey/orders", body).send().await.unwrap();
    assert_eq!(response.status(), 201);
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(body_of(response).await, json!({"orderid": "svo_1"}));
    site.world.survey_begun.lock().unwrap().clone().unwrap()
}

#[tokio::test]
async fn order_is_asked_for_with_what_the_page_sends() {
    let site = Site::start().await;
    let body = json!({
        "flow": 2, "variant": "79", "abgroup": "b", "producttype": "coaching", "lang": "tr",
        "utm_source": "mail", "adid": 7, "token": "secret", "userid": "usr_2",
    });
    let asked = begun(&site, &body).await;
    assert_eq!((asked.flow, asked.variant), (Some(2), Some(79)));
    assert_eq!(
        (
            asked.ab_group.as_str(),
            asked.product_type.as_str(),
            asked.lang.as_str()
        ),
        ("b", "coaching", "tr")
    );
    let tracking = asked.tracking.unwrap().parameters;
    let names: Vec<_> = tracking.keys().map(String::as_str).collect();
    assert_eq!(names, ["adid", "utm_source"], "only the eleven are handed on");
}

#[tokio::test]
async fn what_is_left_out_is_left_to_the_service() {
    let site = Site::start().await;
    let asked = begun(&site, &json!({"lang": "en"})).await;
    assert_eq!(
        (asked.flow, asked.variant, asked.ab_group.as_str()),
        (None, None, "")
    );
}

#[tokio::test]
async fn key_travels_inwards_and_a_conflict_comes_back() {
    let site = Site::start().await;
    let post = |key: &'static str| {
        site.post("/api/survey/orders", &json!({"lang": "en"}))
            .header("idempotency-key", key)
    };
    assert_eq!(post("fresh").send().await.unwrap().status(), 201);
    let asked = site.world.survey_begun.lock().unwrap().clone().unwrap();
    assert_eq!(asked.idempotency_key, "fresh");
    assert_eq!(problem(post("used")).await, (409, "IDEMPOTENCY_CONFLICT".into()));
}

#[tokio::test]
async fn number_that_is_none_is_named() {
    let site = Site::start().await;
    let response = site
        .post("/api/survey/orders", &json!({"flow": "many", "lang": "en"}))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 400);
    assert_eq!(body_of(response).await["code"], "MALFORMED_BODY");
}
