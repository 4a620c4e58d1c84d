//! Calls that need a recent authentication, and how it is renewed.
use serde_json::json;

use crate::site::{COOKIE, Site, body_of, problem};

const STALE: &str = "stillpoint_session=stale";
const STEP_UP: &str = "/api/account/step-up";

#[tokio::test]
async fn sensitive_calls_need_a_recent_authentication() {
    let site = Site::start().await;
    let card = json!({"payment_method_id": "pm_card_visa"});
    let calls = [
        site.get("/api/account/export"),
        site.post("/api/account/second-factor/enrol", &json!({})),
        site.post("/api/account/second-factor/recovery-codes", &json!({})),
        site.request("DELETE", "/api/account/second-factor"),
        site.post("/api/subscriptions/sub_1/card", &card),
    ];
    for call in calls {
        let call = call.header("cookie", STALE).header("origin", &site.origin);
        let response = call.send().await.unwrap();
        let path = response.url().path().to_owned();
        assert_eq!(response.status(), 403, "{path}");
        let body = body_of(response).await;
        assert_eq!(body["code"], "STEP_UP_REQUIRED", "{path}");
        assert_eq!(body["methods"], json!(["password", "code"]), "{path}");
    }
    let cancel = site.post("/api/subscriptions/sub_1/unknown", &json!({}));
    let cancel = cancel.header("cookie", STALE).header("origin", &site.origin);
    assert_eq!(problem(cancel).await, (404, "UNKNOWN_ACTION".into()));
}

#[tokio::test]
async fn access_token_exports_nothing() {
    let site = Site::start().await;
    let export = site.get("/api/account/export").bearer_auth("signed");
    assert_eq!(problem(export).await, (403, "SESSION_REQUIRED".into()));
}

#[tokio::test]
async fn step_up_takes_password_and_code() {
    let site = Site::start().await;
    let right = site.post_as_member(STEP_UP, &json!({"password": "right", "code": "123456"}));
    assert_eq!(right.send().await.unwrap().status(), 204);
    let wrong = site.post_as_member(STEP_UP, &json!({"password": "wrong"}));
    assert_eq!(problem(wrong).await, (403, "WRONG_PASSWORD".into()));

    for (code, expected) in [(None, "REQUIRED"), (Some("1"), "SECOND_FACTOR_WRONG")] {
        let asked = site.post_as_member(STEP_UP, &json!({"password": "right", "code": code}));
        let response = asked.send().await.unwrap();
        assert_eq!(response.status(), 422);
        let error = &body_of(response).await["errors"][0];
        assert_eq!(
            (&error["field"], &error["code"]),
            (&json!("code"), &json!(expected))
        );
    }
    let social = site.post_as_member(STEP_UP, &json!({"password": "social"}));
    let body = body_of(social.send().await.unwrap()).await;
    assert_eq!(
        (&body["code"], &body["methods"]),
        (&json!("STEP_UP_REQUIRED"), &json!(["sign_in"]))
    );
}

#[tokio::test]
async fn step_up_needs_a_session_and_the_own_site() {
    let site = Site::start().await;
    let form = json!({"password": "right", "code": "123456"});
    assert_eq!(problem(site.post(STEP_UP, &form)).await, (401, "V100".into()));
    let by_token = site.post(STEP_UP, &form).bearer_auth("signed");
    assert_eq!(problem(by_token).await, (403, "SESSION_REQUIRED".into()));
    let crossed = site
        .post(STEP_UP, &form)
        .header("cookie", COOKIE)
        .header("sec-fetch-site", "cross-site");
    assert_eq!(problem(crossed).await, (403, "CROSS_SITE".into()));
}

#[tokio::test]
async fn mailed_link_ends_a_session_without_a_sign_in() {
    let site = Site::start().await;
    let end = |token: &str| site.post("/api/account/sessions/end", &json!({"token": token}));
    assert_eq!(end("mailed").send().await.unwrap().status(), 204);
    assert_eq!(problem(end("used")).await, (404, "LINK_INVALID".into()));
}
