//! Gifts that are paid on a Russian provider's page, at the edge.
use serde_json::json;

use crate::site::{Site, body_of};

const PATH: &str = "/api/platron/transaction/create-gift";

#[tokio::test]
async fn form_and_json_open_the_same_pages() {
    let site = Site::start().await;
    let fields = [
        ("full_name", "Ada Lovelace"),
        ("email", "ada@example.com"),
        ("price_id", "prc_1"),
        ("amount", "1"),
        ("pg_captured", "1"),
    ];
    let form = site.request("POST", PATH).form(&fields);
    let object: serde_json::Map<_, _> = fields
        .iter()
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    let as_json = site.request("POST", PATH).json(&object);
    for asked in [form, as_json] {
        let response = asked.header("idempotency-key", "k-1").send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["cache-control"], "no-store");
        let body = body_of(response).await;
        assert_eq!((&body["status"], &body["code"]), (&json!(true), &json!(null)));
        assert_eq!(body["confirmation_token"], "ct-1");
        assert_eq!(body["data"]["confirmation_token"], "ct-1");
        assert!(
            body["redirect_url"]
                .as_str()
                .unwrap()
                .starts_with("https://www.platron.ru/")
        );
        assert_eq!(body["data"]["redirect_url"], body["redirect_url"]);

        let gifted = site.services.gifted.lock().unwrap().take().unwrap();
        assert_eq!(
            (gifted.full_name.as_str(), gifted.email.as_str()),
            ("Ada Lovelace", "ada@example.com")
        );
        assert_eq!(
            (gifted.price_id.as_str(), gifted.idempotency_key.as_str()),
            ("prc_1", "k-1")
        );
    }
}

#[tokio::test]
async fn what_is_missing_is_named_in_the_envelope() {
    let site = Site::start().await;
    let asked = site.request("POST", PATH).form(&[("full_name", "Ada")]);
    let response = asked.send().await.unwrap();
    assert_eq!(response.status(), 422);
    let body = body_of(response).await;
    assert_eq!((&body["status"], &body["data"]), (&json!(false), &json!(null)));
    assert_eq!(body["errors"][0]["field"], "email");
}
