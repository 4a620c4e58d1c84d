//! Fetches a payment from the provider and settles it.

use super::settle_payment::settle_payment;
use crate::domain::order::subscription_order::SubscriptionOrder;
use crate::domain::payment::provider_result::ProviderResult;
use crate::error::Result;
use crate::flows::Checkout;

/// A payment that the provider has not confirmed is left to the reconciler.
pub async fn refresh_payment(checkout: &Checkout, purchase: SubscriptionOrder) -> Result<SubscriptionOrder> {
    let Some(provider_subscription_id) = &purchase.payment.provider_subscription_id else {
        return Ok(purchase);
    };
    let subscriptions = checkout.providers.of(purchase.payment.provider)?;
    let snapshot = subscriptions.fetch_subscription(provider_subscription_id).await?;
    settle_payment(
        checkout,
        purchase.payment.payment_id,
        &ProviderResult::Snapshot(snapshot),
    )
    .await
}
