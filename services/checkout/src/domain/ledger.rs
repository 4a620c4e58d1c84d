//! Double-entry ledger postings of captures and refunds. Debits are positive, credits
//! negative, and the entries of a posting sum to zero.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kit::money::{Money, MoneyError};

use super::ids::{OrderId, PaymentId};
use super::order::OrderState;
use super::payment::{Payment, PaymentState};
use super::provider::Provider;
use super::refund::{Refund, RefundState};
use crate::domain::payment::renewal::Renewal;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LedgerAccount {
    /// An asset: captured amounts that the provider owes us.
    Receivable(Provider),
    /// Amounts of paid orders.
    Revenue,
    /// Contra revenue: refunded amounts.
    Refunds,
    /// A liability: captures that match no order.
    Suspense,
}

const RECEIVABLE: &str = "receivable:";

impl LedgerAccount {
    pub fn name(self) -> String {
        match self {
            Self::Receivable(provider) => format!("{RECEIVABLE}{}", provider.name()),
            Self::Revenue => "revenue".to_owned(),
            Self::Refunds => "refunds".to_owned(),
            Self::Suspense => "suspense".to_owned(),
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        match name {
            "revenue" => Some(Self::Revenue),
            "refunds" => Some(Self::Refunds),
            "suspense" => Some(Self::Suspense),
            _ => {
                let provider = name.strip_prefix(RECEIVABLE)?;
                let known = Provider::ALL.into_iter().find(|known| known.name() == provider)?;
                Some(Self::Receivable(known))
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostingKind {
    Capture,
    ExcessCapture,
    Refund,
    ExcessRefund,
    /// A refund that the buyer's bank did not take, or what it took and had to give back.
    RefundReturn,
    ExcessRefundReturn,
    /// A later charge of a subscription.
    Renewal,
}

impl PostingKind {
    const ALL: [Self; 7] = [
        Self::Capture,
        Self::ExcessCapture,
        Self::Refund,
        Self::ExcessRefund,
        Self::RefundReturn,
        Self::ExcessRefundReturn,
        Self::Renewal,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::ExcessCapture => "excess_capture",
            Self::Refund => "refund",
            Self::ExcessRefund => "excess_refund",
            Self::RefundReturn => "refund_return",
            Self::ExcessRefundReturn => "excess_refund_return",
            Self::Renewal => "renewal",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub account: LedgerAccount,
    pub amount: Money,
}

/// Entries that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    pub kind: PostingKind,
    /// Unique per posting: one key is posted once.
    pub natural_key: String,
    pub order_id: OrderId,
    pub payment_id: PaymentId,
    pub occurred_at: DateTime<Utc>,
    pub entries: Vec<Entry>,
}

impl Posting {
    pub fn is_balanced(&self) -> bool {
        let mut sums: BTreeMap<&str, i128> = BTreeMap::new();
        for entry in &self.entries {
            *sums.entry(entry.amount.currency.code()).or_default() += i128::from(entry.amount.minor);
        }
        !sums.is_empty() && sums.into_values().all(|sum| sum == 0)
    }
}

/// What captured money is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Sale,
    /// The subscription that was sold goes on.
    Renewal,
    /// The order was paid by another payment, or by none.
    Excess,
}

impl Purpose {
    pub fn of(payment_id: PaymentId, order: &OrderState) -> Self {
        match order {
            OrderState::Paid { by, .. } if *by == payment_id => Self::Sale,
            _ => Self::Excess,
        }
    }
}

pub fn capture_key(payment_id: PaymentId) -> String {
    format!("capture/{payment_id}")
}

/// `None`: nothing was captured.
pub fn capture(
    provider: Provider,
    payment: &Payment,
    order: &OrderState,
) -> Result<Option<Posting>, MoneyError> {
    let PaymentState::Succeeded { captured, at } = payment.state else {
        return Ok(None);
    };
    let (kind, source) = match Purpose::of(payment.payment_id, order) {
        Purpose::Sale | Purpose::Renewal => (PostingKind::Capture, LedgerAccount::Revenue),
        Purpose::Excess => (PostingKind::ExcessCapture, LedgerAccount::Suspense),
    };
    Ok(Some(Posting {
        kind,
        natural_key: capture_key(payment.payment_id),
        order_id: payment.order_id,
        payment_id: payment.payment_id,
        occurred_at: at,
        entries: transfer(LedgerAccount::Receivable(provider), source, captured)?,
    }))
}

pub fn renewal_key(payment_id: PaymentId) -> String {
    format!("renewal/{payment_id}")
}

pub fn renewal(renewal: &Renewal) -> Result<Posting, MoneyError> {
    let receivable = LedgerAccount::Receivable(renewal.provider);
    Ok(Posting {
        kind: PostingKind::Renewal,
        natural_key: renewal_key(renewal.payment_id),
        order_id: renewal.order_id,
        payment_id: renewal.payment_id,
        occurred_at: renewal.at,
        entries: transfer(receivable, LedgerAccount::Revenue, renewal.captured)?,
    })
}

/// What the refund's state asks to be booked beyond what its earlier states did. `None`: nothing.
pub fn refund(provider: Provider, refund: &Refund, purpose: Purpose) -> Result<Option<Posting>, MoneyError> {
    let receivable = LedgerAccount::Receivable(provider);
    let target = match purpose {
        Purpose::Sale | Purpose::Renewal => LedgerAccount::Refunds,
        Purpose::Excess => LedgerAccount::Suspense,
    };
    let (kind, natural_key, occurred_at, entries) = match (&refund.state, purpose) {
        (RefundState::Succeeded { at }, purpose) => {
            let kind = match purpose {
                Purpose::Sale | Purpose::Renewal => PostingKind::Refund,
                Purpose::Excess => PostingKind::ExcessRefund,
            };
            let key = format!("refund/{}", refund.refund_id);
            (kind, key, *at, transfer(target, receivable, refund.amount)?)
        }
        (RefundState::Returned { at, .. }, purpose) => {
            let kind = match purpose {
                Purpose::Sale | Purpose::Renewal => PostingKind::RefundReturn,
                Purpose::Excess => PostingKind::ExcessRefundReturn,
            };
            let key = format!("refund_return/{}", refund.refund_id);
            (kind, key, *at, transfer(receivable, target, refund.amount)?)
        }
        _ => return Ok(None),
    };
    Ok(Some(Posting {
        kind,
        natural_key,
        order_id: refund.order_id,
        payment_id: refund.payment_id,
        occurred_at,
        entries,
    }))
}

fn transfer(to: LedgerAccount, from: LedgerAccount, amount: Money) -> Result<Vec<Entry>, MoneyError> {
    let taken = Money::zero(amount.currency).checked_sub(amount)?;
    Ok(vec![
        Entry { account: to, amount },
        Entry {
            account: from,
            amount: taken,
        },
    ])
}

pub mod postings;
#[cfg(test)]
mod tests;
