use serde_json::Value;

use crate::support::{Fixture, text};

async fn finish(fixture: &Fixture, intent: &Value, outcome: &str) -> Value {
    let form = [
        ("source", text(&intent["id"])),
        ("client_secret", text(&intent["client_secret"])),
        ("outcome", outcome.to_owned()),
    ];
    let form: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
    fixture
        .browser()
        .post("/v1/3ds2/challenge_complete", &form)
        .await
        .ok()
}

fn payment(subscription: &Value) -> Value {
    subscription["latest_invoice"]["payments"]["data"][0]["payment"]["payment_intent"].clone()
}

#[tokio::test]
async fn a_card_that_asks_leaves_the_subscription_incomplete_until_answered() {
    for number in ["4000002500003155", "4000000000003220"] {
        let fixture = Fixture::start().await;
        let subscription = fixture.subscribe(number, &[]).await.ok();
        let intent = payment(&subscription);
        assert_eq!(
            (text(&subscription["status"]), text(&intent["status"])),
            ("incomplete".into(), "requires_action".into())
        );
        assert_eq!(intent["next_action"]["type"], "use_stripe_sdk");
        assert_eq!(
            subscription["latest_invoice"]["confirmation_secret"]["client_secret"],
            intent["client_secret"]
        );

        assert_eq!(
            finish(&fixture, &intent, "succeeded").await["status"],
            "succeeded"
        );
        let after = fixture.subscription(&subscription["id"]).await;
        assert_eq!(
            (text(&after["status"]), text(&after["latest_invoice"]["status"])),
            ("active".into(), "paid".into())
        );
    }
}

#[tokio::test]
async fn a_failed_answer_charges_nothing_and_another_card_may_pay() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4000002500003155", &[]).await.ok();
    let intent = payment(&subscription);
    let failed = finish(&fixture, &intent, "failed").await;
    assert_eq!(failed["status"], "requires_payment_method");
    assert_eq!(
        failed["last_payment_error"]["code"],
        "payment_intent_authentication_failure"
    );
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["status"],
        "incomplete"
    );
    assert!(
        fixture.stripe.get("/v1/charges").await.ok()["data"]
            .as_array()
            .unwrap()
            .is_empty()
    );

    let card = fixture.card("4242424242424242").await;
    let path = format!("/v1/payment_intents/{}/confirm", text(&intent["id"]));
    fixture
        .stripe
        .post(&path, &[("payment_method", &card)])
        .await
        .ok();
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["status"],
        "active"
    );
}

#[tokio::test]
async fn proof_does_not_help_a_card_without_money() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4000008260003178", &[]).await.ok();
    let after = finish(&fixture, &payment(&subscription), "succeeded").await;
    assert_eq!(after["last_payment_error"]["decline_code"], "insufficient_funds");
}

#[tokio::test]
async fn a_challenge_requires_the_client_secret() {
    let fixture = Fixture::start().await;
    let intent = payment(&fixture.subscribe("4000002500003155", &[]).await.ok());
    let form = [
        ("source", text(&intent["id"])),
        ("client_secret", "x".into()),
        ("outcome", "succeeded".into()),
    ];
    let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(
        fixture
            .browser()
            .post("/v1/3ds2/challenge_complete", &form)
            .await
            .status,
        400
    );
    assert_eq!(
        fixture
            .browser()
            .post("/v1/3ds2/challenge_complete", &form[..1])
            .await
            .status,
        400
    );
}

#[tokio::test]
async fn a_trial_with_such_a_card_waits_for_its_setup() {
    let fixture = Fixture::start().await;
    let subscription = fixture
        .subscribe("4000002500003155", &[("trial_period_days", "7")])
        .await
        .ok();
    assert_eq!(subscription["status"], "trialing");
    let setup = &subscription["pending_setup_intent"];
    assert_eq!(setup["status"], "requires_action");
    assert_eq!(finish(&fixture, setup, "succeeded").await["status"], "succeeded");
    assert!(fixture.subscription(&subscription["id"]).await["pending_setup_intent"].is_null());

    fixture.days(8).await;
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["status"],
        "active"
    );
}

#[tokio::test]
async fn a_return_url_turns_the_question_into_a_redirect() {
    let fixture = Fixture::start().await;
    let card = fixture.card("4000000000003220").await;
    let form = [
        ("amount", "990"),
        ("currency", "usd"),
        ("payment_method", &card),
        ("confirm", "true"),
        ("return_url", "http://localhost:8080/en/payment/"),
    ];
    let intent = fixture.stripe.post("/v1/payment_intents", &form).await.ok();
    let action = &intent["next_action"];
    assert_eq!(action["type"], "redirect_to_url");
    assert!(text(&action["redirect_to_url"]["url"]).contains("/stripe/js/challenge.html#source=pi_"));
}
