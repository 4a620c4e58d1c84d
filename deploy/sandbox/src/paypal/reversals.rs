//! Reversals of sales by the buyer's bank.

use kit::money::{Currency, Money};
use serde_json::json;

use super::{approval::ApprovalError, events::emit_reversal_event, provider::Paypal, sale::State};
use crate::engine::{calendar::rfc3339, ids::random_upper};

impl Paypal {
    /// The buyer's bank reverses the part that is not refunded.
    pub fn reverse(&self, sale: &str, now: i64) -> Result<(), ApprovalError> {
        self.work(now, |ctx| {
            let reversed = ctx.state.sales.get_mut(sale).ok_or(ApprovalError::NotFound)?;
            let currency = Currency::parse(&reversed.currency).map_err(|_| ApprovalError::NotFound)?;
            let amount = Money::new(reversed.refunded - reversed.minor, currency);
            if reversed.state == State::Pending || amount.minor == 0 {
                return Err(ApprovalError::NotReversible);
            }
            reversed.refunded = reversed.minor;
            reversed.updated = now;
            let id = random_upper(17);
            let reversal = json!({
                "id": id,
                "sale_id": sale,
                "state": "completed",
                "amount": { "total": amount.major(), "currency": currency.code() },
                "create_time": rfc3339(now),
                "links": [
                    { "href": format!("{}/v1/payments/refund/{id}", ctx.provider.url), "rel": "self", "method": "GET" },
                ],
            });
            ctx.state.reversals.put(&id, reversal.clone());
            emit_reversal_event(ctx, &reversal);
            Ok(())
        })
    }
}
