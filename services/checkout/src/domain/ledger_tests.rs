use proptest::prelude::*;

use super::*;
use crate::domain::fixtures::{intended, later, noon, paid, price, refund_of, seen};
use crate::domain::purchase::Purchase;
use crate::domain::refund::{RefundOutcome, RefundReport, decide, left};
use crate::domain::settlement;

const RECEIVABLE: LedgerAccount = LedgerAccount::Receivable(Provider::Stripe);

fn bought() -> Purchase {
    settlement::decide(intended(), &paid(), noon()).purchase
}

fn balance(bookings: &[Booking], account: LedgerAccount) -> i64 {
    let entries = bookings.iter().flat_map(|booking| &booking.entries);
    let of_account = entries.filter(|entry| entry.account == account);
    of_account.map(|entry| entry.amount.minor).sum()
}

fn check(booking: &Booking, kind: BookingKind, lines: &[(LedgerAccount, i64)]) {
    let booked: Vec<_> = booking
        .entries
        .iter()
        .map(|entry| (entry.account, entry.amount.minor))
        .collect();
    assert_eq!((booking.kind, booked.as_slice()), (kind, lines));
    assert!(booking.is_balanced());
}

#[test]
fn sale_is_owed_by_the_provider_and_earned() {
    let Purchase { payment, order, .. } = bought();
    let booking = capture(Provider::Stripe, &payment, &order.state)
        .unwrap()
        .unwrap();
    let lines = [(RECEIVABLE, 5999), (LedgerAccount::Revenue, -5999)];
    check(&booking, BookingKind::Capture, &lines);
    assert_eq!(booking.natural_key, format!("capture/{}", payment.payment_id));
}

#[test]
fn second_capture_is_a_debt() {
    let Purchase { payment, .. } = bought();
    let by_another = bought().order.state;
    let booking = capture(Provider::Stripe, &payment, &by_another).unwrap().unwrap();
    let lines = [(RECEIVABLE, 5999), (LedgerAccount::Suspense, -5999)];
    check(&booking, BookingKind::SurplusCapture, &lines);
}

#[test]
fn what_was_not_captured_is_not_booked() {
    let Purchase { payment, order, .. } = intended();
    assert_eq!(capture(Provider::Stripe, &payment, &order.state), Ok(None));
    let open = refund_of(&payment, 100);
    assert_eq!(
        refund(
            Provider::Stripe,
            &open,
            Purpose::of(open.payment_id, &order.state)
        ),
        Ok(None)
    );
}

#[test]
fn refund_leaves_from_where_its_capture_went() {
    let Purchase { payment, order, .. } = bought();
    let open = refund_of(&payment, 1000);
    let (given, _) = decide(open.clone(), &seen(&open, RefundOutcome::Succeeded), later(1));
    let booking = refund(
        Provider::Stripe,
        &given,
        Purpose::of(given.payment_id, &order.state),
    )
    .unwrap()
    .unwrap();
    let lines = [(LedgerAccount::Refunds, 1000), (RECEIVABLE, -1000)];
    check(&booking, BookingKind::Refund, &lines);

    let by_another = bought().order.state;
    let booking = refund(
        Provider::Stripe,
        &given,
        Purpose::of(given.payment_id, &by_another),
    )
    .unwrap()
    .unwrap();
    let lines = [(LedgerAccount::Suspense, 1000), (RECEIVABLE, -1000)];
    check(&booking, BookingKind::SurplusRefund, &lines);
}

#[test]
fn refund_that_comes_back_is_booked_back() {
    let Purchase { payment, order, .. } = bought();
    let open = refund_of(&payment, 1000);
    let (given, _) = decide(open.clone(), &seen(&open, RefundOutcome::Succeeded), later(1));
    let lost = RefundOutcome::Failed {
        code: "lost_or_stolen_card".into(),
    };
    let (returned, _) = decide(given, &seen(&open, lost), later(2));
    let booking = refund(
        Provider::Stripe,
        &returned,
        Purpose::of(returned.payment_id, &order.state),
    )
    .unwrap()
    .unwrap();
    let lines = [(RECEIVABLE, 1000), (LedgerAccount::Refunds, -1000)];
    check(&booking, BookingKind::RefundReturn, &lines);
    assert_eq!(booking.occurred_at, later(2));
}

