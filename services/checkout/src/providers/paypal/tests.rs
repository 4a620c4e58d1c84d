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

fn read(status: &str, info: &Value, paid: &[&str]) -> PaymentSnapshot {
    let cycles = Cycles {
        months: 1,
        trial: TimeDelta::days(7),
    };
    snapshot(
        &subscription(status, info),
        &transactions(paid),
        Some(cycles),
        noon(),
    )
    .unwrap()
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
    let failed =
        json!({ "last_failed_payment": { "reason_code": "PAYMENT_DENIED", "time": "2026-11-20T12:00:00Z" } });
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

#[test]
fn a_trial_that_was_cancelled_runs_on() {
    let trial = json!({ "cycle_executions": [{ "tenure_type": "TRIAL" }] });
    let shown = read("CANCELLED", &trial, &[]);
    assert_eq!(
        (shown.status, shown.charge, shown.period_end.to_rfc3339().as_str()),
        (
            ProviderStatus::Trialing,
            Charge::NotDue,
            "2026-11-27T12:00:00+00:00"
        )
    );
}

#[test]
fn what_could_not_be_taken_is_past_due_until_something_is() {
    let info = |failed: &str| {
        json!({
            "outstanding_balance": { "value": "12.99", "currency_code": "USD" },
            "last_failed_payment": { "reason_code": "PAYMENT_DENIED", "time": failed },
            "last_payment": { "time": "2026-11-20T12:00:00Z" },
        })
    };
    let owes = info("2026-12-20T12:00:00Z");
    for status in ["ACTIVE", "SUSPENDED"] {
        assert_eq!(
            read(status, &owes, &["COMPLETED"]).status,
            ProviderStatus::PastDue
        );
    }
    let paid_since = info("2026-11-19T12:00:00Z");
    assert_eq!(
        read("ACTIVE", &paid_since, &["COMPLETED"]).status,
        ProviderStatus::Active
    );
}
