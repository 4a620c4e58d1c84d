//! Called by the page after 3-D Secure. The state is fetched from the provider.

use crate::domain::ids::{SubscriptionId, UserId};
use crate::domain::order::subscription_order::SubscriptionOrder;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::refresh_payment::refresh_payment;
use crate::store::order::subscription_orders::{self, AttemptSelector};
use crate::store::subscription::subscriptions;

pub async fn confirm_subscription(
    checkout: &Checkout,
    user_id: &UserId,
    subscription_id: SubscriptionId,
) -> Result<SubscriptionOrder> {
    let mut connection = checkout.pool.acquire().await?;
    let order_id = subscriptions::find_order(&mut connection, subscription_id, user_id)
        .await?
        .ok_or(Error::UnknownSubscription)?;
    let purchase = subscription_orders::read(&mut connection, order_id, AttemptSelector::Current).await?;
    drop(connection);

    let asking = refresh_payment(checkout, purchase.clone());
    match tokio::time::timeout(checkout.remaining_response_budget(), asking).await {
        Ok(Err(Error::Provider(error))) => {
            tracing::warn!(order.id = %order_id, %error, "provider not reachable; returning the stored state");
            Ok(purchase)
        }
        Ok(outcome) => outcome,
        Err(_) => Ok(purchase),
    }
}
