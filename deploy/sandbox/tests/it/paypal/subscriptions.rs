use sandbox::paypal::{Buyer, Decision};
use serde_json::json;

use super::merchant::{Merchant, SUBSCRIPTIONS, cycle, issue};
use crate::support::text;

#[tokio::test]
async fn a_subscription_is_agreed_to_paid_and_renewed() {
    let merchant = Merchant::open().await;
    let plan = merchant.monthly().await;
    let id = merchant.ask(&plan).await;
    let waiting = merchant.subscription(&id).await;
    assert_eq!(waiting["status"], "APPROVAL_PENDING");
    assert_eq!(waiting["links"][0]["rel"], "approve");
    let agreed = merchant.decide(&id, Decision::Approve(Buyer::Rich));
    assert!(text(&agreed["redirect"]).starts_with(&format!(
        "http://shop.example/back?subscription_id={id}&ba_token=BA-"
    )));
    let active = merchant.subscription(&id).await;
    assert_eq!(active["status"], "ACTIVE");
    assert_eq!(active["billing_info"]["last_payment"]["amount"]["value"], "12.00");
    assert_eq!(
        active["billing_info"]["next_billing_time"],
        "2026-12-20T12:00:00Z"
    );
    assert_eq!(active["subscriber"]["email_address"], "rich@buyers.example");
    merchant.days(62).await;
    let sales = merchant.sales(&id).await;
    assert_eq!(sales.len(), 3);
    assert_eq!(sales[0]["time"], "2027-01-20T12:00:00Z");
    assert_eq!(
        merchant.events().await[1..],
        [
            "BILLING.SUBSCRIPTION.CREATED",
            "BILLING.SUBSCRIPTION.ACTIVATED",
            "PAYMENT.SALE.COMPLETED",
            "PAYMENT.SALE.COMPLETED",
            "PAYMENT.SALE.COMPLETED"
        ]
    );
}

#[tokio::test]
async fn a_trial_is_free_and_a_plan_with_an_end_expires() {
    let merchant = Merchant::open().await;
    let mut trial = cycle("TRIAL", 1, 1, "0");
    trial["frequency"] = json!({ "interval_unit": "DAY", "interval_count": 7 });
    let plan = merchant
        .plan(json!([trial, cycle("REGULAR", 2, 2, "12.00")]), json!({}))
        .await;
    let id = merchant.subscribe(&plan, Buyer::Rich).await;
    assert!(merchant.sales(&id).await.is_empty());
    merchant.days(8).await;
    assert_eq!(merchant.sales(&id).await.len(), 1);
    merchant.days(31).await;
    assert_eq!(merchant.subscription(&id).await["status"], "ACTIVE");
    merchant.days(31).await;
    assert_eq!(merchant.subscription(&id).await["status"], "EXPIRED");
    assert_eq!(merchant.sales(&id).await.len(), 2);
    assert_eq!(
        merchant.events().await.last().unwrap(),
        "BILLING.SUBSCRIPTION.EXPIRED"
    );
}

#[tokio::test]
async fn failed_payments_are_tried_again_and_then_suspend() {
    let merchant = Merchant::open().await;
    let plan = merchant.monthly().await;
    let dry = merchant.subscribe(&plan, Buyer::RunningDry).await;
    let late = merchant.subscribe(&plan, Buyer::Late).await;
    merchant.days(30).await;
    let failed = merchant.subscription(&dry).await;
    assert_eq!(failed["billing_info"]["outstanding_balance"]["value"], "12.00");
    assert_eq!(
        failed["billing_info"]["last_failed_payment"]["next_payment_retry_time"],
        "2026-12-25T12:00:00Z"
    );
    merchant.days(5).await;
    assert_eq!(merchant.sales(&late).await.len(), 2, "the second try is paid");
    merchant.days(5).await;
    assert_eq!(merchant.subscription(&dry).await["status"], "SUSPENDED");
    merchant.days(60).await;
    assert_eq!(
        merchant.sales(&dry).await.len(),
        1,
        "what is suspended is not billed"
    );

    let now = merchant.sandbox.now().timestamp();
    merchant
        .sandbox
        .paypal()
        .set_buyer(&dry, Buyer::Rich, now)
        .unwrap();
    let path = format!("{SUBSCRIPTIONS}/{dry}");
    let owed = json!({ "note": "Owed", "capture_type": "OUTSTANDING_BALANCE", "amount": { "currency_code": "USD", "value": "12.00" } });
    assert_eq!(merchant.post(&format!("{path}/capture"), &owed).await.status, 202);
    assert_eq!(
        issue(&merchant.post(&format!("{path}/capture"), &owed).await).2,
        "ZERO_OUTSTANDING_BALANCE"
    );
    assert_eq!(
        merchant
            .post(&format!("{path}/activate"), &json!({ "reason": "Paid" }))
            .await
            .status,
        204
    );
    assert_eq!(merchant.subscription(&dry).await["status"], "ACTIVE");
    let reason = json!({ "reason": "No more" });
    assert_eq!(
        merchant.post(&format!("{path}/cancel"), &reason).await.status,
        204
    );
    assert_eq!(
        issue(&merchant.post(&format!("{path}/cancel"), &reason).await),
        (
            422,
            "UNPROCESSABLE_ENTITY".into(),
            "SUBSCRIPTION_STATUS_INVALID".into()
        )
    );
    merchant.days(60).await;
    assert_eq!(merchant.sales(&dry).await.len(), 2);
}

