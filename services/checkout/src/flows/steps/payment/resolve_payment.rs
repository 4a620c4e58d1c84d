//! Resolves a payment that the provider may or may not have received.

use chrono::TimeDelta;

use super::call_provider::find;
use super::execute_payment::execute_payment;
use super::refresh_payment::refresh_payment;
use super::settle_payment::settle_payment;
use crate::domain::order::OrderState;
use crate::domain::order::order_attempt::OrderAttempt;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::payment::{Payment, PaymentState};
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::order::order_attempts;
use crate::store::payment::payments;

/// Providers keep keys for at least 24 hours: afterwards a repeated request could charge again.
const KEYS_VALID_FOR: TimeDelta = TimeDelta::hours(23);

/// While its key is valid, repeating the request is safe and returns the result.
pub async fn resolve_payment(checkout: &Checkout, attempt: &OrderAttempt) -> Result<()> {
    let payment = &attempt.payment;
    let keys_live = checkout.clock.now() < payment.created_at + KEYS_VALID_FOR;
    if keys_live && attempt.order.state == OrderState::Open {
        // Asking again may charge: not before it is known that no attempt thought to be over was charged after all.
        refresh_earlier(checkout, payment).await?;
        let executed = execute_payment(checkout, payment.payment_id).await?;
        if executed.payment.state != PaymentState::Unknown {
            return Ok(());
        }
    }
    // A provider repeats a failure it has stored under the key, though it may have done the work: look for that.
    let result = match find(checkout, attempt).await? {
        Some(snapshot) => ProviderResult::Snapshot(snapshot),
        None if keys_live => return Ok(()),
        None => ProviderResult::NotFoundAtProvider,
    };
    settle_payment(checkout, payment.payment_id, &result).await?;
    Ok(())
}

async fn refresh_earlier(checkout: &Checkout, payment: &Payment) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let earlier = payments::others_asked(&mut connection, payment).await?;
    drop(connection);
    for payment_id in earlier {
        let mut connection = checkout.pool.acquire().await?;
        let attempt = order_attempts::read_payment(&mut connection, payment_id).await?;
        drop(connection);
        refresh_payment(checkout, attempt).await?;
    }
    Ok(())
}
