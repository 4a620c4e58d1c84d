//! Closes an attempt that waits for the buyer, so that it can never be charged once another card or price is chosen.

use super::call_provider::cancel;
use super::refresh_payment::refresh_payment;
use super::settle_payment::settle_payment;
use crate::domain::ids::PaymentId;
use crate::domain::order::order_attempt::OrderAttempt;
use crate::domain::payment::Disposition;
use crate::domain::payment::provider_result::ProviderResult;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::ports::ProviderError;
use crate::store::order::order_attempts;

/// The result shows whether it was closed, or was paid meanwhile.
pub async fn close_payment(checkout: &Checkout, payment_id: PaymentId) -> Result<OrderAttempt> {
    let mut connection = checkout.pool.acquire().await?;
    let attempt = order_attempts::read_payment(&mut connection, payment_id).await?;
    drop(connection);

    // Canceling a paid subscription would end it and keep the money, so look first.
    let attempt = refresh_payment(checkout, attempt).await?;
    let awaits_buyer = attempt.payment.disposition() == Disposition::AwaitsBuyer;
    if !awaits_buyer && !attempt.is_abandoned_trial() {
        return Ok(attempt);
    }
    match cancel(checkout, &attempt.payment).await {
        Ok(Some(snapshot)) => settle_payment(checkout, payment_id, &ProviderResult::Snapshot(snapshot)).await,
        Ok(None) => Ok(attempt),
        // Paid or closed concurrently: the next fetch shows which.
        Err(Error::Provider(ProviderError::NotFound | ProviderError::Rejected { .. })) => {
            refresh_payment(checkout, attempt).await
        }
        Err(error) => Err(error),
    }
}