#[tokio::test]
async fn a_payment_from_a_bank_account_takes_three_days() {
    let merchant = Merchant::open().await;
    let plan = merchant.monthly().await;
    let id = merchant.subscribe(&plan, Buyer::Slow).await;
    let sale = merchant.sales(&id).await[0].clone();
    assert_eq!(sale["status"], "PENDING");
    let path = format!("/v1/payments/sale/{}/refund", text(&sale["id"]));
    assert_eq!(
        issue(&merchant.post(&path, &json!({})).await).1,
        "TRANSACTION_REFUSED"
    );
    merchant.days(3).await;
    assert_eq!(merchant.sales(&id).await[0]["status"], "COMPLETED");
    assert_eq!(
        merchant.events().await[3..],
        ["PAYMENT.SALE.PENDING", "PAYMENT.SALE.COMPLETED"]
    );
}

#[tokio::test]
async fn another_plan_needs_the_buyers_consent() {
    let merchant = Merchant::open().await;
    let plan = merchant.monthly().await;
    let id = merchant.subscribe(&plan, Buyer::Rich).await;
    let product = merchant.get(&format!("/v1/billing/plans/{plan}")).await["product_id"].clone();
    let dearer = json!({ "product_id": product, "name": "Dearer", "billing_cycles": [cycle("REGULAR", 1, 0, "20.00")] });
    let dearer = text(&merchant.post("/v1/billing/plans", &dearer).await.body["id"]);
    let revised = merchant
        .post(
            &format!("{SUBSCRIPTIONS}/{id}/revise"),
            &json!({ "plan_id": dearer }),
        )
        .await
        .ok();
    let token = text(&revised["links"][0]["href"])
        .split_once("ba_token=")
        .unwrap()
        .1
        .to_owned();
    assert_eq!(merchant.subscription(&id).await["plan_id"], plan.as_str());
    merchant.decide(&token, Decision::Approve(Buyer::Rich));
    assert_eq!(merchant.subscription(&id).await["plan_id"], dearer.as_str());
    merchant.days(31).await;
    let gross = &merchant.sales(&id).await[0]["amount_with_breakdown"]["gross_amount"];
    assert_eq!(gross["value"], "20.00");
}

#[tokio::test]
async fn a_sale_is_paid_back_in_parts_and_never_more_than_it_was() {
    let merchant = Merchant::open().await;
    let plan = merchant.monthly().await;
    let id = merchant.subscribe(&plan, Buyer::Rich).await;
    let sale = text(&merchant.sales(&id).await[0]["id"]);
    let by_sale = format!("/v1/payments/sale/{sale}/refund");
    let by_capture = format!("/v2/payments/captures/{sale}/refund");
    let part = merchant
        .post(
            &by_sale,
            &json!({ "amount": { "total": "5.00", "currency": "USD" } }),
        )
        .await;
    assert_eq!(
        (part.status, text(&part.body["state"])),
        (201, "completed".into())
    );
    let too_much = json!({ "amount": { "value": "7.01", "currency_code": "USD" } });
    assert_eq!(
        issue(&merchant.post(&by_capture, &too_much).await).2,
        "REFUND_AMOUNT_EXCEEDED"
    );
    let rest = merchant.post(&by_capture, &json!({})).await;
    assert_eq!(
        (rest.status, text(&rest.body["status"])),
        (201, "COMPLETED".into())
    );
    assert_eq!(
        issue(&merchant.post(&by_sale, &json!({})).await).1,
        "TRANSACTION_ALREADY_REFUNDED"
    );
    assert_eq!(
        issue(&merchant.post(&by_capture, &json!({})).await).2,
        "CAPTURE_FULLY_REFUNDED"
    );
    assert_eq!(
        merchant.get(&format!("/v2/payments/captures/{sale}")).await["status"],
        "REFUNDED"
    );
    assert_eq!(
        merchant
            .events()
            .await
            .iter()
            .filter(|name| *name == "PAYMENT.SALE.REFUNDED")
            .count(),
        2
    );
}
