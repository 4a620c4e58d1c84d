use crate::support::{Fixture, text};

#[tokio::test]
async fn a_good_card_makes_the_subscription_active_at_once() {
    let fixture = Fixture::start().await;
    let subscription = fixture
        .subscribe("4242424242424242", &[("metadata[order]", "ord_1")])
        .await
        .ok();
    let invoice = &subscription["latest_invoice"];
    assert_eq!(
        (text(&subscription["status"]), text(&invoice["status"])),
        ("active".into(), "paid".into())
    );
    assert_eq!(invoice["amount_paid"], 1200);
    assert_eq!(subscription["metadata"]["order"], "ord_1");
    let item = &subscription["items"]["data"][0];
    assert_eq!(
        item["current_period_end"].as_i64().unwrap() - item["current_period_start"].as_i64().unwrap(),
        30 * 86_400
    );
    let payment = &invoice["payments"]["data"][0]["payment"]["payment_intent"];
    assert_eq!(
        (text(&payment["status"]), text(&payment["setup_future_usage"])),
        ("succeeded".into(), "off_session".into())
    );
    for event in [
        "customer.subscription.created",
        "invoice.created",
        "invoice.finalized",
        "payment_intent.created",
        "charge.succeeded",
        "payment_intent.succeeded",
        "invoice.paid",
        "customer.subscription.updated",
    ] {
        assert!(fixture.events().await.contains(&event.to_owned()), "{event}");
    }
}

#[tokio::test]
async fn a_card_that_attaches_and_then_declines_leaves_it_incomplete() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4000000000000341", &[]).await.ok();
    assert_eq!(subscription["status"], "incomplete");
    let intent = &subscription["latest_invoice"]["payments"]["data"][0]["payment"]["payment_intent"];
    assert_eq!(intent["status"], "requires_payment_method");
    assert_eq!(intent["last_payment_error"]["decline_code"], "generic_decline");
    assert!(
        fixture
            .events()
            .await
            .contains(&"invoice.payment_failed".to_owned())
    );
}

