//! Fetches a payment from the provider and settles it.

use super::call_provider::fetch;
use super::settle_payment::settle_payment;
use crate::domain::order::order_attempt::OrderAttempt;
use crate::domain::payment::provider_result::ProviderResult;
use crate::error::{Error, Result};
use crate::flows::Checkout;

/// A payment that the provider has not confirmed is left to the reconciler.
pub async fn refresh_payment(checkout: &Checkout, attempt: OrderAttempt) -> Result<OrderAttempt> {
    match fetch(checkout, &attempt.payment).await? {
        Some(snapshot) => {
            let result = ProviderResult::Snapshot(snapshot);
            settle_payment(checkout, attempt.payment.payment_id, &result).await
        }
        None => Ok(attempt),
    }
}

/// As [`refresh_payment`], for a page that waits: returns the stored state when the provider does not answer in time.
pub async fn refresh_for_page(checkout: &Checkout, attempt: OrderAttempt) -> Result<OrderAttempt> {
    let order_id = attempt.order.order_id;
    let refreshing = refresh_payment(checkout, attempt.clone());
    match tokio::time::timeout(checkout.remaining_response_budget(), refreshing).await {
        Ok(Err(Error::Provider(error))) => {
            tracing::warn!(order.id = %order_id, %error, "provider not reachable; returning the stored state");
            Ok(attempt)
        }
        Ok(outcome) => outcome,
        Err(_) => Ok(attempt),
    }
}
