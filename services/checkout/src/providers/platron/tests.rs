use super::*;
use crate::domain::fixtures::{intended, noon, refund_of};

fn status(name: &str, more: &[(&str, &str)]) -> Fields {
    let mut fields = owned([
        ("pg_payment_id", "77".into()),
        ("pg_order_id", "hco_0192f0c0a0007000800000000000000a.1".into()),
        ("pg_amount", "499.00".into()),
        ("pg_currency", "RUB".into()),
        ("pg_transaction_status", name.into()),
        ("pg_create_date", "2026-11-20 12:00:00".into()),
        ("pg_result_date", "2026-11-20 12:00:00".into()),
    ]);
    fields.extend(
        more.iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    );
    fields
}

#[test]
fn what_was_given_back_was_taken_before() {
    for name in ["ok", "revoked"] {
        let shown = snapshot(&status(name, &[]), noon()).unwrap();
        assert!(
            matches!(shown.charge, Charge::Captured(paid) if paid.minor == 49_900),
            "{name}"
        );
        assert_eq!(shown.status, ProviderStatus::Paid);
    }
}

#[test]
fn refusal_differs_from_an_unused_page() {
    let of = |code: &str| snapshot(&status("failed", &[("pg_failure_code", code)]), noon()).unwrap();
    assert_eq!(of("360").charge, Charge::Closed);
    assert!(matches!(of("420").charge, Charge::Declined(said) if said.code == "platron_420"));
}

#[test]
fn a_lost_refund_is_found_in_the_sum_of_all() {
    let payment = intended().payment;
    let total = |minor| Money::new(minor, refund_of(&payment, 1).amount.currency);
    let mut first = refund_of(&payment, 1000);
    let lost = refund_of(&payment, 500);
    let seen = |known: &[Refund], minor| unknown_refund("77", total(minor), known, noon());
    first.state = RefundState::Succeeded { at: noon() };
    let known = [first, lost];
    assert_eq!(seen(&known, 1000), None);
    assert_eq!(seen(&known, 1500).unwrap().refund_id, Some(known[1].refund_id));
    let by_hand = seen(&known, 1300).unwrap();
    assert_eq!((by_hand.refund_id, by_hand.amount.minor), (None, 300));
}
