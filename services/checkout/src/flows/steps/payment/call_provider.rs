//! Calls the provider of a payment: about its subscription, or about its intent for a one-time order.

use crate::domain::order::order_attempt::OrderAttempt;
use crate::domain::payment::Payment;
use crate::domain::payment::provider_result::Snapshot;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::order::customers;

/// `None`: the provider has nothing to fetch.
pub async fn fetch(checkout: &Checkout, payment: &Payment) -> Result<Option<Snapshot>> {
    let Some(id) = payment.fetchable_id() else {
        return Ok(None);
    };
    let provider = checkout.providers.of(payment.provider)?;
    Ok(Some(match payment.subscription_id {
        Some(_) => provider.fetch_subscription(id).await?.into(),
        None => provider.own_page()?.fetch_intent(id).await?.into(),
    }))
}

/// Searches by the payment's id, when the response that named the provider's id is lost.
pub async fn find(checkout: &Checkout, attempt: &OrderAttempt) -> Result<Option<Snapshot>> {
    let payment = &attempt.payment;
    let provider = checkout.providers.of(payment.provider)?;
    if attempt.subscription.is_none() {
        let found = provider.own_page()?.find_intent(payment.payment_id).await?;
        return Ok(found.map(Snapshot::from));
    }
    let mut connection = checkout.pool.acquire().await?;
    let customer = customers::find(&mut connection, &attempt.order.user_id).await?;
    drop(connection);
    let found = provider
        .find_subscription(customer.stripe_customer_id.as_deref(), payment.payment_id)
        .await?;
    Ok(found.map(Snapshot::from))
}

/// Closes the payment, so that it can never be charged. `None`: the provider has not confirmed it.
pub async fn cancel(checkout: &Checkout, payment: &Payment) -> Result<Option<Snapshot>> {
    let Some(id) = payment.fetchable_id() else {
        return Ok(None);
    };
    let provider = checkout.providers.of(payment.provider)?;
    Ok(Some(match payment.subscription_id {
        Some(_) => provider.cancel_subscription(id).await?.into(),
        None => provider.own_page()?.cancel_intent(id).await?.into(),
    }))
}
