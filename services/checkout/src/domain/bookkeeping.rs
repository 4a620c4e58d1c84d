//! What a settlement means for the books: every capture is booked, and what was captured too much starts on its way back.

use chrono::{DateTime, Utc};
use kit::money::MoneyError;

use super::ids::RefundId;
use super::ledger::{self, Booking};
use super::order::Order;
use super::payment::Payment;
use super::refund::{self, Claim, Refund, RefundReason};
use super::settlement::Fact;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    pub booking: Booking,
    pub surplus: Option<Refund>,
}

/// `None`: these facts took no money. `refund_id` is for what goes back.
pub fn capture(
    (order, payment): (&Order, &Payment),
    facts: &[Fact],
    refund_id: RefundId,
    now: DateTime<Utc>,
) -> Result<Option<Capture>, MoneyError> {
    let mut surplus = None;
    let mut is_captured = false;
    for fact in facts {
        match fact {
            Fact::OrderPaid { .. } => is_captured = true,
            Fact::CapturedTwice { amount, payment_id } => {
                is_captured = true;
                let claim = Claim {
                    order_id: order.order_id,
                    payment_id: *payment_id,
                    reason: RefundReason::Surplus,
                };
                surplus = Some(refund::intend(refund_id, claim, *amount, now));
            }
            Fact::SubscriptionActivated | Fact::PaymentFailed { .. } => {}
        }
    }
    if !is_captured {
        return Ok(None);
    }
    let booking = ledger::capture(payment.provider, payment, &order.state)?;
    Ok(booking.map(|booking| Capture { booking, surplus }))
}
