use chrono::TimeDelta;
use kit::error::{Failure, Kind};
use sandbox::Action;
use serde_json::{Value, json};

use crate::support::fake_provider::{
    APPROVED, ASKS_FOR_3DS, DECLINED, DECLINED_WHEN_CHARGED, EXPIRED, INSUFFICIENT_FUNDS,
};
use crate::support::subscription_probe::SubscriptionProbe;
use crate::support::test_env::{MEMBER, TestEnv};

/// Of Cartes Bancaires and of Visa.
const CO_BRANDED: &str = "4000002500001001";

#[tokio::test]
async fn good_card_makes_an_active_subscription_and_one_charge() {
    let env = TestEnv::start().await;
    let answer = env.buy("web-monthly", APPROVED).await.unwrap();
    let subscription = answer.subscription.unwrap();
    assert_eq!(
        (subscription.status.as_str(), answer.payment_status.as_str()),
        ("active", "succeeded")
    );
    assert_eq!((answer.client_secret.as_str(), answer.quantity), ("", 1));
    assert!(answer.payment_intent_id.starts_with("pi_"));
    assert!(subscription.current_period_end.is_some());

    let charges = env.fake_provider.captured_charges().await;
    assert_eq!(charges.len(), 1);
    assert_eq!(
        (&charges[0]["amount"], &charges[0]["currency"]),
        (&json!(19_999), &json!("try"))
    );
    env.check_ledger().await;
}

#[tokio::test]
async fn purchase_emits_its_events_once() {
    let env = TestEnv::start().await;
    let subscription = env
        .buy("web-monthly", APPROVED)
        .await
        .unwrap()
        .subscription
        .unwrap();
    let created = env.events("subscription.created", 1).await.remove(0);
    assert_eq!(created.data["status"], "incomplete");
    let activated = env.events("subscription.activated", 1).await.remove(0);
    assert_eq!(activated.data["subscriptionId"], subscription.subscription_id);
    assert_eq!(activated.data["userId"], MEMBER);
    assert_eq!(activated.data["provider"], "stripe");
    let paid = env.events("order.paid", 1).await.remove(0);
    assert_eq!(paid.data["orderId"], subscription.order_id);
    assert_eq!(
        paid.data["amount"],
        json!({ "amountMinor": "19999", "currency": "TRY" })
    );
    assert_eq!(paid.country.as_deref(), Some("TR"));
}

#[tokio::test]
async fn yen_are_charged_whole() {
    let env = TestEnv::start().await;
    let card = env.fake_provider.card(APPROVED).await;
    let mut request = env.submit("web-monthly", &card).await;
    request.price_id = env.offer("web-monthly", "WELCOME20", "ja").await.price_id;
    request.coupon_code = "WELCOME20".into();
    env.pay(request).await.unwrap();
    let charge = env.fake_provider.captured_charges().await.remove(0);
    assert_eq!(
        (&charge["amount"], &charge["currency"]),
        (&json!(1200), &json!("jpy"))
    );
    env.check_ledger().await;
}

#[tokio::test]
async fn declined_card_answers_in_the_providers_words_and_another_card_pays() {
    let env = TestEnv::start().await;
    for (number, code) in [
        (DECLINED, "card_declined"),
        (INSUFFICIENT_FUNDS, "insufficient_funds"),
        (EXPIRED, "expired_card"),
        (DECLINED_WHEN_CHARGED, "card_declined"),
    ] {
        let failure = env.buy("web-monthly", number).await.unwrap_err();
        assert_eq!((failure.kind, failure.code.as_str()), (Kind::Refused, code));
        assert!(failure.message.starts_with("Your card"), "{failure}");
    }
    let answer = env.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(answer.subscription.unwrap().status, "active");

    assert_eq!(
        env.subscriptions().await.len(),
        1,
        "all attempts belong to one order"
    );
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    assert_eq!(env.events("subscription.payment_failed", 4).await.len(), 4);
    env.check_ledger().await;
}

#[tokio::test]
async fn attempt_that_was_replaced_can_no_longer_be_paid() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", DECLINED_WHEN_CHARGED).await.unwrap_err();
    env.buy("web-monthly", APPROVED).await.unwrap();
    let statuses: Vec<_> = env
        .fake_provider
        .subscriptions()
        .await
        .iter()
        .map(|found| found["status"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(statuses, ["active", "incomplete_expired"]);
}

#[tokio::test]
async fn unauthenticated_card_can_be_exchanged_for_another() {
    let env = TestEnv::start().await;
    let asked = env.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    assert_eq!(asked.payment_status, "requires_action");
    let paid = env.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(paid.payment_status, "succeeded");
    assert_eq!(
        paid.subscription.unwrap().order_id,
        asked.subscription.unwrap().order_id
    );
    env.check_ledger().await;
}

#[tokio::test]
async fn another_plan_before_payment_abandons_the_first_order() {
    let env = TestEnv::start().await;
    let first = env
        .buy("web-monthly", ASKS_FOR_3DS)
        .await
        .unwrap()
        .subscription
        .unwrap();
    let second = env
        .buy("web-annual", APPROVED)
        .await
        .unwrap()
        .subscription
        .unwrap();
    assert_ne!(first.order_id, second.order_id);
    let listed = env.subscriptions().await;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].order_id, second.order_id);
    env.check_ledger().await;
}

