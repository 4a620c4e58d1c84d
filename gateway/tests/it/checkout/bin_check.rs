//! Which cards are part of a bank's offer, in the envelope of lab calls.
use kit::requester::Requester;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::site::{Site, body_of};

async fn answer(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    (response.status().as_u16(), body_of(response).await)
}

#[tokio::test]
async fn card_is_part_of_the_offer_or_not() {
    let site = Site::start().await;
    for (card, error, campaign) in [
        (json!("440776"), false, json!("teb40")),
        (json!(44_077_612), false, json!("teb40")),
        (json!(" 424242 "), true, Value::Null),
    ] {
        let expected = json!({
            "data": {"error": error, "campaign": campaign}, "error": null, "error_code": null,
        });
        let asked = answer(site.post("/bincheck", &json!({ "card": card }))).await;
        assert_eq!(asked, (200, expected));
    }
    let form = site.request("POST", "/bincheck").form(&[("card", "440776")]);
    assert_eq!(answer(form).await.1["data"]["error"], false);
}

#[tokio::test]
async fn language_and_country_of_the_page_reach_the_services() {
    let site = Site::with(&[("COUNTRY_HEADER", "cf-ipcountry")]).await;
    let page = format!("{}/tr/payment/teb40/", site.origin);
    let request = site
        .post("/bincheck", &json!({"card": "440776"}))
        .header("referer", page)
        .header("accept-language", "en-US")
        .header("cf-ipcountry", "TR");
    answer(request).await;
    let known = site.services.requester.lock().unwrap().clone();
    assert_eq!(known, Some(Requester::new("tr", "TR")));

    // A provider's call has no person behind it.
    let webhook = site
        .request("POST", "/webhooks/stripe")
        .header("accept-language", "en-US")
        .header("stripe-signature", "signs {}")
        .body("{}");
    assert_eq!(answer(webhook).await.0, 200);
    let known = site.services.requester.lock().unwrap().clone();
    assert_eq!(known, Some(Requester::default()));
}

#[tokio::test]
async fn whole_card_number_is_refused_and_not_echoed() {
    let site = Site::start().await;
    for card in [
        json!("4407761234567890"),
        json!(4_407_761_234_567_890_u64),
        json!(["4407761234567890"]),
    ] {
        let (status, body) = answer(site.post("/bincheck", &json!({ "card": card }))).await;
        assert!(status == 422 || status == 400, "{status} {body}");
        assert!(
            body["data"].is_null() && !body.to_string().contains("4407"),
            "{body}"
        );
    }
}
