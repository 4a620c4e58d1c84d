//! Meditation samples, in the envelope of lab calls.
use std::sync::atomic::Ordering;

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::site::{Site, body_of};

async fn answer(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    (response.status().as_u16(), body_of(response).await)
}

fn found(title: &str) -> (u16, Value) {
    (
        200,
        json!({"data": {"items": [{"title": title}]}, "error": null, "error_code": null}),
    )
}

#[tokio::test]
async fn samples_come_for_a_language_and_a_category() {
    let site = Site::start().await;
    let ask = |body: Value| site.post("/external/samples", &body);
    // Category 0 is content's default category.
    assert_eq!(answer(ask(json!({}))).await, found("Rain en 0"));
    assert_eq!(
        answer(ask(json!({"lang": "tr", "category": 7}))).await,
        found("Rain tr 7")
    );
    assert_eq!(
        answer(ask(json!({"lang": "pt-BR", "category": "7"}))).await,
        found("Rain pt 7")
    );
    assert_eq!(
        answer(ask(json!({"lang": "xx", "category": null}))).await,
        found("Rain en 0")
    );
    let form = site
        .request("POST", "/external/samples")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("lang=ja&category=3");
    assert_eq!(answer(form).await, found("Rain ja 3"));
}

#[tokio::test]
async fn errors_use_the_same_envelope() {
    let site = Site::start().await;
    for wrong in [
        json!({"category": "many"}),
        json!({"category": []}),
        json!({"lang": 7}),
    ] {
        let (status, body) = answer(site.post("/external/samples", &wrong)).await;
        assert_eq!(
            (status, &body["error_code"]),
            (400, &json!("MALFORMED_BODY")),
            "{body}"
        );
        assert_eq!(
            (&body["data"], body["error"].is_string()),
            (&Value::Null, true),
            "{body}"
        );
    }
    site.services.content_down.store(true, Ordering::SeqCst);
    let (status, body) = answer(site.post("/external/samples", &json!({}))).await;
    assert_eq!(
        (status, &body["error_code"]),
        (503, &json!("UNAVAILABLE")),
        "{body}"
    );
}
