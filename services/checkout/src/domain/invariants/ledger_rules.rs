//! Charges and refunds against the ledger. An erased member's orders keep to all of it.

use std::collections::BTreeMap;

use kit::money::Money;

use super::{OrderAggregate, Rule};
use crate::domain::ids::PaymentId;
use crate::domain::ledger::{LedgerAccount, Posting, PostingKind, Purpose, capture_key};
use crate::domain::order::OrderState;
use crate::domain::payment::Payment;
use crate::domain::provider::Provider;
use crate::domain::refund::{Refund, RefundReason, RefundState};

pub static RULES: [Rule; 13] = [
    ("captured_charge_has_cause", captured_charge_has_cause),
    ("refunds_stay_within_capture", refunds_stay_within_capture),
    ("open_refund_is_scheduled", open_refund_is_scheduled),
    ("refund_is_of_its_order", refund_is_of_its_order),
    ("booking_is_balanced", booking_is_balanced),
    ("booking_is_of_its_order", booking_is_of_its_order),
    ("nothing_is_booked_twice", nothing_is_booked_twice),
    ("capture_is_booked", capture_is_booked),
    ("paid_order_has_one_sale", paid_order_has_one_sale),
    ("refund_is_booked", refund_is_booked),
    (
        "receivable_is_captures_minus_refunds",
        receivable_is_captures_minus_refunds,
    ),
    ("refunds_are_what_was_given_back", refunds_are_what_was_given_back),
    ("suspense_is_what_is_owed", suspense_is_what_is_owed),
];

/// Sums by currency, without those that are zero.
type Sums = BTreeMap<&'static str, i128>;

fn sums(amounts: impl Iterator<Item = Money>) -> Sums {
    let mut sums = Sums::new();
    for amount in amounts {
        *sums.entry(amount.currency.code()).or_default() += i128::from(amount.minor);
    }
    sums.retain(|_, sum| *sum != 0);
    sums
}

fn minus(mut these: Sums, taken: Sums) -> Sums {
    for (currency, sum) in taken {
        *these.entry(currency).or_default() -= sum;
    }
    these.retain(|_, sum| *sum != 0);
    these
}

fn balance(account: &OrderAggregate, wanted: LedgerAccount) -> Sums {
    let entries = account.postings.iter().flat_map(|posting| &posting.entries);
    sums(
        entries
            .filter(|entry| entry.account == wanted)
            .map(|entry| entry.amount),
    )
}

fn captured(account: &OrderAggregate, wanted: Purpose) -> Sums {
    let of_purpose = account
        .payments
        .iter()
        .filter(|payment| account.purpose(payment.payment_id) == wanted);
    sums(of_purpose.filter_map(Payment::captured))
}

fn given_back(account: &OrderAggregate, wanted: Purpose) -> Sums {
    let given = account.refunds.iter().filter(|refund| {
        matches!(refund.state, RefundState::Succeeded { .. }) && account.purpose(refund.payment_id) == wanted
    });
    sums(given.map(|refund| refund.amount))
}

/// What may be given back, and how much was taken.
fn charges(account: &OrderAggregate) -> impl Iterator<Item = (PaymentId, Option<Money>)> {
    let first = account
        .payments
        .iter()
        .map(|payment| (payment.payment_id, payment.captured()));
    let later = account
        .renewals
        .iter()
        .map(|renewal| (renewal.payment_id, Some(renewal.captured)));
    first.chain(later)
}

/// It paid its order, or all of it went back, or is on its way.
fn captured_charge_has_cause(account: &OrderAggregate) -> bool {
    account.payments.iter().all(|payment| {
        let Some(captured) = payment.captured() else {
            return true;
        };
        let returning = account.refunds_of(payment.payment_id).filter(|it| it.counts());
        let kept = || {
            minus(
                sums([captured].into_iter()),
                sums(returning.map(|refund| refund.amount)),
            )
        };
        account.purpose(payment.payment_id) == Purpose::Sale || kept().into_values().all(|sum| sum < 0)
    })
}

/// What we give. Banks take what they take.
fn refunds_stay_within_capture(account: &OrderAggregate) -> bool {
    charges(account).all(|(payment_id, captured)| {
        let given = |refund: &&Refund| refund.counts() && refund.reason != RefundReason::Disputed;
        let counting = account.refunds_of(payment_id).filter(given);
        let left = minus(
            sums(captured.into_iter()),
            sums(counting.map(|refund| refund.amount)),
        );
        left.into_values().all(|sum| sum > 0)
    })
}

fn open_refund_is_scheduled(account: &OrderAggregate) -> bool {
    let mut open = account.refunds.iter().filter(|refund| refund.is_open());
    open.all(|refund| account.reconciled_refunds.contains(&refund.payment_id))
}

