//! The page says that 3-D Secure is done. It is not believed: the provider is asked.

use super::Checkout;
use super::refresh_payment::refresh_payment;
use crate::domain::ids::{SubscriptionId, UserId};
use crate::domain::purchase::Purchase;
use crate::error::{Error, Result};
use crate::store::purchases::{self, Which};
use crate::store::subscriptions;

pub async fn confirm_subscription(
    checkout: &Checkout,
    user_id: &UserId,
    subscription_id: SubscriptionId,
) -> Result<Purchase> {
    let mut connection = checkout.pool.acquire().await?;
    let order_id = subscriptions::find_order(&mut connection, subscription_id, user_id)
        .await?
        .ok_or(Error::UnknownSubscription)?;
    let purchase = purchases::read(&mut connection, order_id, Which::Current).await?;
    drop(connection);

    let asking = refresh_payment(checkout, purchase.clone());
    match tokio::time::timeout(checkout.time_to_answer(), asking).await {
        Ok(Err(Error::Provider(error))) => {
            tracing::warn!(order.id = %order_id, %error, "The provider could not be asked; answering what is known");
            Ok(purchase)
        }
        Ok(outcome) => outcome,
        Err(_) => Ok(purchase),
    }
}
