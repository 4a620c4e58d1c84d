//! Links a subscription that a member approved at the provider, such as PayPal.

use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::hosted::link_subscription::{LinkPaypalSubscription, link};

/// Idempotent: linking it again returns its current state.
pub async fn link_paypal_subscription(
    checkout: &Checkout,
    command: &LinkPaypalSubscription,
) -> Result<SubscriptionOrder> {
    let purchase = link(checkout, command).await?;
    if purchase.is_unmatched_capture() {
        return Err(Error::ApprovalExpired);
    }
    Ok(purchase)
}
