//! Closes an attempt that waits for the buyer, so that it can never be charged once another card is tried.

use super::refresh_payment::refresh_payment;
use super::settle_payment::settle_payment;
use crate::domain::ids::PaymentId;
use crate::domain::order::subscription_order::SubscriptionOrder;
use crate::domain::payment::Disposition;
use crate::domain::payment::provider_result::ProviderResult;
use crate::error::Result;
use crate::flows::Checkout;
use crate::ports::ProviderError;
use crate::store::order::subscription_orders;

/// The result shows whether it was closed, or was paid meanwhile.
pub async fn close_payment(checkout: &Checkout, payment_id: PaymentId) -> Result<SubscriptionOrder> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = subscription_orders::read_payment(&mut connection, payment_id).await?;
    drop(connection);

    // Canceling a paid subscription would end it and keep the money, so look first.
    let purchase = refresh_payment(checkout, purchase).await?;
    let still_open =
        purchase.payment.disposition() == Disposition::AwaitsBuyer || purchase.is_abandoned_trial();
    let (true, Some(provider_subscription_id)) = (still_open, &purchase.payment.provider_subscription_id)
    else {
        return Ok(purchase);
    };
    let subscriptions = checkout.providers.of(purchase.payment.provider)?;
    match subscriptions.cancel_subscription(provider_subscription_id).await {
        Ok(snapshot) => settle_payment(checkout, payment_id, &ProviderResult::Snapshot(snapshot)).await,
        // It was closed concurrently: the next fetch shows it.
        Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => {
            refresh_payment(checkout, purchase).await
        }
        Err(error) => Err(error.into()),
    }
}
