use serde_json::Value;

use crate::support::{Fixture, text};

async fn intent(fixture: &Fixture, more: &[(&str, &str)]) -> Value {
    let mut form = vec![("amount", "990"), ("currency", "usd")];
    form.extend_from_slice(more);
    fixture.stripe.post("/v1/payment_intents", &form).await.ok()
}

#[tokio::test]
async fn the_browser_confirms_with_the_client_secret_only() {
    let fixture = Fixture::start().await;
    let made = intent(&fixture, &[]).await;
    let card = fixture.card("4242424242424242").await;
    let path = format!("/v1/payment_intents/{}/confirm", text(&made["id"]));
    let browser = fixture.browser();
    assert_eq!(
        browser.post(&path, &[("payment_method", &card)]).await.status,
        400
    );
    let wrong = [
        ("payment_method", card.as_str()),
        ("client_secret", "pi_x_secret_y"),
    ];
    assert_eq!(browser.post(&path, &wrong).await.status, 400);

    let secret = text(&made["client_secret"]);
    let right = [("payment_method", card.as_str()), ("client_secret", &secret)];
    let confirmed = browser.post(&path, &right).await.ok();
    assert_eq!(confirmed["status"], "succeeded");
    assert!(
        confirmed.get("customer").is_none(),
        "the browser sees no customer"
    );
    let again = browser.post(&path, &right).await;
    assert_eq!(again.error().2, "payment_intent_unexpected_state");
}

#[tokio::test]
async fn a_refused_confirmation_carries_the_intent_and_can_be_tried_again() {
    let fixture = Fixture::start().await;
    let made = intent(&fixture, &[]).await;
    let path = format!("/v1/payment_intents/{}/confirm", text(&made["id"]));
    let bad = fixture.card("4000000000009995").await;
    let refused = fixture.stripe.post(&path, &[("payment_method", &bad)]).await;
    let error = &refused.body["error"];
    assert_eq!(
        (refused.status, text(&error["decline_code"])),
        (402, "insufficient_funds".into())
    );
    assert_eq!(error["payment_intent"]["status"], "requires_payment_method");
    assert_eq!(
        error["payment_intent"]["last_payment_error"]["payment_method"]["id"],
        bad
    );
    assert!(text(&error["charge"]).starts_with("ch_"));

    let good = fixture.card("4242424242424242").await;
    assert_eq!(
        fixture
            .stripe
            .post(&path, &[("payment_method", &good)])
            .await
            .ok()["status"],
        "succeeded"
    );
    let charges = fixture
        .stripe
        .get(&format!("/v1/charges?payment_intent={}", text(&made["id"])))
        .await
        .ok();
    let statuses: Vec<_> = charges["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| text(&c["status"]))
        .collect();
    assert_eq!(statuses, ["succeeded", "failed"]);
}

#[tokio::test]
async fn off_session_a_card_that_asks_is_declined() {
    let fixture = Fixture::start().await;
    let (customer, card) = fixture.customer_with("4000002500003155").await;
    let form = [
        ("amount", "990"),
        ("currency", "usd"),
        ("customer", &customer),
        ("payment_method", &card),
        ("confirm", "true"),
        ("off_session", "true"),
    ];
    let refused = fixture.stripe.post("/v1/payment_intents", &form).await;
    assert_eq!(refused.error().2, "authentication_required");
    assert_eq!(refused.status, 402);
}

#[tokio::test]
async fn a_cancelled_intent_stays_cancelled() {
    let fixture = Fixture::start().await;
    let id = text(&intent(&fixture, &[]).await["id"]);
    let cancelled = fixture
        .stripe
        .post(&format!("/v1/payment_intents/{id}/cancel"), &[])
        .await
        .ok();
    assert_eq!(cancelled["status"], "canceled");
    let again = fixture
        .stripe
        .post(&format!("/v1/payment_intents/{id}/cancel"), &[])
        .await;
    assert_eq!(again.error().2, "payment_intent_unexpected_state");
}

#[tokio::test]
async fn amounts_and_removed_parameters_are_checked() {
    let fixture = Fixture::start().await;
    let cases = [
        (vec![("currency", "usd")], "parameter_missing", "amount"),
        (
            vec![("amount", "0"), ("currency", "usd")],
            "parameter_invalid_integer",
            "amount",
        ),
        (
            vec![("amount", "9.9"), ("currency", "usd")],
            "parameter_invalid_integer",
            "amount",
        ),
        (
            vec![
                ("amount", "99"),
                ("currency", "usd"),
                ("payment_method_types[]", "card"),
            ],
            "parameter_unknown",
            "payment_method_types[0]",
        ),
    ];
    for (form, code, param) in cases {
        let refused = fixture.stripe.post("/v1/payment_intents", &form).await;
        let expected = (
            400,
            "invalid_request_error".into(),
            code.to_owned(),
            param.to_owned(),
        );
        assert_eq!(refused.error(), expected);
    }
}

#[tokio::test]
async fn a_setup_intent_saves_the_card_for_later() {
    let fixture = Fixture::start().await;
    let (customer, card) = fixture.customer_with("4242424242424242").await;
    let form = [
        ("customer", customer.as_str()),
        ("payment_method", &card),
        ("confirm", "true"),
    ];
    let setup = fixture.stripe.post("/v1/setup_intents", &form).await.ok();
    assert_eq!(
        (text(&setup["status"]), text(&setup["usage"])),
        ("succeeded".into(), "off_session".into())
    );
    assert!(
        fixture
            .events()
            .await
            .contains(&"setup_intent.succeeded".to_owned())
    );
}
