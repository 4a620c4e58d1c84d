use axum::http::StatusCode;
use chrono::TimeDelta;
use reqwest::Method;
use sandbox::{Action, Fault};
use serde_json::json;

use super::shop::{GOOD, SHOP, Shop, asked, refusal};
use crate::support::{Ear, send, settled, text};

#[tokio::test]
async fn a_notification_that_nobody_takes_is_sent_for_a_day() {
    let ear = Ear::open().await;
    let shop = Shop::open().await;
    shop.sandbox.yookassa().listen(&ear.url);
    ear.answer_with(StatusCode::INTERNAL_SERVER_ERROR);
    let payment = shop.payment(&json!({})).await;
    shop.pay(&payment, GOOD);
    for tries in 1..=14 {
        ear.wait_for(|heard| heard.len() == tries).await;
        settled(&shop.sandbox).await;
        shop.sandbox.advance(TimeDelta::hours(3)).await.unwrap();
    }
    shop.sandbox.advance(TimeDelta::days(2)).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(ear.heard().len(), 14);
}

#[tokio::test]
async fn the_same_key_makes_one_payment_even_when_the_answer_is_lost() {
    let shop = Shop::open().await;
    let ask = |value: &str| {
        let body = asked(&json!({ "amount": { "value": value, "currency": "RUB" } }));
        shop.request(Method::POST, "/payments")
            .header("idempotence-key", "k1")
            .json(&body)
    };
    shop.sandbox.faults().add(Fault::on(
        "POST",
        "/yookassa/v3/payments",
        Action::DropAfterCommit {},
    ));
    assert!(send(ask("10.00")).await.is_err());
    let first = send(ask("10.00")).await.unwrap().ok();
    let second = send(ask("10.00")).await.unwrap().ok();
    assert_eq!(first, second);
    assert_eq!(shop.get("/payments").await["items"].as_array().unwrap().len(), 1);
    assert_eq!(
        refusal(&send(ask("11.00")).await.unwrap()),
        (400, "invalid_request".into(), "Idempotence-Key".into())
    );
    shop.sandbox.advance(TimeDelta::hours(25)).await.unwrap();
    assert_ne!(send(ask("10.00")).await.unwrap().ok()["id"], first["id"]);
}

#[tokio::test]
async fn nobody_gets_in_without_the_key() {
    let shop = Shop::open().await;
    assert_eq!(shop.get("/me").await["account_id"], SHOP);
    let url = format!("{}/v3/payments", shop.sandbox.yookassa_base());
    let wrong = send(shop.http.get(&url).basic_auth(SHOP, Some("wrong")))
        .await
        .unwrap();
    assert_eq!(
        (wrong.status, text(&wrong.body["code"])),
        (401, "invalid_credentials".into())
    );
    assert_eq!(text(&wrong.body["type"]), "error");
    let keyless = send(shop.request(Method::POST, "/payments").json(&asked(&json!({}))))
        .await
        .unwrap();
    assert_eq!(refusal(&keyless).2, "Idempotence-Key");
}

#[tokio::test]
async fn what_is_not_understood_is_refused_by_its_parameter() {
    let shop = Shop::open().await;
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
            refusal(&shop.post("/payments", &asked(&more)).await),
            (400, "invalid_request".into(), parameter.into())
        );
    }
    let broken = shop
        .request(Method::POST, "/payments")
        .header("idempotence-key", "k");
    let broken = send(broken.header("content-type", "application/json").body("{"))
        .await
        .unwrap();
    assert_eq!(refusal(&broken).1, "invalid_request");
    let unknown = send(shop.request(Method::GET, "/payments/nothing"))
        .await
        .unwrap();
    assert_eq!(refusal(&unknown), (404, "not_found".into(), "payment_id".into()));
}

#[tokio::test]
async fn an_outage_is_said_in_the_providers_words() {
    let shop = Shop::open().await;
    shop.sandbox.faults().add(Fault::on(
        "GET",
        "/yookassa/v3/me",
        Action::Error {
            status: 500,
            body: None,
            kept: None,
        },
    ));
    let down = send(shop.request(Method::GET, "/me")).await.unwrap();
    assert_eq!(
        (down.status, text(&down.body["code"])),
        (500, "internal_server_error".into())
    );
}

#[tokio::test]
async fn the_widget_and_its_page_are_served() {
    let shop = Shop::open().await;
    let base = shop.sandbox.base();
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
    let payment = shop.payment(&json!({})).await;
    let door = format!(
        "{base}/sandbox/yookassa/payments/{}",
        text(&payment["confirmation"]["confirmation_token"])
    );
    assert_eq!(
        send(shop.http.get(&door)).await.unwrap().ok()["amount"]["value"],
        "100.00"
    );
    let no_card = shop
        .http
        .post(&door)
        .json(&json!({ "pay": { "number": "4242424242424242" } }));
    assert_eq!(send(no_card).await.unwrap().status, 422);
    let good = shop.http.post(&door).json(&json!({ "pay": { "number": GOOD } }));
    assert_eq!(send(good).await.unwrap().ok()["outcome"], "paid");
}
