use serde_json::Value;

use crate::support::{Fixture, text};

async fn invoices(fixture: &Fixture, subscription: &Value) -> Vec<(String, i64)> {
    let path = format!(
        "/v1/invoices?subscription={}&limit=100",
        text(&subscription["id"])
    );
    let list = fixture.stripe.get(&path).await.ok();
    list["data"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .map(|invoice| (text(&invoice["status"]), invoice["amount_due"].as_i64().unwrap()))
        .collect()
}

#[tokio::test]
async fn a_trial_ends_in_a_charge() {
    let fixture = Fixture::start().await;
    let subscription = fixture
        .subscribe("4242424242424242", &[("trial_period_days", "7")])
        .await
        .ok();
    fixture.days(5).await;
    assert!(
        fixture
            .events()
            .await
            .contains(&"customer.subscription.trial_will_end".to_owned())
    );
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["status"],
        "trialing"
    );
    fixture.days(3).await;
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["status"],
        "active"
    );
    assert_eq!(
        invoices(&fixture, &subscription).await,
        [("paid".into(), 0), ("paid".into(), 1200)]
    );
}

#[tokio::test]
async fn fourteen_months_bring_fourteen_renewals_on_the_same_day() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4242424242424242", &[]).await.ok();
    fixture.days(427).await;
    assert_eq!(invoices(&fixture, &subscription).await.len(), 15);
    let item = &fixture.subscription(&subscription["id"]).await["items"]["data"][0];
    let end = chrono::DateTime::from_timestamp(item["current_period_end"].as_i64().unwrap(), 0).unwrap();
    assert_eq!(end.to_rfc3339(), "2028-02-20T12:00:00+00:00");
}

#[tokio::test]
async fn a_card_set_up_once_is_charged_again_without_its_holder() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4000002500003155", &[]).await.ok();
    let intent = &subscription["latest_invoice"]["payments"]["data"][0]["payment"]["payment_intent"];
    let form = [
        ("source", text(&intent["id"])),
        ("client_secret", text(&intent["client_secret"])),
        ("outcome", "succeeded".to_owned()),
    ];
    let form: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
    fixture
        .browser()
        .post("/v1/3ds2/challenge_complete", &form)
        .await
        .ok();
    fixture.days(31).await;
    assert_eq!(
        invoices(&fixture, &subscription).await,
        [("paid".into(), 1200), ("paid".into(), 1200)]
    );
}

#[tokio::test]
async fn a_renewal_that_fails_is_tried_again_and_then_given_up() {
    let fixture = Fixture::start().await;
    let subscription = fixture
        .subscribe("4000000000000341", &[("trial_period_days", "7")])
        .await
        .ok();
    fixture.days(8).await;
    let late = fixture.subscription(&subscription["id"]).await;
    assert_eq!(late["status"], "past_due");
    assert_eq!(late["latest_invoice"]["attempt_count"], 1);
    assert!(late["latest_invoice"]["next_payment_attempt"].is_i64());
    fixture.days(3).await;
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["latest_invoice"]["attempt_count"],
        2
    );
    fixture.days(14).await;
    let gone = fixture.subscription(&subscription["id"]).await;
    assert_eq!(
        (
            text(&gone["status"]),
            text(&gone["cancellation_details"]["reason"])
        ),
        ("canceled".into(), "payment_failed".into())
    );
}

#[tokio::test]
async fn a_new_card_saves_a_subscription_that_is_past_due() {
    let fixture = Fixture::start().await;
    let subscription = fixture
        .subscribe("4000000000000341", &[("trial_period_days", "7")])
        .await
        .ok();
    fixture.days(8).await;
    let card = fixture.card("4242424242424242").await;
    let customer = text(&subscription["customer"]);
    fixture
        .stripe
        .post(
            &format!("/v1/payment_methods/{card}/attach"),
            &[("customer", &customer)],
        )
        .await
        .ok();
    let path = format!("/v1/subscriptions/{}", text(&subscription["id"]));
    fixture
        .stripe
        .post(&path, &[("default_payment_method", &card)])
        .await
        .ok();
    fixture.days(3).await;
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["status"],
        "active"
    );
}

