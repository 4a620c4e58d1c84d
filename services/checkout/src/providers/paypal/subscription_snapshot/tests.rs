use chrono::TimeDelta;
use serde_json::{Value, json};

use super::*;
use crate::domain::payment::provider_result::ProviderStatus;

const FIRST: &str = "2026-11-20T12:00:00Z";
const SECOND: &str = "2026-12-20T12:00:00Z";
const THIRD: &str = "2027-01-20T12:00:00Z";

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn paid(id: &str, status: &str, time: &str) -> Value {
    json!({
        "id": id, "status": status, "time": time,
        "amount_with_breakdown": { "gross_amount": { "value": "12.99", "currency_code": "USD" } },
    })
}

fn owing(failed: &str) -> Value {
    let amount = json!({ "value": "12.99", "currency_code": "USD" });
    json!({
        "outstanding_balance": amount, "last_payment": { "time": FIRST },
        "last_failed_payment": { "reason_code": "PAYMENT_DENIED", "time": failed, "amount": amount },
    })
}

fn settled_since(failed: &str, paid: &str) -> Value {
    let mut info = owing(failed);
    info["outstanding_balance"]["value"] = "0.00".into();
    info["last_payment"]["time"] = paid.into();
    info
}

struct ProviderAnswer {
    status: &'static str,
    changed: &'static str,
    note: Option<String>,
    info: Value,
    transactions: Vec<Value>,
}

fn active(info: Value, transactions: &[Value]) -> ProviderAnswer {
    ProviderAnswer {
        status: "ACTIVE",
        changed: FIRST,
        note: None,
        info,
        transactions: transactions.to_vec(),
    }
}

fn shown(answer: &ProviderAnswer, now: &str) -> SubscriptionSnapshot {
    let subscription = json!({
        "id": "I-1", "status": answer.status, "plan_id": "P-1", "create_time": FIRST, "billing_info": answer.info,
        "status_update_time": answer.changed, "status_change_note": answer.note,
    });
    let found = serde_json::from_value(subscription).unwrap();
    let transactions = serde_json::from_value(json!({ "transactions": answer.transactions })).unwrap();
    let cycles = Cycles {
        months: 1,
        trial: TimeDelta::zero(),
    };
    read_snapshot(&found, &transactions, cycles, at(now)).unwrap()
}

fn states(snapshot: &SubscriptionSnapshot) -> Vec<(&str, &InvoiceState)> {
    let invoices = snapshot.invoices.iter();
    invoices
        .map(|invoice| (invoice.provider_invoice_id.as_str(), &invoice.state))
        .collect()
}

#[test]
fn each_payment_is_an_invoice_of_its_own_time() {
    let next = json!({ "next_billing_time": THIRD, "last_payment": { "time": SECOND } });
    let reported = active(
        next,
        &[paid("S1", "REFUNDED", SECOND), paid("S0", "COMPLETED", FIRST)],
    );
    let snapshot = shown(&reported, SECOND);
    let renewal = &snapshot.invoices[0];
    assert_eq!(renewal.provider_invoice_id, "S1");
    assert_eq!(renewal.provider_intent_id.as_deref(), Some("S1"));
    assert_eq!(
        (renewal.period_start, renewal.period_end),
        (at(SECOND), at(THIRD))
    );
    assert!(matches!(renewal.state, InvoiceState::Paid { captured, .. } if captured.minor == 1299));
    assert_eq!(snapshot.invoices.last().unwrap().reason, InvoiceReason::First);
    assert_eq!((snapshot.paused_until, snapshot.resume_at), (None, None));
}

#[test]
fn a_bank_that_takes_its_time_is_awaited() {
    let payload = active(
        json!({}),
        &[paid("S1", "PENDING", SECOND), paid("S0", "COMPLETED", FIRST)],
    );
    assert_eq!(shown(&payload, SECOND).invoices[0].state, InvoiceState::Awaited);
}

