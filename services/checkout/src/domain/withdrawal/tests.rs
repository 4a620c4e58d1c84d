use super::*;
use crate::domain::fixtures::{intended, noon, price};

fn asked() -> WithdrawalRequest {
    WithdrawalRequest {
        full_name: " Ada Lovelace ".into(),
        email: " Ada@Example.com ".into(),
        reference: " ord_1 ".into(),
        language: "pt-BR".into(),
    }
}

fn errors(asked: &WithdrawalRequest) -> Vec<(String, String)> {
    match Declaration::accept(asked) {
        Ok(_) => Vec::new(),
        Err(errors) => errors
            .into_iter()
            .map(|error| (error.field, error.code))
            .collect(),
    }
}

fn error(field: &str, code: &str) -> (String, String) {
    (field.to_owned(), code.to_owned())
}

#[test]
fn what_is_typed_is_kept_without_the_blanks_around() {
    let Ok(declared) = Declaration::accept(&asked()) else {
        panic!("refused");
    };
    assert_eq!(declared.full_name, "Ada Lovelace");
    assert_eq!(declared.email, "ada@example.com");
    assert_eq!(declared.reference, "ord_1");
    assert_eq!(declared.language, "pt-BR");
}

#[test]
fn all_errors_are_returned_at_once() {
    let nothing = WithdrawalRequest {
        full_name: " ".into(),
        email: String::new(),
        reference: "r".repeat(201),
        language: "<en>".into(),
    };
    let expected = [
        error("full_name", "REQUIRED"),
        error("email", "REQUIRED"),
        error("reference", "TOO_LONG"),
        error("language", "INVALID"),
    ];
    assert_eq!(errors(&nothing), expected);
}

#[test]
fn each_field_has_its_limits() {
    for (name, code) in [("n".repeat(101), "TOO_LONG"), ("a\u{0}b".to_owned(), "INVALID")] {
        let with = WithdrawalRequest {
            full_name: name,
            ..asked()
        };
        assert_eq!(errors(&with), [error("full_name", code)]);
    }
    for email in [
        "ada",
        "@x.y",
        "a@b",
        "a@b@c.d",
        "a b@c.d",
        "a@c..d",
        "a@c.d\u{7}e",
    ] {
        let with = WithdrawalRequest {
            email: email.into(),
            ..asked()
        };
        assert_eq!(errors(&with), [error("email", "INVALID")], "{email}");
    }
    let whole = WithdrawalRequest {
        full_name: "ş".repeat(100),
        reference: "ş".repeat(200),
        language: String::new(),
        ..asked()
    };
    assert_eq!(errors(&whole), []);
}

#[test]
fn only_what_was_paid_within_the_period_goes_back() {
    let mut payment = intended().payment;
    let taken_at = |payment: &mut Payment, at| {
        payment.state = PaymentState::Succeeded {
            captured: price(),
            at,
        };
    };
    assert_eq!(payments_to_refund(&[payment.clone()], &[], noon()), []);
    taken_at(&mut payment, noon() - PERIOD);
    let first = PaymentToRefund {
        payment_id: payment.payment_id,
        captured: price(),
    };
    assert_eq!(payments_to_refund(&[payment.clone()], &[], noon()), [first]);
    taken_at(&mut payment, noon() - PERIOD - TimeDelta::seconds(1));
    assert_eq!(payments_to_refund(&[payment.clone()], &[], noon()), []);
    // Between the declaration and its acceptance as well.
    taken_at(&mut payment, noon() + TimeDelta::days(2));
    assert_eq!(payments_to_refund(&[payment], &[], noon()), [first]);
}

#[test]
fn empty_sum_is_zero() {
    assert_eq!(sum(&[]).unwrap(), None);
    assert_eq!(
        sum(&[price(), price()]).unwrap().unwrap().minor,
        2 * price().minor
    );
}