#[tokio::test]
async fn an_unpaid_first_invoice_expires_after_23_hours() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4000002500003155", &[]).await.ok();
    fixture.hours(22).await;
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["status"],
        "incomplete"
    );
    fixture.hours(1).await;
    let expired = fixture.subscription(&subscription["id"]).await;
    assert_eq!(
        (
            text(&expired["status"]),
            text(&expired["latest_invoice"]["status"])
        ),
        ("incomplete_expired".into(), "void".into())
    );
    let intent =
        text(&subscription["latest_invoice"]["payments"]["data"][0]["payment"]["payment_intent"]["id"]);
    assert_eq!(
        fixture
            .stripe
            .get(&format!("/v1/payment_intents/{intent}"))
            .await
            .ok()["status"],
        "canceled"
    );
}

#[tokio::test]
async fn an_open_invoice_can_be_paid_by_hand() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4000000000000341", &[]).await.ok();
    let path = format!("/v1/invoices/{}/pay", text(&subscription["latest_invoice"]["id"]));
    assert_eq!(fixture.stripe.post(&path, &[]).await.status, 402);
    let card = fixture.card("4242424242424242").await;
    assert_eq!(
        fixture
            .stripe
            .post(&path, &[("payment_method", &card)])
            .await
            .ok()["status"],
        "paid"
    );
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["status"],
        "active"
    );
    assert_eq!(fixture.stripe.post(&path, &[]).await.status, 400);
}

#[tokio::test]
async fn what_happened_on_the_way_keeps_its_own_time() {
    let fixture = Fixture::start().await;
    let subscription = fixture
        .subscribe("4242424242424242", &[("trial_period_days", "7")])
        .await
        .ok();
    fixture.days(60).await;
    let list = fixture.stripe.get("/v1/invoices?limit=100").await.ok();
    let created: Vec<_> = list["data"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .map(|i| i["created"].as_i64().unwrap())
        .collect();
    let start = subscription["created"].as_i64().unwrap();
    assert_eq!(created[1] - start, 7 * 86_400);
    assert_eq!(created[2] - created[1], 30 * 86_400);
}

#[tokio::test]
async fn an_invoice_taken_over_is_left_alone_and_its_subscription_too() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4242424242424242", &[]).await.ok();
    let card = text(&subscription["default_payment_method"]);
    let url = format!("{}/sandbox/stripe/payment_methods/{card}", fixture.sandbox.base());
    let outcome = serde_json::json!({ "decline": "lost_card" });
    let response = reqwest::Client::new()
        .post(url)
        .json(&outcome)
        .send()
        .await
        .unwrap();
    assert!(response.status().is_success());
    fixture.days(32).await;
    let invoice = text(&fixture.subscription(&subscription["id"]).await["latest_invoice"]["id"]);
    fixture
        .stripe
        .post(&format!("/v1/invoices/{invoice}"), &[("auto_advance", "false")])
        .await
        .ok();
    fixture.days(25).await;
    let held = fixture.stripe.get(&format!("/v1/invoices/{invoice}")).await.ok();
    assert_eq!(
        (&held["status"], &held["attempt_count"]),
        (&"open".into(), &1.into())
    );
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["status"],
        "past_due"
    );
}

#[tokio::test]
async fn a_dearer_price_is_charged_as_it_was_previewed() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4242424242424242", &[]).await.ok();
    let id = text(&subscription["id"]);
    let item = text(&subscription["items"]["data"][0]["id"]);
    let form = [
        ("currency", "usd"),
        ("unit_amount", "3600"),
        ("recurring[interval]", "month"),
        ("product_data[name]", "More"),
    ];
    let dearer = text(&fixture.stripe.post("/v1/prices", &form).await.ok()["id"]);
    fixture.days(10).await;
    let at = fixture.sandbox.now().timestamp().to_string();
    let preview = [
        ("subscription", id.as_str()),
        ("subscription_details[items][0][id]", &item),
        ("subscription_details[items][0][price]", &dearer),
        ("subscription_details[proration_behavior]", "always_invoice"),
        ("subscription_details[proration_date]", &at),
    ];
    let shown = fixture
        .stripe
        .post("/v1/invoices/create_preview", &preview)
        .await
        .ok();
    let change = [
        ("items[0][id]", item.as_str()),
        ("items[0][price]", &dearer),
        ("proration_behavior", "always_invoice"),
        ("proration_date", &at),
    ];
    let path = format!("/v1/subscriptions/{id}");
    fixture.stripe.post(&path, &change).await.ok();
    let charged = invoices(&fixture, &subscription).await;
    let due = shown["amount_due"].as_i64().unwrap();
    assert!((1000..2000).contains(&due), "{due}");
    assert_eq!(charged.last(), Some(&("paid".to_owned(), due)));
}
