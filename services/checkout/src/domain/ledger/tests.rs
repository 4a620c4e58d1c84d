use proptest::prelude::*;

use super::*;
use crate::domain::fixtures::{intended, later, noon, paid, price, refund_of, seen};
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::refund::{RefundOutcome, RefundResult, decide, refundable};
use crate::domain::subscription::settlement;

const RECEIVABLE: LedgerAccount = LedgerAccount::Receivable(Provider::Stripe);

fn bought() -> SubscriptionOrder {
    settlement::decide(intended(), &paid(), noon()).purchase
}

fn balance(postings: &[Posting], account: LedgerAccount) -> i64 {
    let entries = postings.iter().flat_map(|posting| &posting.entries);
    let of_account = entries.filter(|entry| entry.account == account);
    of_account.map(|entry| entry.amount.minor).sum()
}

fn check(posting: &Posting, kind: PostingKind, lines: &[(LedgerAccount, i64)]) {
    let booked: Vec<_> = posting
        .entries
        .iter()
        .map(|entry| (entry.account, entry.amount.minor))
        .collect();
    assert_eq!((posting.kind, booked.as_slice()), (kind, lines));
    assert!(posting.is_balanced());
}

#[test]
fn sale_posts_receivable_and_revenue() {
    let SubscriptionOrder { payment, order, .. } = bought();
    let posting = capture(Provider::Stripe, &payment, &order.state)
        .unwrap()
        .unwrap();
    let lines = [(RECEIVABLE, 5999), (LedgerAccount::Revenue, -5999)];
    check(&posting, PostingKind::Capture, &lines);
    assert_eq!(posting.natural_key, format!("capture/{}", payment.payment_id));
}

#[test]
fn second_capture_is_posted_to_suspense() {
    let SubscriptionOrder { payment, .. } = bought();
    let by_another = bought().order.state;
    let posting = capture(Provider::Stripe, &payment, &by_another).unwrap().unwrap();
    let lines = [(RECEIVABLE, 5999), (LedgerAccount::Suspense, -5999)];
    check(&posting, PostingKind::ExcessCapture, &lines);
}

#[test]
fn what_was_not_captured_is_not_booked() {
    let SubscriptionOrder { payment, order, .. } = intended();
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
    let SubscriptionOrder { payment, order, .. } = bought();
    let open = refund_of(&payment, 1000);
    let (given, _) = decide(open.clone(), &seen(&open, RefundOutcome::Succeeded), later(1));
    let posting = refund(
        Provider::Stripe,
        &given,
        Purpose::of(given.payment_id, &order.state),
    )
    .unwrap()
    .unwrap();
    let lines = [(LedgerAccount::Refunds, 1000), (RECEIVABLE, -1000)];
    check(&posting, PostingKind::Refund, &lines);

    let by_another = bought().order.state;
    let posting = refund(
        Provider::Stripe,
        &given,
        Purpose::of(given.payment_id, &by_another),
    )
    .unwrap()
    .unwrap();
    let lines = [(LedgerAccount::Suspense, 1000), (RECEIVABLE, -1000)];
    check(&posting, PostingKind::ExcessRefund, &lines);
}

#[test]
fn refund_that_comes_back_is_booked_back() {
    let SubscriptionOrder { payment, order, .. } = bought();
    let open = refund_of(&payment, 1000);
    let (given, _) = decide(open.clone(), &seen(&open, RefundOutcome::Succeeded), later(1));
    let lost = RefundOutcome::Failed {
        code: "lost_or_stolen_card".into(),
    };
    let (returned, _) = decide(given, &seen(&open, lost), later(2));
    let posting = refund(
        Provider::Stripe,
        &returned,
        Purpose::of(returned.payment_id, &order.state),
    )
    .unwrap()
    .unwrap();
    let lines = [(RECEIVABLE, 1000), (LedgerAccount::Refunds, -1000)];
    check(&posting, PostingKind::RefundReturn, &lines);
    assert_eq!(posting.occurred_at, later(2));
}

#[test]
fn a_booking_of_two_currencies_balances_in_each() {
    let SubscriptionOrder { payment, order, .. } = bought();
    let mut posting = capture(Provider::Stripe, &payment, &order.state)
        .unwrap()
        .unwrap();
    posting.entries[1].amount.currency = kit::money::Currency::parse("EUR").unwrap();
    assert!(!posting.is_balanced());
    posting.entries.clear();
    assert!(!posting.is_balanced());
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
    assert_eq!(LedgerAccount::named("receivable:unknown"), None);
    for kind in PostingKind::ALL {
        assert_eq!(PostingKind::named(kind.name()), Some(kind));
    }
}

fn any_report(refund: &Refund, choice: u8) -> RefundResult {
    match choice {
        0 => seen(refund, RefundOutcome::Pending),
        1 => seen(refund, RefundOutcome::Succeeded),
        2 => seen(
            refund,
            RefundOutcome::Failed {
                code: "expired".into(),
            },
        ),
        3 => RefundResult::Refused { code: "no".into() },
        4 => RefundResult::NotSent,
        _ => RefundResult::OutcomeUnknown,
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
        let mut postings = Vec::new();
        for (is_excess, parts) in sales {
            let SubscriptionOrder { payment, order, .. } = bought();
            let state = if is_excess { bought().order.state } else { order.state };
            postings.extend(capture(Provider::Stripe, &payment, &state).unwrap());
            let mut refunds: Vec<Refund> = Vec::new();
            for (minor, reports) in parts {
                if minor > refundable(price(), &refunds).unwrap().minor {
                    continue;
                }
                let mut current = refund_of(&payment, minor);
                for result in reports {
                    let (next, fact) = decide(current.clone(), &any_report(&current, result), later(1));
                    if fact.is_some() {
                        postings.extend(refund(Provider::Stripe, &next, Purpose::of(next.payment_id, &state)).unwrap());
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
            let of_payment: Vec<Posting> = postings
                .iter()
                .filter(|posting| posting.payment_id == payment.payment_id)
                .cloned()
                .collect();
            prop_assert!(given <= price().minor);
            prop_assert_eq!(balance(&of_payment, RECEIVABLE), price().minor - given);
        }
        prop_assert!(postings.iter().all(Posting::is_balanced));
        let total: i64 = postings.iter().flat_map(|posting| &posting.entries).map(|entry| entry.amount.minor).sum();
        prop_assert_eq!(total, 0);
        let mut keys: Vec<_> = postings.iter().map(|posting| &posting.natural_key).collect();
        let count = keys.len();
        keys.sort();
        keys.dedup();
        prop_assert_eq!(keys.len(), count);
    }
}