#[test]
fn what_could_not_be_taken_is_overdue_until_the_next_payment() {
    let failed = active(owing(SECOND), &[paid("S0", "COMPLETED", FIRST)]);
    let snapshot = shown(&failed, SECOND);
    let (id, state) = states(&snapshot)[0];
    assert_eq!((id, subscription_of(id)), ("I-1/after-S0", Some("I-1")));
    assert!(matches!(state, InvoiceState::Overdue(said) if said.code == "payment_denied"));
    assert_eq!(snapshot.payment.status, ProviderStatus::PastDue);

    let later = "2026-12-25T12:00:00Z";
    let paid_since = active(
        settled_since(SECOND, later),
        &[paid("S1", "COMPLETED", later), paid("S0", "COMPLETED", FIRST)],
    );
    let snapshot = shown(&paid_since, later);
    let closed = states(&snapshot)
        .into_iter()
        .find(|(id, _)| *id == "I-1/after-S0");
    assert_eq!(closed, Some(("I-1/after-S0", &InvoiceState::Closed)));
    assert_eq!(snapshot.invoices[0].period_start, at(SECOND), "its own month");
}

#[test]
fn ended_subscription_owes_nothing() {
    let reported = ProviderAnswer {
        status: "CANCELLED",
        ..active(owing(SECOND), &[paid("S0", "COMPLETED", FIRST)])
    };
    let snapshot = shown(&reported, SECOND);
    assert_eq!(states(&snapshot)[0], ("I-1/after-S0", &InvoiceState::Closed));
}

#[test]
fn a_pause_ends_when_the_member_said() {
    let until = at(THIRD);
    let reported = ProviderAnswer {
        status: "SUSPENDED",
        note: Some(pause_note(until)),
        ..active(
            json!({ "last_payment": { "time": FIRST } }),
            &[paid("S0", "COMPLETED", FIRST)],
        )
    };
    let snapshot = shown(&reported, "2026-12-01T12:00:00Z");
    assert_eq!(
        (snapshot.paused_until, snapshot.resume_at),
        (Some(until), Some(until))
    );
    assert_eq!(snapshot.payment.status, ProviderStatus::Active);
    assert_eq!(
        snapshot.payment.period_end,
        at(SECOND),
        "as long as it is paid for"
    );
}

#[test]
fn manual_suspension_at_paypal_is_not_resumed() {
    let reported = ProviderAnswer {
        status: "SUSPENDED",
        note: Some("By hand".into()),
        ..active(
            json!({ "last_payment": { "time": FIRST } }),
            &[paid("S0", "COMPLETED", FIRST)],
        )
    };
    let snapshot = shown(&reported, "2026-12-01T12:00:00Z");
    assert_eq!(snapshot.resume_at, None);
    assert_eq!(snapshot.paused_until, Some(at(FIRST) + PAUSE_MAX));
}

#[test]
fn what_was_suspended_unpaid_goes_on_once_it_is_paid() {
    let later = "2026-12-23T12:00:00Z";
    let suspended = |info: Value, transactions: &[Value]| ProviderAnswer {
        status: "SUSPENDED",
        changed: SECOND,
        note: Some("Too many failures".into()),
        ..active(info, transactions)
    };
    let owes = suspended(owing(SECOND), &[paid("S0", "COMPLETED", FIRST)]);
    assert_eq!(shown(&owes, SECOND).resume_at, None);
    let paid_up = suspended(
        settled_since(SECOND, later),
        &[paid("S0", "COMPLETED", FIRST), paid("S1", "COMPLETED", later)],
    );
    let snapshot = shown(&paid_up, later);
    assert_eq!(
        (snapshot.resume_at, snapshot.paused_until),
        (Some(at(SECOND)), None)
    );
}

#[test]
fn time_that_a_pause_left_unpaid_is_no_access() {
    let until_next = json!({ "next_billing_time": THIRD, "last_payment": { "time": FIRST } });
    let reported = active(until_next, &[paid("S0", "COMPLETED", FIRST)]);
    assert_eq!(
        shown(&reported, "2026-12-30T12:00:00Z").paused_until,
        Some(at(THIRD))
    );
    // PayPal charges some hours later than to the minute.
    let soon = json!({ "next_billing_time": "2026-12-20T20:00:00Z", "last_payment": { "time": FIRST } });
    let reported = active(soon, &[paid("S0", "COMPLETED", FIRST)]);
    assert_eq!(shown(&reported, "2026-12-20T13:00:00Z").paused_until, None);
}

#[test]
fn what_is_cancelled_ends_with_what_is_paid_for() {
    let reported = ProviderAnswer {
        status: "CANCELLED",
        ..active(
            json!({ "last_payment": { "time": FIRST } }),
            &[paid("S0", "COMPLETED", FIRST)],
        )
    };
    let snapshot = shown(&reported, "2026-12-01T12:00:00Z");
    assert_eq!(snapshot.cancel_at, Some(at(SECOND)));
    assert_eq!(shown(&reported, THIRD).cancel_at, None);
}
