use serde_json::{Value, json};

use super::*;

fn subscription(status: &str, invoice: &Value, setup: &Value) -> SubscriptionObject {
    serde_json::from_value(json!({
        "id": "sub_1",
        "status": status,
        "metadata": { "payment_id": "pay_0192f0c0a0007000800000000000000a", "anything": "else" },
        "items": { "data": [{ "current_period_end": 1_800_000_000 }] },
        "latest_invoice": invoice,
        "pending_setup_intent": setup,
    }))
    .unwrap()
}

fn invoice(status: &str, amount_paid: i64) -> Value {
    json!({
        "status": status,
        "currency": "try",
        "amount_paid": amount_paid,
        "payments": { "data": [{ "payment": { "type": "payment_intent", "payment_intent": "pi_1" } }] },
    })
}

fn intent(status: &str, error: &Value) -> PaymentIntentObject {
    serde_json::from_value(json!({
        "status": status,
        "currency": "try",
        "amount_received": 5999,
        "client_secret": "pi_1_secret",
        "last_payment_error": error,
    }))
    .unwrap()
}

fn money() -> Money {
    Money::new(5999, Currency::parse("TRY").unwrap())
}

fn check_open(status: &str, error: &Value, expected: &Charge) {
    let subscription = subscription("incomplete", &invoice("open", 0), &Value::Null);
    let snapshot = of(&subscription, Some(&intent(status, error))).unwrap();
    assert_eq!(snapshot.charge, *expected);
}

#[test]
fn paid_invoice_is_captured_in_its_own_currency() {
    let snapshot = of(
        &subscription("active", &invoice("paid", 5999), &Value::Null),
        None,
    )
    .unwrap();
    assert_eq!(snapshot.charge, Charge::Captured(money()));
    assert_eq!(snapshot.status, ProviderStatus::Active);
    assert_eq!(snapshot.period_end.timestamp(), 1_800_000_000);
    assert_eq!(snapshot.provider_intent_id.as_deref(), Some("pi_1"));
    assert_eq!(
        snapshot.payment_id.unwrap().to_string(),
        "pay_0192f0c0a0007000800000000000000a"
    );
}

#[test]
fn open_invoice_is_what_its_intent_says() {
    let action = Charge::ActionRequired {
        client_secret: "pi_1_secret".into(),
    };
    check_open("requires_action", &Value::Null, &action);
    check_open("requires_confirmation", &Value::Null, &action);
    check_open("requires_payment_method", &Value::Null, &action);
    check_open("processing", &Value::Null, &Charge::Processing);
    check_open("canceled", &Value::Null, &Charge::Closed);
    check_open("succeeded", &Value::Null, &Charge::Captured(money()));
}

#[test]
fn declined_charge_carries_the_providers_words() {
    let error =
        json!({ "type": "card_error", "code": "card_declined", "message": "Your card was declined." });
    match of(
        &subscription("incomplete", &invoice("open", 0), &Value::Null),
        Some(&intent("requires_payment_method", &error)),
    )
    .unwrap()
    .charge
    {
        Charge::Declined(decline) => {
            assert_eq!(
                (decline.code.as_str(), decline.message.as_str()),
                ("card_declined", "Your card was declined.")
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn trial_owes_nothing_but_perhaps_an_authentication() {
    let setup = |status: &str| json!({ "status": status, "client_secret": "seti_1_secret" });
    let charge = |setup: &Value| {
        of(&subscription("trialing", &invoice("paid", 0), setup), None)
            .unwrap()
            .charge
    };
    assert_eq!(charge(&Value::Null), Charge::NotDue);
    assert_eq!(charge(&setup("succeeded")), Charge::NotDue);
    let required = Charge::SetupRequired {
        client_secret: "seti_1_secret".into(),
    };
    assert_eq!(charge(&setup("requires_action")), required);
}

#[test]
fn draft_after_a_trial_is_not_due_and_a_void_invoice_is_closed() {
    let charge = |status: &str| {
        of(&subscription("active", &invoice(status, 0), &Value::Null), None)
            .unwrap()
            .charge
    };
    assert_eq!(charge("draft"), Charge::NotDue);
    assert_eq!(charge("void"), Charge::Closed);
}

#[test]
fn unknown_words_are_no_answer() {
    assert!(
        of(
            &subscription("brand_new", &invoice("paid", 5999), &Value::Null),
            None
        )
        .is_err()
    );
    assert!(
        of(
            &subscription("active", &invoice("brand_new", 0), &Value::Null),
            None
        )
        .is_err()
    );
    assert!(of(&subscription("active", &json!("in_1"), &Value::Null), None).is_err());
}
