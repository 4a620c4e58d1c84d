use serde_json::Value;

use crate::support::{World, text};

async fn finish(world: &World, intent: &Value, outcome: &str) -> Value {
    let form = [
        ("source", text(&intent["id"])),
        ("client_secret", text(&intent["client_secret"])),
        ("outcome", outcome.to_owned()),
    ];
    let form: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
    world
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
        let world = World::start().await;
        let subscription = world.subscribe(number, &[]).await.ok();
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

        assert_eq!(finish(&world, &intent, "succeeded").await["status"], "succeeded");
        let after = world.subscription(&subscription["id"]).await;
        assert_eq!(
            (text(&after["status"]), text(&after["latest_invoice"]["status"])),
            ("active".into(), "paid".into())
        );
    }
}

#[tokio::test]
async fn a_failed_answer_charges_nothing_and_another_card_may_pay() {
    let world = World::start().await;
    let subscription = world.subscribe("4000002500003155", &[]).await.ok();
    let intent = payment(&subscription);
    let failed = finish(&world, &intent, "failed").await;
    assert_eq!(failed["status"], "requires_payment_method");
    assert_eq!(
        failed["last_payment_error"]["code"],
        "payment_intent_authentication_failure"
    );
    assert_eq!(
        world.subscription(&subscription["id"]).await["status"],
        "incomplete"
    );
    assert!(
        world.stripe.get("/v1/charges").await.ok()["data"]
            .as_array()
            .unwrap()
            .is_empty()
    );

    let card = world.card("4242424242424242").await;
    let path = format!("/v1/payment_intents/{}/confirm", text(&intent["id"]));
    world.stripe.post(&path, &[("payment_method", &card)]).await.ok();
    assert_eq!(world.subscription(&subscription["id"]).await["status"], "active");
}

#[tokio::test]
async fn proof_does_not_help_a_card_without_money() {
    let world = World::start().await;
    let subscription = world.subscribe("4000008260003178", &[]).await.ok();
    let after = finish(&world, &payment(&subscription), "succeeded").await;
    assert_eq!(after["last_payment_error"]["decline_code"], "insufficient_funds");
}

#[tokio::test]
async fn nobody_answers_without_the_client_secret() {
    let world = World::start().await;
    let intent = payment(&world.subscribe("4000002500003155", &[]).await.ok());
    let form = [
        ("source", text(&intent["id"])),
        ("client_secret", "x".into()),
        ("outcome", "succeeded".into()),
    ];
    let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(
        world
            .browser()
            .post("/v1/3ds2/challenge_complete", &form)
            .await
            .status,
        400
    );
    assert_eq!(
        world
            .browser()
            .post("/v1/3ds2/challenge_complete", &form[..1])
            .await
            .status,
        400
    );
}

#[tokio::test]
async fn a_trial_with_such_a_card_waits_for_its_setup() {
    let world = World::start().await;
    let subscription = world
        .subscribe("4000002500003155", &[("trial_period_days", "7")])
        .await
        .ok();
    assert_eq!(subscription["status"], "trialing");
    let setup = &subscription["pending_setup_intent"];
    assert_eq!(setup["status"], "requires_action");
    assert_eq!(finish(&world, setup, "succeeded").await["status"], "succeeded");
    assert!(world.subscription(&subscription["id"]).await["pending_setup_intent"].is_null());

    world.days(8).await;
    assert_eq!(world.subscription(&subscription["id"]).await["status"], "active");
}

#[tokio::test]
async fn a_return_url_turns_the_question_into_a_redirect() {
    let world = World::start().await;
    let card = world.card("4000000000003220").await;
    let form = [
        ("amount", "990"),
        ("currency", "usd"),
        ("payment_method", &card),
        ("confirm", "true"),
        ("return_url", "http://localhost:8080/en/payment/"),
    ];
    let intent = world.stripe.post("/v1/payment_intents", &form).await.ok();
    let action = &intent["next_action"];
    assert_eq!(action["type"], "redirect_to_url");
    assert!(text(&action["redirect_to_url"]["url"]).contains("/stripe/js/challenge.html#source=pi_"));
}
