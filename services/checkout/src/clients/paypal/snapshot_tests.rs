use serde_json::{Value, json};

use super::*;

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn subscription(status: &str, info: &Value) -> SubscriptionObject {
    let shown = json!({
        "id": "I-1", "status": status, "plan_id": "P-1", "create_time": "2026-11-20T12:00:00Z", "billing_info": info,
    });
    serde_json::from_value(shown).unwrap()
}

fn transactions(statuses: &[&str]) -> Transactions {
    let list: Vec<Value> = statuses
        .iter()
        .enumerate()
        .map(|(month, status)| {
            json!({
                "id": format!("S{month}"), "status": status, "time": format!("2026-{:02}-20T12:00:00Z", 11 + month),
                "amount_with_breakdown": { "gross_amount": { "value": "12.99", "currency_code": "USD" } },
            })
        })
        .collect();
    serde_json::from_value(json!({ "transactions": list })).unwrap()
}

fn read(status: &str, info: &Value, paid: &[&str]) -> Snapshot {
    snapshot(&subscription(status, info), &transactions(paid), Some(1), noon()).unwrap()
}

#[test]
fn the_first_payment_is_the_one_that_bought() {
    let next = json!({ "next_billing_time": "2027-01-20T12:00:00Z" });
    let shown = read("ACTIVE", &next, &["REFUNDED", "COMPLETED"]);
    assert_eq!(shown.provider_intent_id.as_deref(), Some("S0"));
    assert!(matches!(shown.charge, Charge::Captured(paid) if paid.minor == 1299));
    assert_eq!(shown.period_end.to_rfc3339(), "2027-01-20T12:00:00+00:00");
}

#[test]
fn nothing_is_paid_before_the_bank_has_paid() {
    assert_eq!(
        read("ACTIVE", &json!({}), &["PENDING"]).charge,
        Charge::Processing
    );
    assert_eq!(
        read("APPROVAL_PENDING", &json!({}), &[]).status,
        ProviderStatus::Incomplete
    );
    let failed = json!({ "last_failed_payment": { "reason_code": "PAYMENT_DENIED" } });
    assert!(
        matches!(read("ACTIVE", &failed, &[]).charge, Charge::Declined(said) if said.code == "payment_denied")
    );
}

#[test]
fn a_trial_owes_nothing_yet() {
    let trial = json!({ "cycle_executions": [{ "tenure_type": "TRIAL" }],
        "next_billing_time": "2026-11-27T12:00:00Z" });
    let shown = read("ACTIVE", &trial, &[]);
    assert_eq!(
        (shown.status, shown.charge),
        (ProviderStatus::Trialing, Charge::NotDue)
    );
}

#[test]
fn what_was_paid_for_outlives_a_cancel() {
    let paid = json!({ "last_payment": { "time": "2026-11-20T12:00:00Z" } });
    assert_eq!(
        read("CANCELLED", &paid, &["COMPLETED"]).status,
        ProviderStatus::Active
    );
    let long_ago = json!({ "last_payment": { "time": "2026-10-19T12:00:00Z" } });
    assert_eq!(
        read("CANCELLED", &long_ago, &["COMPLETED"]).status,
        ProviderStatus::Canceled
    );
    assert_eq!(read("CANCELLED", &json!({}), &[]).charge, Charge::Closed);
}
