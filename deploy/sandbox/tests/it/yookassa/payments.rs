use axum::http::StatusCode;
use chrono::TimeDelta;
use sandbox::yookassa::{BuyerAction, Card, Outcome, ThreeDSecure};
use serde_json::json;

use super::merchant::{GOOD, Merchant, asked, refusal};
use crate::support::{WebhookReceiver, deliveries_done, text};

#[tokio::test]
async fn a_payment_in_the_widget_sends_a_notification() {
    let receiver = WebhookReceiver::open().await;
    let merchant = Merchant::open().await;
    merchant.sandbox.yookassa().listen(&receiver.url);
    receiver.answer_with(StatusCode::ACCEPTED);
    let payment = merchant.payment(&json!({})).await;
    assert_eq!(
        (text(&payment["status"]), &payment["paid"]),
        ("pending".into(), &json!(false))
    );
    assert_eq!(merchant.pay(&payment, GOOD), Outcome::Paid);
    let paid = merchant.fresh(&payment).await;
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["captured_at"], "2026-11-20T12:00:00.000Z");
    assert_eq!(paid["income_amount"]["value"], "96.50");
    assert_eq!(paid["payment_method"]["card"]["last4"], "4444");
    assert_eq!(paid["metadata"]["order"], "ord_1");
    assert!(paid.get("confirmation").is_none());
    receiver.wait_for(|received| received.len() == 1).await;
    deliveries_done(&merchant.sandbox).await;
    receiver.answer_with(StatusCode::OK);
    merchant.sandbox.advance(TimeDelta::seconds(11)).await.unwrap();
    let webhooks = receiver.wait_for(|received| received.len() == 2).await;
    assert_eq!(webhooks[1].kind(), "payment.succeeded", "only 200 is acceptance");
    assert_eq!(webhooks[1].event()["object"], paid);
    merchant.sandbox.advance(TimeDelta::days(2)).await.unwrap();
    deliveries_done(&merchant.sandbox).await;
    assert_eq!(receiver.received().len(), 2);
}

#[tokio::test]
async fn a_refused_card_may_be_followed_by_another_in_the_widget() {
    let merchant = Merchant::open().await;
    let payment = merchant.payment(&json!({})).await;
    let refused = Outcome::Declined {
        reason: "insufficient_funds".into(),
    };
    assert_eq!(merchant.pay(&payment, "5555555555554600"), refused);
    assert_eq!(merchant.fresh(&payment).await["status"], "pending");
    assert_eq!(merchant.pay(&payment, GOOD), Outcome::Paid);

    let given_up = merchant.payment(&json!({})).await;
    merchant.pay(&given_up, "5555555555554600");
    assert_eq!(merchant.act(&given_up, &BuyerAction::Abandon), Outcome::Failed);
    let canceled = merchant.fresh(&given_up).await;
    assert_eq!(canceled["status"], "canceled");
    assert_eq!(
        canceled["cancellation_details"],
        json!({ "party": "payment_network", "reason": "insufficient_funds" })
    );
}

#[tokio::test]
async fn a_decline_on_the_redirect_page_cancels_the_payment() {
    let merchant = Merchant::open().await;
    let redirect =
        json!({ "confirmation": { "type": "redirect", "return_url": "http://shop.example/back" } });
    let payment = merchant.payment(&redirect).await;
    assert!(
        text(&payment["confirmation"]["confirmation_url"])
            .contains("/yookassa/api-pages/v2/payment-confirm/epl?orderId=")
    );
    merchant.pay(&payment, "5555555555554584");
    let details = merchant.fresh(&payment).await["cancellation_details"].clone();
    assert_eq!(
        details,
        json!({ "party": "yoo_money", "reason": "country_forbidden" })
    );
}

#[tokio::test]
async fn a_bank_may_ask_take_its_time_or_never_be_reached() {
    let merchant = Merchant::open().await;
    let payment = merchant.payment(&json!({})).await;
    assert_eq!(
        merchant.pay(&payment, "5555555555554477"),
        Outcome::RequiresAuthentication
    );
    let answer = |secure| {
        BuyerAction::Pay(Card {
            three_d_secure: Some(secure),
            ..Card::number("5555555555554477")
        })
    };
    let denied = Outcome::Declined {
        reason: "3d_secure_failed".into(),
    };
    assert_eq!(merchant.act(&payment, &answer(ThreeDSecure::Denied)), denied);
    assert_eq!(
        merchant.act(&payment, &answer(ThreeDSecure::Confirmed)),
        Outcome::Paid
    );

    let slow = merchant.payment(&json!({})).await;
    let later = BuyerAction::Pay(Card {
        after_secs: 600,
        ..Card::number(GOOD)
    });
    assert_eq!(merchant.act(&slow, &later), Outcome::Pending);
    assert_eq!(merchant.fresh(&slow).await["status"], "pending");
    let unpaid = merchant.payment(&json!({})).await;
    merchant.sandbox.advance(TimeDelta::minutes(61)).await.unwrap();
    assert_eq!(merchant.fresh(&slow).await["status"], "succeeded");
    assert_eq!(
        merchant.fresh(&unpaid).await["cancellation_details"]["reason"],
        "expired_on_confirmation"
    );
}

