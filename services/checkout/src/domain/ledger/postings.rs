//! Ledger postings of a settlement: each capture is posted, and an excess capture starts a refund.

use chrono::{DateTime, Utc};
use kit::money::MoneyError;

use crate::domain::ids::RefundId;
use crate::domain::ledger::{self, Posting};
use crate::domain::order::Order;
use crate::domain::order::fact::Fact;
use crate::domain::payment::Payment;
use crate::domain::refund::{self, Refund, RefundReason, RefundTarget};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    pub posting: Posting,
    pub excess_refund: Option<Refund>,
}

/// `None`: these facts captured nothing. `refund_id` is the id of the excess refund.
pub fn plan_capture(
    order: &Order,
    payment: &Payment,
    facts: &[Fact],
    refund_id: RefundId,
    now: DateTime<Utc>,
) -> Result<Option<Capture>, MoneyError> {
    let mut excess = None;
    let mut is_captured = false;
    for fact in facts {
        match fact {
            Fact::OrderPaid { .. } => is_captured = true,
            Fact::DuplicateCapture { amount, payment_id } => {
                is_captured = true;
                let claim = RefundTarget {
                    order_id: order.order_id,
                    payment_id: *payment_id,
                    reason: RefundReason::Excess,
                };
                excess = Some(refund::intend(refund_id, claim, *amount, now));
            }
            Fact::SubscriptionActivated | Fact::PaymentFailed { .. } => {}
        }
    }
    if !is_captured {
        return Ok(None);
    }
    let posting = ledger::capture(payment.provider, payment, &order.state)?;
    Ok(posting.map(|posting| Capture {
        posting,
        excess_refund: excess,
    }))
}
