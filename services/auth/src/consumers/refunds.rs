//! Refund events: the entitlements of orders that are refunded in full, and mails about refunds.
use std::sync::Arc;

use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::consumer::{ConsumerSpec, Handler, HandlerError};
use kit::money::Money;
use proto::events::Event;
use proto::events::v1::{RefundReturned, RefundSucceeded};
use sqlx::PgConnection;

use super::reject;
use crate::domain::mail::Template;
use crate::flows::{self, BillingDetails, Context, EntitlementChange, Recipient};

pub const REFUNDS: ConsumerSpec = ConsumerSpec::new(
    "auth-refunds",
    &[RefundSucceeded::SUBJECT, RefundReturned::SUBJECT],
);

pub struct Refunds(pub Arc<Context>);

#[async_trait]
impl Handler for Refunds {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        if event.r#type == RefundReturned::SUBJECT {
            return reopen_order(tx, event).await;
        }
        let refunded: RefundSucceeded = event.decode().map_err(reject)?;
        close_order(tx, event, &refunded).await?;
        // The buyer's bank returned the money and notifies them.
        if refunded.reason == "disputed" {
            return Ok(());
        }
        let Some(buyer) = Recipient::of(&refunded.user_id, &refunded.order_id, event.lang.as_deref()) else {
            return Ok(());
        };
        let amount = refunded.amount.ok_or_else(|| reject("no amount"))?;
        let amount = Money::try_from(amount).map_err(reject)?;
        let matter = BillingDetails {
            amount: Some(amount),
            moment: None,
        };
        Ok(flows::queue_billing_mail(&self.0, tx, Template::PaymentRefunded, buyer, matter).await?)
    }
}

/// Closes what the refund names: nothing, unless a one-time order of a member is refunded in full.
async fn close_order(
    tx: &mut PgConnection,
    event: &CloudEvent,
    refunded: &RefundSucceeded,
) -> Result<(), HandlerError> {
    let Ok(user_id) = refunded.user_id.parse() else {
        return Ok(());
    };
    let refunded = EntitlementChange {
        user_id,
        subscription_id: &refunded.order_id,
        product: "",
        opens: &refunded.closes,
        at: event.time,
    };
    Ok(flows::close_entitlements(tx, refunded).await?)
}

/// The order is no longer refunded in full.
async fn reopen_order(tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
    let returned: RefundReturned = event.decode().map_err(reject)?;
    let Ok(user_id) = returned.user_id.parse() else {
        return Ok(());
    };
    let paid = EntitlementChange {
        user_id,
        subscription_id: &returned.order_id,
        product: "",
        opens: &returned.opens,
        at: event.time,
    };
    Ok(flows::reopen_entitlements(tx, paid).await?)
}
