use chrono::TimeDelta;
use reqwest::Method;
use sandbox::{Action, Fault, paypal::Buyer};
use serde_json::json;

use super::merchant::{CLIENT, Merchant, SUBSCRIPTIONS, WEBHOOK, issue};
use crate::support::{WebhookReceiver, deliveries_done, send, text};

#[tokio::test]
async fn the_same_request_id_makes_one_subscription_even_when_the_answer_is_lost() {
    let merchant = Merchant::open().await;
    let plan = merchant.monthly().await;
    let ask = |plan: &str| {
        let request = merchant
            .request(Method::POST, SUBSCRIPTIONS)
            .header("paypal-request-id", "k1");
        request.json(&json!({ "plan_id": plan }))
    };
    merchant.sandbox.faults().add(Fault::on(
        "POST",
        "/paypal/v1/billing/subscriptions",
        Action::DropAfterCommit {},
    ));
    assert!(send(ask(&plan)).await.is_err());
    let first = send(ask(&plan)).await.unwrap();
    let second = send(ask(&plan)).await.unwrap();
    assert_eq!((first.status, &first.body), (201, &second.body));
    let created = merchant
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
async fn a_wrong_secret_is_rejected() {
    let merchant = Merchant::open().await;
    let refused = merchant.sign_in("wrong").await;
    assert_eq!(
        (refused.status, text(&refused.body["error"])),
        (401, "invalid_client".into())
    );
    let browser = text(&merchant.sign_in("").await.ok()["access_token"]);
    let webhooks = "/v1/notifications/webhooks";
    let with = |token: &str| {
        merchant
            .http
            .get(format!("{}{webhooks}", merchant.sandbox.paypal_base()))
            .bearer_auth(token)
    };
    assert_eq!(issue(&send(with(&browser)).await.unwrap()).1, "NOT_AUTHORIZED");
    let forged = send(with(&format!("{}0", merchant.token()))).await.unwrap();
    assert_eq!(
        (forged.status, text(&forged.body["error"])),
        (401, "invalid_token".into())
    );
    let none = send(
        merchant
            .http
            .get(format!("{}{webhooks}", merchant.sandbox.paypal_base())),
    )
    .await
    .unwrap();
    assert_eq!(issue(&none).1, "AUTHENTICATION_FAILURE");
    merchant.sandbox.advance(TimeDelta::hours(9)).await.unwrap();
    assert_eq!(
        send(merchant.request(Method::GET, webhooks))
            .await
            .unwrap()
            .status,
        401,
        "a token lives nine hours"
    );
    merchant.sign_in_again().await;
    merchant.get(webhooks).await;
}

#[tokio::test]
async fn what_is_not_understood_is_refused_by_its_place() {
    let merchant = Merchant::open().await;
    let broken = merchant
        .request(Method::POST, SUBSCRIPTIONS)
        .header("content-type", "application/json")
        .body("{");
    assert_eq!(
        issue(&send(broken).await.unwrap()),
        (400, "INVALID_REQUEST".into(), "MALFORMED_REQUEST_JSON".into())
    );
    let form = merchant
        .request(Method::POST, SUBSCRIPTIONS)
        .form(&[("plan_id", "P-1")]);
    assert_eq!(send(form).await.unwrap().status, 415);
    let missing = merchant.post(SUBSCRIPTIONS, &json!({})).await;
    assert_eq!(missing.body["details"][0]["field"], "/plan_id");
    assert_eq!(
        missing.body["debug_id"],
        missing.headers["paypal-debug-id"].to_str().unwrap()
    );
    assert_eq!(
        issue(&merchant.post(SUBSCRIPTIONS, &json!({ "plan_id": 7 })).await).2,
        "INVALID_PARAMETER_VALUE"
    );
    let unknown = merchant.post(SUBSCRIPTIONS, &json!({ "plan_id": "P-1" })).await;
    assert_eq!(
        issue(&unknown),
        (404, "RESOURCE_NOT_FOUND".into(), "INVALID_RESOURCE_ID".into())
    );
    let plan = merchant.monthly().await;
    merchant
        .post(&format!("/v1/billing/plans/{plan}/deactivate"), &json!({}))
        .await;
    assert_eq!(
        issue(&merchant.post(SUBSCRIPTIONS, &json!({ "plan_id": plan })).await).2,
        "PLAN_STATUS_INVALID"
    );
}

#[tokio::test]
async fn webhooks_are_signed_and_tried_again_and_can_be_verified() {
    let receiver = WebhookReceiver::open().await;
    let merchant = Merchant::open().await;
    merchant.sandbox.paypal().listen(&receiver.url, WEBHOOK);
    receiver.answer_with(axum::http::StatusCode::SERVICE_UNAVAILABLE);
    let plan = merchant.monthly().await;
    receiver.wait_for(|received| received.len() == 1).await;
    deliveries_done(&merchant.sandbox).await;
    receiver.answer_with(axum::http::StatusCode::OK);
    merchant.sandbox.advance(TimeDelta::seconds(61)).await.unwrap();
    let webhooks = receiver.wait_for(|received| received.len() == 2).await;
    assert_eq!(webhooks[0].event()["id"], webhooks[1].event()["id"]);
    merchant.subscribe(&plan, Buyer::Rich).await;
    let webhooks = receiver
        .wait_for(|received| received.iter().any(|one| one.kind() == "PAYMENT.SALE.COMPLETED"))
        .await;
    let sale = webhooks
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
        merchant.post(verify, &asked).await.ok()["verification_status"],
        "SUCCESS"
    );
    asked["webhook_event"]["resource"]["amount"]["total"] = "0.01".into();
    assert_eq!(
        merchant.post(verify, &asked).await.ok()["verification_status"],
        "FAILURE"
    );
}

#[tokio::test]
async fn the_script_and_the_page_are_served() {
    let merchant = Merchant::open().await;
    let base = merchant.sandbox.base();
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
        "client-id=unknown&vault=true",
        &format!("client-id={CLIENT}&intent=subscription"),
    ] {
        let response = reqwest::get(format!("{base}/paypal/sdk/js?{query}"))
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), 400, "{query}");
    }
    let plan = merchant.monthly().await;
    let door = format!("{base}/sandbox/paypal/approvals/{}", merchant.ask(&plan).await);
    let waiting = send(merchant.http.get(&door)).await.unwrap().ok();
    assert_eq!(waiting["cycles"][0]["price"], "12.00");
    let agree = merchant.http.post(&door).json(&json!({ "approve": "rich" }));
    assert!(send(agree).await.unwrap().ok()["subscriptionID"].is_string());
    let again = merchant.http.post(&door).json(&json!({ "approve": "rich" }));
    assert_eq!(send(again).await.unwrap().status, 409);
}