fn is_ours(account: &OrderAggregate, booked: &Posting) -> bool {
    booked.order_id == account.order.order_id
        && charges(account).any(|(payment_id, _)| payment_id == booked.payment_id)
}

fn refund_is_of_its_order(account: &OrderAggregate) -> bool {
    account.refunds.iter().all(|refund| {
        refund.order_id == account.order.order_id
            && charges(account).any(|(payment_id, _)| payment_id == refund.payment_id)
    })
}

fn booking_is_balanced(account: &OrderAggregate) -> bool {
    account.postings.iter().all(Posting::is_balanced)
}

fn booking_is_of_its_order(account: &OrderAggregate) -> bool {
    account.postings.iter().all(|posting| is_ours(account, posting))
}

fn nothing_is_booked_twice(account: &OrderAggregate) -> bool {
    let mut keys: Vec<&str> = account
        .postings
        .iter()
        .map(|posting| posting.natural_key.as_str())
        .collect();
    keys.sort_unstable();
    keys.windows(2).all(|pair| pair[0] != pair[1])
}

/// Every captured charge, and no other.
fn capture_is_booked(account: &OrderAggregate) -> bool {
    account.payments.iter().all(|payment| {
        let key = capture_key(payment.payment_id);
        let kind = match account.purpose(payment.payment_id) {
            Purpose::Sale | Purpose::Renewal => PostingKind::Capture,
            Purpose::Excess => PostingKind::ExcessCapture,
        };
        let mut postings = account
            .postings
            .iter()
            .filter(|posting| posting.natural_key == key);
        match (payment.captured(), postings.next()) {
            (None, None) => true,
            (Some(_), Some(posting)) => posting.kind == kind,
            (Some(_), None) | (None, Some(_)) => false,
        }
    })
}

/// Of its price; an order that is not paid has none.
fn paid_order_has_one_sale(account: &OrderAggregate) -> bool {
    let sales = account
        .postings
        .iter()
        .filter(|posting| posting.kind == PostingKind::Capture)
        .count();
    let earned = balance(account, LedgerAccount::Revenue);
    match account.order.state {
        OrderState::Paid { .. } => {
            let later = account.renewals.iter().map(|renewal| renewal.captured);
            let sold = sums(later.chain([account.order.amount]));
            sales == 1 && minus(Sums::new(), earned) == sold
        }
        _ => sales == 0 && earned.is_empty(),
    }
}

/// What was given back, and what of it came back; nothing else.
fn refund_is_booked(account: &OrderAggregate) -> bool {
    let is_booked = |key: String| account.postings.iter().any(|posting| posting.natural_key == key);
    account.refunds.iter().all(|refund: &Refund| {
        let given = is_booked(format!("refund/{}", refund.refund_id));
        let returned = is_booked(format!("refund_return/{}", refund.refund_id));
        match refund.state {
            RefundState::Succeeded { .. } => given && !returned,
            RefundState::Returned { .. } => given && returned,
            _ => !given && !returned,
        }
    })
}

/// With each provider what it captured and gave back itself.
fn receivable_is_captures_minus_refunds(account: &OrderAggregate) -> bool {
    Provider::ALL.into_iter().all(|provider| {
        let first = account
            .payments
            .iter()
            .filter(|payment| payment.provider == provider)
            .map(|payment| (payment.payment_id, payment.captured()));
        let later = account
            .renewals
            .iter()
            .filter(|renewal| renewal.provider == provider)
            .map(|renewal| (renewal.payment_id, Some(renewal.captured)));
        let charges: BTreeMap<PaymentId, Option<Money>> = first.chain(later).collect();
        let captured = sums(charges.values().copied().flatten());
        let given = account.refunds.iter().filter(|refund| {
            matches!(refund.state, RefundState::Succeeded { .. }) && charges.contains_key(&refund.payment_id)
        });
        let owed = minus(captured, sums(given.map(|refund| refund.amount)));
        balance(account, LedgerAccount::Receivable(provider)) == owed
    })
}

fn refunds_are_what_was_given_back(account: &OrderAggregate) -> bool {
    let given = [Purpose::Sale, Purpose::Renewal].map(|purpose| given_back(account, purpose));
    let [of_sale, of_renewals] = given;
    minus(balance(account, LedgerAccount::Refunds), of_sale) == of_renewals
}

fn suspense_is_what_is_owed(account: &OrderAggregate) -> bool {
    let owed = minus(
        captured(account, Purpose::Excess),
        given_back(account, Purpose::Excess),
    );
    minus(Sums::new(), balance(account, LedgerAccount::Suspense)) == owed
}
