//! What is paid once, and what pages say of it afterwards.
use proto::checkout::v1::create_intent_request::Purpose;
use serde_json::{Value, json};

use crate::site::{COOKIE, Site, body_of};

async fn answer(request: reqwest::RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    (response.status().as_u16(), body_of(response).await)
}

#[tokio::test]
async fn secret_is_returned_in_both_places() {
    let site = Site::start().await;
    let asked = json!({"price_id": "prc_1", "language": "tr", "country": "TR"});
    for path in [
        "/api/create-payment-intent",
        "/api/create-trial-price-intent",
        "/api/gift/create-intent",
        "/api/one-time/create-intent",
    ] {
        let (status, body) = answer(site.post_as_member(path, &asked)).await;
        assert_eq!((status, &body["status"]), (200, &json!(true)), "{path}");
        for secret in [
            &body["clientSecret"],
            &body["secret"],
            &body["data"]["clientSecret"],
        ] {
            assert_eq!(*secret, json!("pi_1_secret_2"), "{path}");
        }
    }
}

#[tokio::test]
async fn buyer_comes_from_the_session_and_the_amount_from_the_price() {
    let site = Site::start().await;
    let asked = json!({
        "price_id": "prc_trial", "id": "prc_1", "customer_id": "cus_of_another", "user_id": "usr_of_another",
        "amount": 1, "price": 0.01, "status": 1, "utm_source": "a-letter", "source": "therapy_addition",
    });
    answer(site.post_as_member("/api/create-trial-price-intent", &asked)).await;
    let opened = site.services.opened.lock().unwrap().clone().unwrap();
    assert_eq!(opened.purpose(), Purpose::Trial);
    assert_eq!(
        (opened.price_id.as_str(), opened.starts_price_id.as_str()),
        ("prc_trial", "prc_1")
    );
    assert_eq!(opened.source, "therapy_addition");
    assert!(!opened.user_id.is_empty() && opened.user_id != "usr_of_another");
    assert_eq!(opened.tracking.unwrap().parameters["utm_source"], "a-letter");
}

#[tokio::test]
async fn guests_may_buy_gifts_and_what_is_sold_once() {
    let site = Site::start().await;
    for (path, purpose) in [
        ("/api/gift/create-intent", Purpose::Gift),
        ("/api/one-time/create-intent", Purpose::OneTime),
    ] {
        let (_, body) = answer(site.post(path, &json!({"price_id": "prc_1"}))).await;
        assert_eq!(body["clientSecret"], "pi_1_secret_2", "{path}");
        let opened = site.services.opened.lock().unwrap().clone().unwrap();
        assert_eq!((opened.purpose(), opened.user_id.as_str()), (purpose, ""));
        let (status, body) = answer(site.post(path, &json!({}))).await;
        assert_eq!((status, &body["code"]), (200, &json!("UNKNOWN_PRICE")), "{path}");
    }
}

#[tokio::test]
async fn addition_reports_whether_the_page_must_confirm() {
    let site = Site::start().await;
    let asked = site.get("/api/addition/campaigns?filter=therapy_addition&lang=tr");
    let campaigns = answer(asked.header("cookie", COOKIE)).await;
    assert_eq!(campaigns.1["campaigns"][0]["prices"][0]["currency"], "TRY");
    assert_eq!(campaigns.1["card_last4"], "4242");
    let (status, stranger) = answer(site.get("/api/addition/campaigns")).await;
    assert_eq!((status, &stranger["code"]), (200, &json!("V100")));
    assert_eq!(
        (&stranger["status"], &stranger["data"]),
        (&json!(false), &json!(null))
    );

    let path = "/api/addition/confirm";
    let (_, asks) = answer(site.post_as_member(path, &json!({"price_id": "prc_1"}))).await;
    assert_eq!(
        (&asks["status"], &asks["data"]["requiresAction"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(asks["clientSecret"], "pi_1_secret_2");
    let (_, paid) = answer(site.post_as_member(path, &json!({"payment_intent": "pi_paid"}))).await;
    assert_eq!(
        (&paid["status"], &paid["data"]["requiresAction"]),
        (&json!(true), &json!(false))
    );
    let (_, open) = answer(site.post_as_member(path, &json!({"payment_intent": "pi_1"}))).await;
    assert_eq!(
        (&open["status"], &open["code"]),
        (&json!(false), &json!("PAYMENT_INCOMPLETE"))
    );
    let (_, closed) = answer(site.post_as_member(path, &json!({"payment_intent": "pi_closed"}))).await;
    assert_eq!(
        (&closed["status"], &closed["code"]),
        (&json!(false), &json!("PAYMENT_CANCELED"))
    );
    let (_, foreign) = answer(site.post_as_member(path, &json!({"payment_intent": "pi_2"}))).await;
    assert_eq!(
        (&foreign["status"], &foreign["code"]),
        (&json!(false), &json!("UNKNOWN_ORDER"))
    );
}

#[tokio::test]
async fn payment_status_from_a_page_is_ignored() {
    let site = Site::start().await;
    let said = json!({"orderid": "svo_1", "customerid": "follow-up", "status": 1, "email": "a@example.com"});
    let (status, body) = answer(site.post("/specialprogram/payment", &said)).await;
    assert_eq!((status, &body["data"]["status"]), (200, &json!(0)));
    let (_, body) = answer(site.post_as_member("/specialprogram/payment", &said)).await;
    assert_eq!(
        (&body["data"]["status"], &body["error"]),
        (&json!(1), &Value::Null)
    );
    let (_, body) = answer(site.post_as_member("/specialprogram/idupdate", &said)).await;
    assert_eq!(body["data"]["orderid"], "svo_1");
    let (status, body) = answer(site.post("/specialprogram/idupdate", &said)).await;
    assert_eq!((status, &body["error_code"]), (401, &json!("V100")));

    let note = json!({"subscription_id": "I-1", "payment_provider_id": "paypal", "utm_source": "a-letter"});
    let (_, body) = answer(site.post_as_member("/api/subscriptions/meta-data", &note)).await;
    assert_eq!(body["status"], true);
    let (_, body) = answer(site.post_as_member("/api/subscriptions/meta-data", &json!({}))).await;
    assert_eq!(body["code"], "UNKNOWN_SUBSCRIPTION");
}