#[tokio::test]
async fn the_other_payment_behaviours_hold() {
    let fixture = Fixture::start().await;
    let waiting = fixture
        .subscribe("4242424242424242", &[("payment_behavior", "default_incomplete")])
        .await
        .ok();
    assert_eq!(waiting["status"], "incomplete");
    let intent = &waiting["latest_invoice"]["payments"]["data"][0]["payment"]["payment_intent"];
    assert_eq!(intent["status"], "requires_confirmation");

    for (number, code) in [
        ("4000000000000341", "card_declined"),
        ("4000002500003155", "subscription_payment_intent_requires_action"),
    ] {
        let refused = fixture
            .subscribe(number, &[("payment_behavior", "error_if_incomplete")])
            .await;
        assert_eq!((refused.status, refused.error().2), (402, code.to_owned()));
    }
    let all = fixture.stripe.get("/v1/subscriptions?status=all").await.ok();
    assert_eq!(all["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_cannot_be_paid_is_not_created() {
    let fixture = Fixture::start().await;
    let (customer, _) = fixture.customer_with("4242424242424242").await;
    let (_, other_card) = fixture.customer_with("4242424242424242").await;
    let price = fixture.price().await;
    let base = [("customer", customer.as_str()), ("items[0][price]", &price)];
    let without_card = fixture.stripe.post("/v1/subscriptions", &base).await;
    assert_eq!(without_card.error().2, "resource_missing");
    let strange_card = [base[0], base[1], ("default_payment_method", &other_card)];
    let refused = fixture.stripe.post("/v1/subscriptions", &strange_card).await;
    assert_eq!(
        (refused.error().2, refused.error().3),
        ("resource_missing".into(), "default_payment_method".into())
    );
    let no_price = [base[0], ("items[0][price]", "price_none")];
    assert_eq!(
        fixture
            .stripe
            .post("/v1/subscriptions", &no_price)
            .await
            .error()
            .3,
        "items[0][price]"
    );
}

#[tokio::test]
async fn a_trial_charges_nothing_today() {
    let fixture = Fixture::start().await;
    let subscription = fixture
        .subscribe("4242424242424242", &[("trial_period_days", "7")])
        .await
        .ok();
    assert_eq!(subscription["status"], "trialing");
    assert!(subscription["pending_setup_intent"].is_null());
    let invoice = &subscription["latest_invoice"];
    assert_eq!(
        (invoice["total"].as_i64(), text(&invoice["status"])),
        (Some(0), "paid".into())
    );
    assert!(invoice["confirmation_secret"].is_null());
    let trial = subscription["trial_end"].as_i64().unwrap() - subscription["trial_start"].as_i64().unwrap();
    assert_eq!(trial, 7 * 86_400);
    assert!(
        fixture.stripe.get("/v1/charges").await.ok()["data"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_subscription_is_cancelled_now_or_at_the_end_of_its_period() {
    let fixture = Fixture::start().await;
    let first = fixture.subscribe("4242424242424242", &[]).await.ok();
    let path = format!("/v1/subscriptions/{}", text(&first["id"]));
    let ending = fixture
        .stripe
        .post(&path, &[("cancel_at_period_end", "true")])
        .await
        .ok();
    assert_eq!(
        ending["cancel_at"],
        ending["items"]["data"][0]["current_period_end"]
    );
    let kept = fixture
        .stripe
        .post(&path, &[("cancel_at_period_end", "false")])
        .await
        .ok();
    assert!(kept["cancel_at"].is_null() && kept["canceled_at"].is_null());
    fixture
        .stripe
        .post(&path, &[("cancel_at_period_end", "true")])
        .await
        .ok();
    fixture.days(31).await;
    assert_eq!(fixture.subscription(&first["id"]).await["status"], "canceled");

    let second = fixture.subscribe("4242424242424242", &[]).await.ok();
    let gone = fixture
        .stripe
        .delete(&format!("/v1/subscriptions/{}", text(&second["id"])))
        .await
        .ok();
    assert_eq!(gone["status"], "canceled");
    assert_eq!(
        fixture
            .events()
            .await
            .iter()
            .filter(|event| *event == "customer.subscription.deleted")
            .count(),
        2
    );
}

#[tokio::test]
async fn subscriptions_are_listed_by_customer_and_status() {
    let fixture = Fixture::start().await;
    let active = fixture.subscribe("4242424242424242", &[]).await.ok();
    let incomplete = fixture.subscribe("4000000000000341", &[]).await.ok();
    let ids = async |query: &str| -> Vec<String> {
        let list = fixture
            .stripe
            .get(&format!("/v1/subscriptions?{query}"))
            .await
            .ok();
        list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|found| text(&found["id"]))
            .collect()
    };
    assert_eq!(
        ids(&format!("customer={}", text(&active["customer"]))).await,
        [text(&active["id"])]
    );
    assert_eq!(ids("status=incomplete").await, [text(&incomplete["id"])]);
    fixture
        .stripe
        .delete(&format!("/v1/subscriptions/{}", text(&active["id"])))
        .await
        .ok();
    assert_eq!(ids("").await, [text(&incomplete["id"])]);
    assert_eq!(ids("status=canceled").await, [text(&active["id"])]);
}

#[tokio::test]
async fn the_card_that_paid_is_kept_when_the_settings_say_so() {
    let fixture = Fixture::start().await;
    let setting = [("payment_settings[save_default_payment_method]", "on_subscription")];
    let subscription = fixture.subscribe("4000000000000341", &setting).await.ok();
    let intent = &subscription["latest_invoice"]["payments"]["data"][0]["payment"]["payment_intent"];
    let card = fixture.card("4242424242424242").await;
    let path = format!("/v1/payment_intents/{}/confirm", text(&intent["id"]));
    fixture
        .stripe
        .post(&path, &[("payment_method", &card)])
        .await
        .ok();
    let after = fixture.subscription(&subscription["id"]).await;
    assert_eq!(
        (text(&after["status"]), text(&after["default_payment_method"])),
        ("active".into(), card)
    );
}