#[test]
fn a_booking_of_two_currencies_balances_in_each() {
    let Purchase { payment, order, .. } = bought();
    let mut booking = capture(Provider::Stripe, &payment, &order.state)
        .unwrap()
        .unwrap();
    booking.entries[1].amount.currency = kit::money::Currency::parse("EUR").unwrap();
    assert!(!booking.is_balanced());
    booking.entries.clear();
    assert!(!booking.is_balanced());
}

#[test]
fn accounts_and_kinds_are_found_by_their_names() {
    for account in [
        RECEIVABLE,
        LedgerAccount::Revenue,
        LedgerAccount::Refunds,
        LedgerAccount::Suspense,
    ] {
        assert_eq!(LedgerAccount::named(&account.name()), Some(account));
    }
    assert_eq!(LedgerAccount::named("receivable:nobody"), None);
    for kind in BookingKind::ALL {
        assert_eq!(BookingKind::named(kind.name()), Some(kind));
    }
}

fn any_report(refund: &Refund, choice: u8) -> RefundReport {
    match choice {
        0 => seen(refund, RefundOutcome::Pending),
        1 => seen(refund, RefundOutcome::Succeeded),
        2 => seen(
            refund,
            RefundOutcome::Failed {
                code: "expired".into(),
            },
        ),
        3 => RefundReport::Refused { code: "no".into() },
        4 => RefundReport::Unreached,
        _ => RefundReport::NoAnswer,
    }
}

proptest! {
    /// Some sales, each refunded in parts of any size whose reports come in any order.
    #[test]
    fn captures_and_refunds_balance_and_never_give_back_too_much(
        sales in prop::collection::vec(
            (any::<bool>(), prop::collection::vec((1..=5999_i64, prop::collection::vec(0..6_u8, 0..5)), 0..6)),
            1..5,
        ),
    ) {
        let mut bookings = Vec::new();
        for (is_surplus, parts) in sales {
            let Purchase { payment, order, .. } = bought();
            let state = if is_surplus { bought().order.state } else { order.state };
            bookings.extend(capture(Provider::Stripe, &payment, &state).unwrap());
            let mut refunds: Vec<Refund> = Vec::new();
            for (minor, reports) in parts {
                if minor > left(price(), &refunds).unwrap().minor {
                    continue;
                }
                let mut current = refund_of(&payment, minor);
                for report in reports {
                    let (next, fact) = decide(current.clone(), &any_report(&current, report), later(1));
                    if fact.is_some() {
                        bookings.extend(refund(Provider::Stripe, &next, Purpose::of(next.payment_id, &state)).unwrap());
                    }
                    current = next;
                }
                refunds.push(current);
            }
            let given: i64 = refunds
                .iter()
                .filter(|refund| matches!(refund.state, RefundState::Succeeded { .. }))
                .map(|refund| refund.amount.minor)
                .sum();
            let of_payment: Vec<Booking> = bookings
                .iter()
                .filter(|booking| booking.payment_id == payment.payment_id)
                .cloned()
                .collect();
            prop_assert!(given <= price().minor);
            prop_assert_eq!(balance(&of_payment, RECEIVABLE), price().minor - given);
        }
        prop_assert!(bookings.iter().all(Booking::is_balanced));
        let total: i64 = bookings.iter().flat_map(|booking| &booking.entries).map(|entry| entry.amount.minor).sum();
        prop_assert_eq!(total, 0);
        let mut keys: Vec<_> = bookings.iter().map(|booking| &booking.natural_key).collect();
        let count = keys.len();
        keys.sort();
        keys.dedup();
        prop_assert_eq!(keys.len(), count);
    }
}
