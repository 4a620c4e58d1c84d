use axum::http::StatusCode;
use chrono::TimeDelta;
use sandbox::yookassa::{Card, Deed, Outcome, Secure};
use serde_json::json;

use super::shop::{GOOD, Shop, asked, refusal};
use crate::support::{Ear, settled, text};

#[tokio::test]
async fn somebody_pays_in_the_widget_and_the_merchant_hears_of_it() {
    let ear = Ear::open().await;
    let shop = Shop::open().await;
    shop.sandbox.yookassa().listen(&ear.url);
    ear.answer_with(StatusCode::ACCEPTED);
    let payment = shop.payment(&json!({})).await;
    assert_eq!(
        (text(&payment["status"]), &payment["paid"]),
        ("pending".into(), &json!(false))
    );
    assert_eq!(shop.pay(&payment, GOOD), Outcome::Paid);
    let paid = shop.fresh(&payment).await;
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["captured_at"], "2026-11-20T12:00:00.000Z");
    assert_eq!(paid["income_amount"]["value"], "96.50");
    assert_eq!(paid["payment_method"]["card"]["last4"], "4444");
    assert_eq!(paid["metadata"]["order"], "ord_1");
    assert!(paid.get("confirmation").is_none());
    ear.wait_for(|heard| heard.len() == 1).await;
    settled(&shop.sandbox).await;
    ear.answer_with(StatusCode::OK);
    shop.sandbox.advance(TimeDelta::seconds(11)).await.unwrap();
    let heard = ear.wait_for(|heard| heard.len() == 2).await;
    assert_eq!(heard[1].kind(), "payment.succeeded", "only 200 is acceptance");
    assert_eq!(heard[1].event()["object"], paid);
    shop.sandbox.advance(TimeDelta::days(2)).await.unwrap();
    assert_eq!(ear.heard().len(), 2);
}

#[tokio::test]
async fn a_refused_card_may_be_followed_by_another_in_the_widget() {
    let shop = Shop::open().await;
    let payment = shop.payment(&json!({})).await;
    let refused = Outcome::Refused {
        reason: "insufficient_funds".into(),
    };
    assert_eq!(shop.pay(&payment, "5555555555554600"), refused);
    assert_eq!(shop.fresh(&payment).await["status"], "pending");
    assert_eq!(shop.pay(&payment, GOOD), Outcome::Paid);

    let given_up = shop.payment(&json!({})).await;
    shop.pay(&given_up, "5555555555554600");
    assert_eq!(shop.act(&given_up, &Deed::GiveUp), Outcome::Failed);
    let canceled = shop.fresh(&given_up).await;
    assert_eq!(canceled["status"], "canceled");
    assert_eq!(
        canceled["cancellation_details"],
        json!({ "party": "payment_network", "reason": "insufficient_funds" })
    );
}

#[tokio::test]
async fn whoever_was_sent_to_the_page_comes_back_refused() {
    let shop = Shop::open().await;
    let redirect =
        json!({ "confirmation": { "type": "redirect", "return_url": "http://shop.example/back" } });
    let payment = shop.payment(&redirect).await;
    assert!(
        text(&payment["confirmation"]["confirmation_url"])
            .contains("/yookassa/api-pages/v2/payment-confirm/epl?orderId=")
    );
    shop.pay(&payment, "5555555555554584");
    let details = shop.fresh(&payment).await["cancellation_details"].clone();
    assert_eq!(
        details,
        json!({ "party": "yoo_money", "reason": "country_forbidden" })
    );
}

#[tokio::test]
async fn a_bank_may_ask_take_its_time_or_never_be_reached() {
    let shop = Shop::open().await;
    let payment = shop.payment(&json!({})).await;
    assert_eq!(shop.pay(&payment, "5555555555554477"), Outcome::AskedByBank);
    let answer = |secure| {
        Deed::Pay(Card {
            secure: Some(secure),
            ..Card::number("5555555555554477")
        })
    };
    let denied = Outcome::Refused {
        reason: "3d_secure_failed".into(),
    };
    assert_eq!(shop.act(&payment, &answer(Secure::Denied)), denied);
    assert_eq!(shop.act(&payment, &answer(Secure::Confirmed)), Outcome::Paid);

    let slow = shop.payment(&json!({})).await;
    let later = Deed::Pay(Card {
        after_secs: 600,
        ..Card::number(GOOD)
    });
    assert_eq!(shop.act(&slow, &later), Outcome::Pending);
    assert_eq!(shop.fresh(&slow).await["status"], "pending");
    let nobody = shop.payment(&json!({})).await;
    shop.sandbox.advance(TimeDelta::minutes(61)).await.unwrap();
    assert_eq!(shop.fresh(&slow).await["status"], "succeeded");
    assert_eq!(
        shop.fresh(&nobody).await["cancellation_details"]["reason"],
        "expired_on_confirmation"
    );
}

