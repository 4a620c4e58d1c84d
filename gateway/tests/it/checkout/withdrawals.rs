//! Withdrawing from a contract: open to any caller; the response reveals nothing about orders or accounts.
use serde_json::{Value, json};

use crate::site::{Site, body_of, problem};

const PATH: &str = "/api/withdrawals";

fn declared() -> Value {
    json!({"full_name": "Ada Lovelace", "email": "ada@example.com", "reference": "ord_1", "language": "de"})
}

#[tokio::test]
async fn declaration_is_taken_from_a_visitor_with_its_id_and_moment() {
    let site = Site::start().await;
    let response = site
        .post(PATH, &declared())
        .header("idempotency-key", "fresh")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 202);
    assert_eq!(response.headers()["cache-control"], "no-store");
    let expected = json!({"id": "wdr_1", "receivedAt": "2026-12-20T12:00:00Z"});
    assert_eq!(body_of(response).await, expected);
    let asked = site.services.withdrawn.lock().unwrap().clone().unwrap();
    assert_eq!(
        (asked.full_name.as_str(), asked.email.as_str()),
        ("Ada Lovelace", "ada@example.com")
    );
    assert_eq!(
        (asked.reference.as_str(), asked.language.as_str()),
        ("ord_1", "de")
    );
    assert_eq!(
        (asked.user_id.as_str(), asked.idempotency_key.as_str()),
        ("", "fresh")
    );
}

#[tokio::test]
async fn user_comes_from_the_session_alone() {
    let site = Site::start().await;
    let mut body = declared();
    body["user_id"] = json!("usr_of_another");
    let response = site.post_as_member(PATH, &body).send().await.unwrap();
    assert_eq!(response.status(), 202);
    let asked = site.services.withdrawn.lock().unwrap().clone().unwrap();
    assert_eq!(asked.user_id, "usr_1");
}

#[tokio::test]
async fn errors_name_their_field_and_a_used_key_conflicts() {
    let site = Site::start().await;
    let response = site
        .post(PATH, &json!({"full_name": "Ada"}))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 422);
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    let body = body_of(response).await;
    assert_eq!(
        (
            &body["code"],
            &body["errors"][0]["field"],
            &body["errors"][0]["code"]
        ),
        (&json!("VALIDATION_FAILED"), &json!("email"), &json!("REQUIRED"))
    );
    let used = site.post(PATH, &declared()).header("idempotency-key", "used");
    assert_eq!(problem(used).await, (409, "IDEMPOTENCY_CONFLICT".into()));
}

#[tokio::test]
async fn one_client_declares_only_so_often() {
    let site = Site::with(&[("AUTH_RATE_PER_MINUTE", "2")]).await;
    for _ in 0..2 {
        assert_eq!(site.post(PATH, &declared()).send().await.unwrap().status(), 202);
    }
    assert_eq!(
        problem(site.post(PATH, &declared())).await,
        (429, "RATE_LIMITED".into())
    );
}

#[tokio::test]
async fn plans_are_listed_in_major_units_for_their_owner() {
    let site = Site::start().await;
    let plans = |id: &str| {
        let path = format!("/api/subscriptions/{id}/plans");
        site.request("GET", &path).header("cookie", crate::site::COOKIE)
    };
    let body = body_of(plans("sub_1").send().await.unwrap()).await;
    let expected = json!({"plans": [
        {"campaign": "web-monthly", "coupon_code": "", "price_id": "prc_web-monthly", "price": 199.99,
         "currency": "TRY", "period_months": 1, "current": true, "starts_at": null},
        {"campaign": "web-lite", "coupon_code": "", "price_id": "prc_web-lite", "price": 99.99,
         "currency": "TRY", "period_months": 1, "current": false, "starts_at": "2026-12-20T12:00:00Z"},
        {"campaign": "web-annual", "coupon_code": "", "price_id": "prc_web-annual", "price": 999.99,
         "currency": "TRY", "period_months": 12, "current": false, "starts_at": null},
    ]});
    assert_eq!(body, expected);
    assert_eq!(
        problem(plans("sub_2")).await,
        (404, "UNKNOWN_SUBSCRIPTION".into())
    );
}
