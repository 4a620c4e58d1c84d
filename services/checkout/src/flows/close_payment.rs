//! Closes an attempt that waits for the buyer, so that it can never be charged once another card is tried.

use super::Checkout;
use super::refresh_payment::refresh_payment;
use super::settle_payment::settle_payment;
use crate::domain::ids::PaymentId;
use crate::domain::payment::Standing;
use crate::domain::purchase::Purchase;
use crate::domain::report::Report;
use crate::error::Result;
use crate::ports::ProviderError;
use crate::store::purchases;

/// What comes back says whether it was closed, or had been paid in the meantime.
pub async fn close_payment(checkout: &Checkout, payment_id: PaymentId) -> Result<Purchase> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = purchases::read_payment(&mut connection, payment_id).await?;
    drop(connection);

    // Canceling a paid subscription would end it and keep the money, so look first.
    let purchase = refresh_payment(checkout, purchase).await?;
    let still_open = purchase.payment.standing() == Standing::AwaitsBuyer;
    let (true, Some(provider_subscription_id)) = (still_open, &purchase.payment.provider_subscription_id)
    else {
        return Ok(purchase);
    };
    let subscriptions = &checkout.providers.of(purchase.payment.provider)?.subscriptions;
    match subscriptions.cancel_subscription(provider_subscription_id).await {
        Ok(snapshot) => settle_payment(checkout, payment_id, &Report::Snapshot(snapshot)).await,
        // Somebody else closed it first: the next look says so.
        Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => {
            refresh_payment(checkout, purchase).await
        }
        Err(error) => Err(error.into()),
    }
}