#[tokio::test]
async fn an_authorised_sum_is_captured_cancelled_or_runs_out() {
    let receiver = WebhookReceiver::open().await;
    let merchant = Merchant::open().await;
    merchant.sandbox.yookassa().listen(&receiver.url);
    let mut ids = Vec::new();
    for _ in 0..3 {
        let payment = merchant.payment(&json!({ "capture": false })).await;
        merchant.pay(&payment, GOOD);
        ids.push(text(&payment["id"]));
    }
    let path = |number: usize, verb: &str| format!("/payments/{}/{verb}", ids[number]);
    let part = json!({ "amount": { "value": "60.00", "currency": "RUB" } });
    let captured = merchant.post(&path(0, "capture"), &part).await.ok();
    assert_eq!(
        (text(&captured["status"]), text(&captured["amount"]["value"])),
        ("succeeded".into(), "60.00".into())
    );
    assert_eq!(
        refusal(&merchant.post(&path(0, "cancel"), &json!({})).await),
        (400, "invalid_request".into(), "payment_id".into())
    );
    let canceled = merchant.post(&path(1, "cancel"), &json!({})).await.ok();
    assert_eq!(
        canceled["cancellation_details"],
        json!({ "party": "merchant", "reason": "canceled_by_merchant" })
    );
    merchant.sandbox.advance(TimeDelta::days(8)).await.unwrap();
    let forgotten = merchant.get(&format!("/payments/{}", ids[2])).await;
    assert_eq!(forgotten["cancellation_details"]["reason"], "expired_on_capture");
    receiver.wait_for(|received| received.len() == 6).await;
    assert_eq!(
        receiver
            .kinds()
            .iter()
            .filter(|kind| *kind == "payment.waiting_for_capture")
            .count(),
        3
    );
}

#[tokio::test]
async fn a_saved_card_is_charged_without_the_buyer() {
    let merchant = Merchant::open().await;
    let payment = merchant.payment(&json!({ "save_payment_method": true })).await;
    merchant.pay(&payment, GOOD);
    let method = text(&merchant.fresh(&payment).await["payment_method"]["id"]);
    let again = json!({ "payment_method_id": method, "confirmation": null });
    assert_eq!(merchant.payment(&again).await["status"], "succeeded");
    merchant
        .sandbox
        .yookassa()
        .set_decline(&method, Some("permission_revoked"))
        .unwrap();
    let refused = merchant.payment(&again).await;
    assert_eq!(refused["cancellation_details"]["reason"], "permission_revoked");

    let unsaved = merchant.payment(&json!({})).await;
    merchant.pay(&unsaved, GOOD);
    let method = merchant.fresh(&unsaved).await["payment_method"]["id"].clone();
    let refused = merchant
        .post("/payments", &asked(&json!({ "payment_method_id": method })))
        .await;
    assert_eq!(
        refusal(&refused),
        (400, "invalid_request".into(), "payment_method_id".into())
    );
}

#[tokio::test]
async fn a_payment_is_paid_back_in_parts_and_never_more_than_it_was() {
    let merchant = Merchant::open().await;
    let payment = merchant.payment(&json!({})).await;
    let ask =
        |value: &str| json!({ "payment_id": payment["id"], "amount": { "value": value, "currency": "RUB" } });
    assert_eq!(
        refusal(&merchant.post("/refunds", &ask("1.00")).await),
        (400, "invalid_request".into(), "payment_id".into())
    );
    merchant.pay(&payment, GOOD);
    let refund = merchant.post("/refunds", &ask("40.00")).await.ok();
    assert_eq!(refund["status"], "succeeded");
    assert_eq!(
        refusal(&merchant.post("/refunds", &ask("60.01")).await).2,
        "amount.value"
    );
    merchant.post("/refunds", &ask("60.00")).await.ok();
    let back = merchant.fresh(&payment).await;
    assert_eq!(
        (text(&back["refunded_amount"]["value"]), &back["refundable"]),
        ("100.00".into(), &json!(false))
    );
    assert_eq!(
        merchant.get(&format!("/refunds/{}", text(&refund["id"]))).await,
        refund
    );
    let listed = merchant
        .get(&format!("/refunds?payment_id={}&limit=1", text(&payment["id"])))
        .await;
    assert_eq!(
        (listed["items"].as_array().unwrap().len(), &listed["next_cursor"]),
        (1, &refund["id"])
    );
}
