//! A member deletes their account, and reads the receipt afterwards.
use serde_json::json;

use crate::site::{Site, body_of, header, problem};

const ERASURE: &str = "/api/account/erasure";

#[tokio::test]
async fn account_is_deleted_with_its_password_and_the_cookie_with_it() {
    let site = Site::start().await;
    let asked = site.post_as_member(ERASURE, &json!({"password": "right"}));
    let response = asked.send().await.unwrap();
    assert_eq!(response.status(), 202);
    assert!(header(&response, "set-cookie").starts_with("stillpoint_session=; "));
    assert!(header(&response, "set-cookie").contains("Max-Age=0"));
    assert_eq!(header(&response, "location"), "/api/account/erasures/ers_1");
    let receipt = body_of(response).await;
    assert_eq!(receipt["erasure_id"], "ers_1");
    assert_eq!(receipt["receipt_url"], "/api/account/erasures/ers_1");
    assert_eq!(receipt["state"], "running");
}

#[tokio::test]
async fn repeated_erasure_with_the_ended_session_answers_alike() {
    let site = Site::start().await;
    let again = site
        .post(ERASURE, &json!({"password": "right"}))
        .header("cookie", "stillpoint_session=ended")
        .header("origin", &site.origin);
    let response = again.send().await.unwrap();
    assert_eq!(response.status(), 202);
    assert_eq!(body_of(response).await["erasure_id"], "ers_1");
}

#[tokio::test]
async fn account_is_kept_without_the_proof() {
    let site = Site::start().await;
    for (password, status, code) in [
        ("wrong", 403, "WRONG_PASSWORD"),
        ("", 403, "STEP_UP_REQUIRED"),
        ("throttled", 429, "TOO_MANY_ATTEMPTS"),
    ] {
        let asked = site.post_as_member(ERASURE, &json!({"password": password}));
        assert_eq!(problem(asked).await, (status, code.into()), "{password}");
    }
    let throttled = site.post_as_member(ERASURE, &json!({"password": "throttled"}));
    let response = throttled.send().await.unwrap();
    assert_eq!(header(&response, "retry-after"), "600");
    assert_eq!(header(&response, "set-cookie"), "");
}

#[tokio::test]
async fn erasure_needs_a_session_and_the_own_site() {
    let site = Site::start().await;
    let stranger = site.post(ERASURE, &json!({"password": "right"}));
    assert_eq!(problem(stranger).await, (401, "V100".into()));
    let dead = site
        .post(ERASURE, &json!({"password": "right"}))
        .header("cookie", "stillpoint_session=dead");
    assert_eq!(problem(dead).await, (401, "V100".into()));
    let crossed = site
        .post_as_member(ERASURE, &json!({"password": "right"}))
        .header("sec-fetch-site", "cross-site");
    assert_eq!(problem(crossed).await, (403, "CROSS_SITE".into()));
}

#[tokio::test]
async fn receipt_is_read_without_a_session() {
    let site = Site::start().await;
    let response = site.get("/api/account/erasures/ers_1").send().await.unwrap();
    assert_eq!(header(&response, "cache-control"), "no-store");
    let receipt = body_of(response).await;
    assert_eq!(receipt["state"], "finished");
    let expected = json!([{
        "service": "checkout", "state": "erased", "erased_at": "2026-12-20T12:00:00Z", "kept": ["bookkeeping"],
    }]);
    assert_eq!(receipt["services"], expected);
    let unknown = site.get("/api/account/erasures/ers_2");
    assert_eq!(problem(unknown).await, (404, "UNKNOWN_ERASURE".into()));
}
