use chrono::TimeDelta;
use reqwest::Method;
use sandbox::{Action, Fault, paypal::Buyer};
use serde_json::json;

use super::shop::{CLIENT, SUBSCRIPTIONS, Shop, WEBHOOK, issue};
use crate::support::{Ear, send, settled, text};

#[tokio::test]
async fn the_same_request_id_makes_one_subscription_even_when_the_answer_is_lost() {
    let shop = Shop::open().await;
    let plan = shop.monthly().await;
    let ask = |plan: &str| {
        let request = shop
            .request(Method::POST, SUBSCRIPTIONS)
            .header("paypal-request-id", "k1");
        request.json(&json!({ "plan_id": plan }))
    };
    shop.sandbox.faults().add(Fault::on(
        "POST",
        "/paypal/v1/billing/subscriptions",
        Action::DropAfterCommit {},
    ));
    assert!(send(ask(&plan)).await.is_err());
    let first = send(ask(&plan)).await.unwrap();
    let second = send(ask(&plan)).await.unwrap();
    assert_eq!((first.status, &first.body), (201, &second.body));
    let created = shop
        .events()
        .await
        .iter()
        .filter(|name| *name == "BILLING.SUBSCRIPTION.CREATED")
        .count();
    assert_eq!(created, 1);
    assert_eq!(
        issue(&send(ask("P-OTHER")).await.unwrap()).2,
        "PAYPAL_REQUEST_ID_PREVIOUSLY_USED"
    );
}

#[tokio::test]
async fn nobody_gets_in_without_the_right_secret() {
    let shop = Shop::open().await;
    let refused = shop.sign_in("wrong").await;
    assert_eq!(
        (refused.status, text(&refused.body["error"])),
        (401, "invalid_client".into())
    );
    let browser = text(&shop.sign_in("").await.ok()["access_token"]);
    let webhooks = "/v1/notifications/webhooks";
    let with = |token: &str| {
        shop.http
            .get(format!("{}{webhooks}", shop.sandbox.paypal_base()))
            .bearer_auth(token)
    };
    assert_eq!(issue(&send(with(&browser)).await.unwrap()).1, "NOT_AUTHORIZED");
    let forged = send(with(&format!("{}0", shop.token()))).await.unwrap();
    assert_eq!(
        (forged.status, text(&forged.body["error"])),
        (401, "invalid_token".into())
    );
    let none = send(shop.http.get(format!("{}{webhooks}", shop.sandbox.paypal_base())))
        .await
        .unwrap();
    assert_eq!(issue(&none).1, "AUTHENTICATION_FAILURE");
    shop.sandbox.advance(TimeDelta::hours(9)).await.unwrap();
    assert_eq!(
        send(shop.request(Method::GET, webhooks)).await.unwrap().status,
        401,
        "a token lives nine hours"
    );
    shop.sign_in_again().await;
    shop.get(webhooks).await;
}

#[tokio::test]
async fn what_is_not_understood_is_refused_by_its_place() {
    let shop = Shop::open().await;
    let broken = shop
        .request(Method::POST, SUBSCRIPTIONS)
        .header("content-type", "application/json")
        .body("{");
    assert_eq!(
        issue(&send(broken).await.unwrap()),
        (400, "INVALID_REQUEST".into(), "MALFORMED_REQUEST_JSON".into())
    );
    let form = shop
        .request(Method::POST, SUBSCRIPTIONS)
        .form(&[("plan_id", "P-1")]);
    assert_eq!(send(form).await.unwrap().status, 415);
    let missing = shop.post(SUBSCRIPTIONS, &json!({})).await;
    assert_eq!(missing.body["details"][0]["field"], "/plan_id");
    assert_eq!(
        missing.body["debug_id"],
        missing.headers["paypal-debug-id"].to_str().unwrap()
    );
    assert_eq!(
        issue(&shop.post(SUBSCRIPTIONS, &json!({ "plan_id": 7 })).await).2,
        "INVALID_PARAMETER_VALUE"
    );
    let unknown = shop.post(SUBSCRIPTIONS, &json!({ "plan_id": "P-1" })).await;
    assert_eq!(
        issue(&unknown),
        (404, "RESOURCE_NOT_FOUND".into(), "INVALID_RESOURCE_ID".into())
    );
    let plan = shop.monthly().await;
    shop.post(&format!("/v1/billing/plans/{plan}/deactivate"), &json!({}))
        .await;
    assert_eq!(
        issue(&shop.post(SUBSCRIPTIONS, &json!({ "plan_id": plan })).await).2,
        "PLAN_STATUS_INVALID"
    );
}

