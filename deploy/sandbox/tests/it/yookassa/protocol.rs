use axum::http::StatusCode;
use chrono::TimeDelta;
use reqwest::Method;
use sandbox::{Action, Fault};
use serde_json::json;

use super::merchant::{GOOD, Merchant, SHOP, asked, refusal};
use crate::support::{WebhookReceiver, deliveries_done, send, text};

#[tokio::test]
async fn an_unacknowledged_notification_is_retried_for_a_day() {
    let receiver = WebhookReceiver::open().await;
    let merchant = Merchant::open().await;
    merchant.sandbox.yookassa().listen(&receiver.url);
    receiver.answer_with(StatusCode::INTERNAL_SERVER_ERROR);
    let payment = merchant.payment(&json!({})).await;
    merchant.pay(&payment, GOOD);
    for tries in 1..=14 {
        receiver.wait_for(|received| received.len() == tries).await;
        deliveries_done(&merchant.sandbox).await;
        merchant.sandbox.advance(TimeDelta::hours(3)).await.unwrap();
    }
    merchant.sandbox.advance(TimeDelta::days(2)).await.unwrap();
    deliveries_done(&merchant.sandbox).await;
    assert_eq!(receiver.received().len(), 14);
}

#[tokio::test]
async fn the_same_key_makes_one_payment_even_when_the_answer_is_lost() {
    let merchant = Merchant::open().await;
    let ask = |value: &str| {
        let body = asked(&json!({ "amount": { "value": value, "currency": "RUB" } }));
        merchant
            .request(Method::POST, "/payments")
            .header("idempotence-key", "k1")
            .json(&body)
    };
    merchant.sandbox.faults().add(Fault::on(
        "POST",
        "/yookassa/v3/payments",
        Action::DropAfterCommit {},
    ));
    assert!(send(ask("10.00")).await.is_err());
    let first = send(ask("10.00")).await.unwrap().ok();
    let second = send(ask("10.00")).await.unwrap().ok();
    assert_eq!(first, second);
    assert_eq!(
        merchant.get("/payments").await["items"].as_array().unwrap().len(),
        1
    );
    assert_eq!(
        refusal(&send(ask("11.00")).await.unwrap()),
        (400, "invalid_request".into(), "Idempotence-Key".into())
    );
    merchant.sandbox.advance(TimeDelta::hours(25)).await.unwrap();
    assert_ne!(send(ask("10.00")).await.unwrap().ok()["id"], first["id"]);
}

#[tokio::test]
async fn a_wrong_key_is_rejected() {
    let merchant = Merchant::open().await;
    assert_eq!(merchant.get("/me").await["account_id"], SHOP);
    let url = format!("{}/v3/payments", merchant.sandbox.yookassa_base());
    let wrong = send(merchant.http.get(&url).basic_auth(SHOP, Some("wrong")))
        .await
        .unwrap();
    assert_eq!(
        (wrong.status, text(&wrong.body["code"])),
        (401, "invalid_credentials".into())
    );
    assert_eq!(text(&wrong.body["type"]), "error");
    let keyless = send(
        merchant
            .request(Method::POST, "/payments")
            .json(&asked(&json!({}))),
    )
    .await
    .unwrap();
    assert_eq!(refusal(&keyless).2, "Idempotence-Key");
}

#[tokio::test]
async fn what_is_not_understood_is_refused_by_its_parameter() {
    let merchant = Merchant::open().await;
    for (more, parameter) in [
        (
            json!({ "amount": { "value": "0.00", "currency": "RUB" } }),
            "amount.value",
        ),
        (
            json!({ "amount": { "value": "1.001", "currency": "RUB" } }),
            "amount.value",
        ),
        (
            json!({ "amount": { "value": 100, "currency": "RUB" } }),
            "amount.value",
        ),
        (
            json!({ "amount": { "value": "1.00", "currency": "RUR!" } }),
            "amount.currency",
        ),
        (json!({ "confirmation": {} }), "confirmation.type"),
        (
            json!({ "confirmation": { "type": "redirect" } }),
            "confirmation.return_url",
        ),
        (json!({ "metadata": { "order": 1 } }), "metadata"),
        (
            json!({ "receipt": { "customer": { "email": "a@b.c" } } }),
            "receipt.items",
        ),
        (json!({ "description": "x".repeat(129) }), "description"),
    ] {
        assert_eq!(
            refusal(&merchant.post("/payments", &asked(&more)).await),
            (400, "invalid_request".into(), parameter.into())
        );
    }
    let broken = merchant
        .request(Method::POST, "/payments")
        .header("idempotence-key", "k");
    let broken = send(broken.header("content-type", "application/json").body("{"))
        .await
        .unwrap();
    assert_eq!(refusal(&broken).1, "invalid_request");
    let unknown = send(merchant.request(Method::GET, "/payments/nothing"))
        .await
        .unwrap();
    assert_eq!(refusal(&unknown), (404, "not_found".into(), "payment_id".into()));
}

#[tokio::test]
async fn an_outage_has_the_providers_error_body() {
    let merchant = Merchant::open().await;
    merchant.sandbox.faults().add(Fault::on(
        "GET",
        "/yookassa/v3/me",
        Action::Error {
            status: 500,
            body: None,
            stored: None,
        },
    ));
    let down = send(merchant.request(Method::GET, "/me")).await.unwrap();
    assert_eq!(
        (down.status, text(&down.body["code"])),
        (500, "internal_server_error".into())
    );
}

#[tokio::test]
async fn the_widget_and_its_page_are_served() {
    let merchant = Merchant::open().await;
    let base = merchant.sandbox.base();
    for (path, kind) in [
        (
            "/yookassa/checkout-widget/v1/checkout-widget.js",
            "text/javascript",
        ),
        ("/yookassa/checkout?token=ct-1", "text/html"),
        (
            "/yookassa/api-pages/v2/payment-confirm/epl?orderId=1",
            "text/html",
        ),
        ("/sandbox/yookassa/checkout.js", "text/javascript"),
    ] {
        let response = reqwest::get(format!("{base}{path}")).await.unwrap();
        assert_eq!(response.status().as_u16(), 200, "{path}");
        assert!(
            response.headers()["content-type"]
                .to_str()
                .unwrap()
                .starts_with(kind),
            "{path}"
        );
    }
    let payment = merchant.payment(&json!({})).await;
    let door = format!(
        "{base}/sandbox/yookassa/payments/{}",
        text(&payment["confirmation"]["confirmation_token"])
    );
    assert_eq!(
        send(merchant.http.get(&door)).await.unwrap().ok()["amount"]["value"],
        "100.00"
    );
    let no_card = merchant
        .http
        .post(&door)
        .json(&json!({ "pay": { "number": "4242424242424242" } }));
    assert_eq!(send(no_card).await.unwrap().status, 422);
    let good = merchant
        .http
        .post(&door)
        .json(&json!({ "pay": { "number": GOOD } }));
    assert_eq!(send(good).await.unwrap().ok()["outcome"], "paid");
}