#[tokio::test]
async fn member_who_has_the_product_is_refused() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    for campaign in ["web-monthly", "web-annual"] {
        let failure = env.buy(campaign, APPROVED).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (Kind::Refused, "ALREADY_SUBSCRIBED")
        );
    }
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
}

#[tokio::test]
async fn unknown_price_and_foreign_coupon_are_refused_before_anything_is_stored() {
    let env = TestEnv::start().await;
    let card = env.fake_provider.card(APPROVED).await;
    let good = env.submit("web-monthly", &card).await;
    for (price_id, coupon_code, code) in [
        ("prc_0192f0c0a0007000800000000000000a", "", "UNKNOWN_PRICE"),
        ("price_of_another", "", "UNKNOWN_PRICE"),
        (&good.price_id, "WELCOME20", "UNKNOWN_COUPON"),
    ] {
        let mut request = good.clone();
        request.price_id = price_id.into();
        request.coupon_code = coupon_code.into();
        assert_eq!(env.pay(request).await.unwrap_err().code, code);
    }
    assert!(env.subscriptions().await.is_empty());
}

#[tokio::test]
async fn co_branded_card_is_charged_by_the_network_its_buyer_chose_now_and_later() {
    let env = TestEnv::start().await;
    let network = async || {
        let charges = env.fake_provider.captured_charges().await;
        let by = |charge: &Value| charge["payment_method_details"]["card"]["network"].clone();
        charges.iter().map(by).collect::<Vec<_>>()
    };
    let card = env.fake_provider.card(CO_BRANDED).await;
    let mut request = env.submit("web-monthly", &card).await;
    request.card_network = "cartes_bancaires".into();
    // Asked again, it must be in the same words.
    env.fake_provider
        .inject_fault("POST", "subscriptions", Action::DropAfterCommit {});
    let _ = env.pay(request).await;
    env.advance(TimeDelta::minutes(2)).await;
    env.until_status("active").await;
    assert_eq!(network().await, ["cartes_bancaires"]);

    env.until_idle().await;
    env.advance(TimeDelta::days(32)).await;
    env.events("subscription.renewed", 1).await;
    assert_eq!(network().await, ["cartes_bancaires"; 2]);
    assert_eq!(env.fake_provider.api_misuses(), Vec::<String>::new());
    env.check_ledger().await;
}

#[tokio::test]
async fn co_branded_card_without_a_choice_is_charged_by_its_brand() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", CO_BRANDED).await.unwrap();
    let charge = env.fake_provider.captured_charges().await.remove(0);
    assert_eq!(charge["payment_method_details"]["card"]["network"], "visa");
}

#[tokio::test]
async fn malformed_fields_are_named() {
    let env = TestEnv::start().await;
    let good = env.submit("web-monthly", "pm_1").await;
    let fields =
        |failure: Failure| -> Vec<String> { failure.fields.into_iter().map(|fault| fault.field).collect() };
    for (field, spoil) in [
        (
            "user_id",
            (|request| request.user_id = "no such; id".into())
                as fn(&mut proto::checkout::v1::CreateSubscriptionRequest),
        ),
        ("payment_method_id", |request| {
            request.payment_method_id = "../customers".into();
        }),
        ("payment_source", |request| request.payment_source = "cash".into()),
        ("card_network", |request| request.card_network = "girocard".into()),
        ("idempotency_key", |request| {
            request.idempotency_key = "k".repeat(256);
        }),
    ] {
        let mut request = good.clone();
        spoil(&mut request);
        assert_eq!(fields(env.pay(request).await.unwrap_err()), [field]);
    }
}

#[tokio::test]
async fn card_token_that_stripe_does_not_know_is_refused_in_our_words() {
    let env = TestEnv::start().await;
    let failure = env
        .pay(env.submit("web-monthly", "pm_made_up").await)
        .await
        .unwrap_err();
    assert_eq!(failure.kind, Kind::Refused);
    assert!(
        failure.message.starts_with("The payment could not be started"),
        "{failure}"
    );
    env.check_ledger().await;
}

#[tokio::test]
async fn unreachable_provider_is_reported_and_charges_nothing() {
    let env = TestEnv::start_with([("STRIPE_API_BASE", "http://127.0.0.1:9")]).await;
    let card = env.fake_provider.card(APPROVED).await;
    let failure = env.pay(env.submit("web-monthly", &card).await).await.unwrap_err();
    assert_eq!(failure.code, "provider_unavailable");
    env.check_ledger().await;
}