#[tokio::test]
async fn webhooks_are_signed_and_tried_again_and_can_be_verified() {
    let ear = Ear::open().await;
    let shop = Shop::open().await;
    shop.sandbox.paypal().listen(&ear.url, WEBHOOK);
    ear.answer_with(axum::http::StatusCode::SERVICE_UNAVAILABLE);
    let plan = shop.monthly().await;
    ear.wait_for(|heard| heard.len() == 1).await;
    settled(&shop.sandbox).await;
    ear.answer_with(axum::http::StatusCode::OK);
    shop.sandbox.advance(TimeDelta::seconds(61)).await.unwrap();
    let heard = ear.wait_for(|heard| heard.len() == 2).await;
    assert_eq!(heard[0].event()["id"], heard[1].event()["id"]);
    shop.subscribe(&plan, Buyer::Rich).await;
    let heard = ear
        .wait_for(|heard| heard.iter().any(|one| one.kind() == "PAYMENT.SALE.COMPLETED"))
        .await;
    let sale = heard
        .iter()
        .find(|one| one.kind() == "PAYMENT.SALE.COMPLETED")
        .unwrap();
    assert_eq!(sale.event()["resource"]["custom"], "ord_1");

    let certificate = reqwest::get(sale.header("paypal-cert-url"))
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(certificate.starts_with("-----BEGIN CERTIFICATE-----"));
    let mut asked = json!({
        "auth_algo": sale.header("paypal-auth-algo"), "cert_url": sale.header("paypal-cert-url"),
        "transmission_id": sale.header("paypal-transmission-id"), "transmission_sig": sale.header("paypal-transmission-sig"),
        "transmission_time": sale.header("paypal-transmission-time"), "webhook_id": WEBHOOK, "webhook_event": sale.event(),
    });
    let verify = "/v1/notifications/verify-webhook-signature";
    assert_eq!(
        shop.post(verify, &asked).await.ok()["verification_status"],
        "SUCCESS"
    );
    asked["webhook_event"]["resource"]["amount"]["total"] = "0.01".into();
    assert_eq!(
        shop.post(verify, &asked).await.ok()["verification_status"],
        "FAILURE"
    );
}

#[tokio::test]
async fn the_script_and_the_page_are_served() {
    let shop = Shop::open().await;
    let base = shop.sandbox.base();
    let script = format!("{base}/paypal/sdk/js?client-id={CLIENT}&vault=true&intent=subscription");
    for (url, kind) in [
        (script, "text/javascript"),
        (
            format!("{base}/paypal/webapps/billing/subscriptions?ba_token=BA-1"),
            "text/html",
        ),
        (format!("{base}/sandbox/paypal/approval.js"), "text/javascript"),
        (format!("{base}/sandbox/windows/page.js"), "text/javascript"),
        (format!("{base}/sandbox/windows/window.css"), "text/css"),
    ] {
        let response = reqwest::get(&url).await.unwrap();
        assert_eq!(response.status().as_u16(), 200, "{url}");
        assert!(
            response.headers()["content-type"]
                .to_str()
                .unwrap()
                .starts_with(kind),
            "{url}"
        );
    }
    for query in [
        "client-id=nobody&vault=true",
        &format!("client-id={CLIENT}&intent=subscription"),
    ] {
        let response = reqwest::get(format!("{base}/paypal/sdk/js?{query}"))
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), 400, "{query}");
    }
    let plan = shop.monthly().await;
    let door = format!("{base}/sandbox/paypal/approvals/{}", shop.ask(&plan).await);
    let waiting = send(shop.http.get(&door)).await.unwrap().ok();
    assert_eq!(waiting["cycles"][0]["price"], "12.00");
    let agree = shop.http.post(&door).json(&json!({ "approve": "rich" }));
    assert!(send(agree).await.unwrap().ok()["subscriptionID"].is_string());
    let again = shop.http.post(&door).json(&json!({ "approve": "rich" }));
    assert_eq!(send(again).await.unwrap().status, 409);
}
