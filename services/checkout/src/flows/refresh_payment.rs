//! Asks the provider what has become of a payment, and settles it.

use super::Checkout;
use super::settle_payment::settle_payment;
use crate::domain::purchase::Purchase;
use crate::domain::report::Report;
use crate::error::Result;

/// A payment the provider has not confirmed knowing stays as it is: that is the reconciler's to find out.
pub async fn refresh_payment(checkout: &Checkout, purchase: Purchase) -> Result<Purchase> {
    let Some(provider_subscription_id) = &purchase.payment.provider_subscription_id else {
        return Ok(purchase);
    };
    let subscriptions = &checkout.providers.of(purchase.payment.provider)?.subscriptions;
    let snapshot = subscriptions.fetch_subscription(provider_subscription_id).await?;
    settle_payment(checkout, purchase.payment.payment_id, &Report::Snapshot(snapshot)).await
}
