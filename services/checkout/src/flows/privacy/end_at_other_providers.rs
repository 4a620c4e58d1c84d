//! Ends a member's subscriptions at providers that store no customers for us. Ledger rows keep the provider's payment id,
//! which identifies no person outside the provider.

use crate::domain::ids::OrderId;
use crate::domain::provider::Feature;
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::subscription::end_billing::end_billing;
use crate::ports::ProviderError;
use crate::store::payment::payments;

pub async fn end_at_other_providers(checkout: &Checkout, orders: &[OrderId]) -> Result<()> {
    for order_id in orders {
        end_billing(checkout, *order_id).await?;
        let mut connection = checkout.pool.acquire().await?;
        let attempts = payments::of_order(&mut connection, *order_id).await?;
        drop(connection);
        for payment in attempts {
            let (true, Some(id)) = (
                !payment.provider.has(Feature::Customers),
                &payment.provider_subscription_id,
            ) else {
                continue;
            };
            let subscriptions = checkout.providers.of(payment.provider)?;
            match subscriptions.cancel_subscription(id).await {
                Ok(_) | Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}
