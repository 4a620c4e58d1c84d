use crate::support::{Fixture, card_form, text};

#[tokio::test]
async fn a_card_the_issuer_refuses_does_not_attach() {
    let fixture = Fixture::start().await;
    let customer = fixture.customer().await;
    let cases = [
        (
            "4000000000000002",
            "card_declined",
            "generic_decline",
            "Your card was declined.",
        ),
        (
            "4000000000009995",
            "card_declined",
            "insufficient_funds",
            "Your card has insufficient funds.",
        ),
        ("4000000000000069", "expired_card", "", "Your card has expired."),
        (
            "4000000000000127",
            "incorrect_cvc",
            "",
            "Your card's security code is incorrect.",
        ),
        (
            "4000000000000119",
            "processing_error",
            "",
            "An error occurred while processing your card. Try again in a little bit.",
        ),
        ("4111111111111111", "card_declined", "test_mode_live_card", ""),
    ];
    for (number, code, decline_code, message) in cases {
        let card = fixture.card(number).await;
        let path = format!("/v1/payment_methods/{card}/attach");
        let refused = fixture.stripe.post(&path, &[("customer", &customer)]).await;
        let error = &refused.body["error"];
        assert_eq!(
            (refused.status, text(&error["type"])),
            (402, "card_error".into()),
            "{number}"
        );
        assert_eq!(
            (text(&error["code"]), text(&error["decline_code"])),
            (code.into(), decline_code.into())
        );
        assert!(text(&error["message"]).starts_with(message));
        let stored = fixture
            .stripe
            .get(&format!("/v1/payment_methods/{card}"))
            .await
            .ok();
        assert!(stored["customer"].is_null());
    }
}

#[tokio::test]
async fn a_mistyped_card_is_refused_where_it_is_made() {
    let fixture = Fixture::start().await;
    let cases = [
        ("card[number]", "4242424242424241", "incorrect_number", "number"),
        ("card[exp_month]", "13", "invalid_expiry_month", "exp_month"),
        ("card[exp_year]", "2019", "invalid_expiry_year", "exp_year"),
        ("card[cvc]", "12", "invalid_cvc", "cvc"),
    ];
    for (name, value, code, param) in cases {
        let mut form = card_form("4242424242424242");
        form.retain(|(known, _)| *known != name);
        form.push((name, value));
        let refused = fixture.browser().post("/v1/payment_methods", &form).await;
        assert_eq!(
            refused.error(),
            (402, "card_error".into(), code.into(), param.into())
        );
    }
}

#[tokio::test]
async fn a_card_of_france_can_be_charged_by_either_of_its_networks() {
    let fixture = Fixture::start().await;
    for (number, brand) in [("4000002500001001", "visa"), ("5555552500001001", "mastercard")] {
        let (_, card) = fixture.customer_with(number).await;
        let known = fixture
            .stripe
            .get(&format!("/v1/payment_methods/{card}"))
            .await
            .ok();
        let networks = &known["card"]["networks"]["available"];
        assert_eq!(networks, &serde_json::json!(["cartes_bancaires", brand]));
    }
}

#[tokio::test]
async fn a_card_belongs_to_one_customer_until_detached() {
    let fixture = Fixture::start().await;
    let (customer, card) = fixture.customer_with("4242424242424242").await;
    let other = fixture.customer().await;
    let attach = format!("/v1/payment_methods/{card}/attach");
    assert_eq!(
        fixture.stripe.post(&attach, &[("customer", &other)]).await.status,
        400
    );
    assert_eq!(
        fixture
            .stripe
            .post(&attach, &[("customer", &customer)])
            .await
            .status,
        200
    );

    let listed = async || {
        let path = format!("/v1/payment_methods?customer={customer}&type=card");
        fixture.stripe.get(&path).await.ok()["data"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(listed().await, 1);
    fixture
        .stripe
        .post(&format!("/v1/payment_methods/{card}/detach"), &[])
        .await
        .ok();
    assert_eq!(listed().await, 0);
}

#[tokio::test]
async fn a_number_never_comes_back() {
    let fixture = Fixture::start().await;
    let card = fixture.card("4242424242424242").await;
    let stored = fixture
        .stripe
        .get(&format!("/v1/payment_methods/{card}"))
        .await
        .ok();
    assert_eq!(
        (&stored["card"]["last4"], &stored["card"]["brand"]),
        (&"4242".into(), &"visa".into())
    );
    assert!(!stored.to_string().contains("4242424242424242"));
    assert!(!stored.to_string().contains("_behaviour"));
}

#[tokio::test]
async fn ready_made_cards_work_by_name() {
    let fixture = Fixture::start().await;
    let customer = fixture.customer().await;
    let attached = fixture
        .stripe
        .post(
            "/v1/payment_methods/pm_card_mastercard/attach",
            &[("customer", &customer)],
        )
        .await
        .ok();
    assert_eq!(attached["card"]["brand"], "mastercard");
}