#[tokio::test]
async fn an_authorised_sum_is_captured_cancelled_or_runs_out() {
    let ear = Ear::open().await;
    let shop = Shop::open().await;
    shop.sandbox.yookassa().listen(&ear.url);
    let mut ids = Vec::new();
    for _ in 0..3 {
        let payment = shop.payment(&json!({ "capture": false })).await;
        shop.pay(&payment, GOOD);
        ids.push(text(&payment["id"]));
    }
    let path = |number: usize, verb: &str| format!("/payments/{}/{verb}", ids[number]);
    let part = json!({ "amount": { "value": "60.00", "currency": "RUB" } });
    let captured = shop.post(&path(0, "capture"), &part).await.ok();
    assert_eq!(
        (text(&captured["status"]), text(&captured["amount"]["value"])),
        ("succeeded".into(), "60.00".into())
    );
    assert_eq!(
        refusal(&shop.post(&path(0, "cancel"), &json!({})).await),
        (400, "invalid_request".into(), "payment_id".into())
    );
    let canceled = shop.post(&path(1, "cancel"), &json!({})).await.ok();
    assert_eq!(
        canceled["cancellation_details"],
        json!({ "party": "merchant", "reason": "canceled_by_merchant" })
    );
    shop.sandbox.advance(TimeDelta::days(8)).await.unwrap();
    let forgotten = shop.get(&format!("/payments/{}", ids[2])).await;
    assert_eq!(forgotten["cancellation_details"]["reason"], "expired_on_capture");
    ear.wait_for(|heard| heard.len() == 6).await;
    assert_eq!(
        ear.kinds()
            .iter()
            .filter(|kind| *kind == "payment.waiting_for_capture")
            .count(),
        3
    );
}

#[tokio::test]
async fn a_saved_card_pays_again_without_anybody() {
    let shop = Shop::open().await;
    let payment = shop.payment(&json!({ "save_payment_method": true })).await;
    shop.pay(&payment, GOOD);
    let method = text(&shop.fresh(&payment).await["payment_method"]["id"]);
    let again = json!({ "payment_method_id": method, "confirmation": null });
    assert_eq!(shop.payment(&again).await["status"], "succeeded");
    shop.sandbox
        .yookassa()
        .set_refusal(&method, Some("permission_revoked"))
        .unwrap();
    let refused = shop.payment(&again).await;
    assert_eq!(refused["cancellation_details"]["reason"], "permission_revoked");

    let unsaved = shop.payment(&json!({})).await;
    shop.pay(&unsaved, GOOD);
    let method = shop.fresh(&unsaved).await["payment_method"]["id"].clone();
    let refused = shop
        .post("/payments", &asked(&json!({ "payment_method_id": method })))
        .await;
    assert_eq!(
        refusal(&refused),
        (400, "invalid_request".into(), "payment_method_id".into())
    );
}

#[tokio::test]
async fn a_payment_is_paid_back_in_parts_and_never_more_than_it_was() {
    let shop = Shop::open().await;
    let payment = shop.payment(&json!({})).await;
    let ask =
        |value: &str| json!({ "payment_id": payment["id"], "amount": { "value": value, "currency": "RUB" } });
    assert_eq!(
        refusal(&shop.post("/refunds", &ask("1.00")).await),
        (400, "invalid_request".into(), "payment_id".into())
    );
    shop.pay(&payment, GOOD);
    let refund = shop.post("/refunds", &ask("40.00")).await.ok();
    assert_eq!(refund["status"], "succeeded");
    assert_eq!(
        refusal(&shop.post("/refunds", &ask("60.01")).await).2,
        "amount.value"
    );
    shop.post("/refunds", &ask("60.00")).await.ok();
    let back = shop.fresh(&payment).await;
    assert_eq!(
        (text(&back["refunded_amount"]["value"]), &back["refundable"]),
        ("100.00".into(), &json!(false))
    );
    assert_eq!(
        shop.get(&format!("/refunds/{}", text(&refund["id"]))).await,
        refund
    );
    let listed = shop
        .get(&format!("/refunds?payment_id={}&limit=1", text(&payment["id"])))
        .await;
    assert_eq!(
        (listed["items"].as_array().unwrap().len(), &listed["next_cursor"]),
        (1, &refund["id"])
    );
}
