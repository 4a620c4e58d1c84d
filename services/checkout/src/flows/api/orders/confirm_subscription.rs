//! Called by the page after 3-D Secure. The state is fetched from the provider.

use crate::domain::ids::{SubscriptionId, UserId};
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::refresh_payment::refresh_for_page;
use crate::store::order::order_attempts::{self, AttemptSelector};
use crate::store::order::subscription_orders;
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
    let attempt = order_attempts::read(&mut connection, order_id, AttemptSelector::Current).await?;
    drop(connection);
    let attempt = refresh_for_page(checkout, attempt).await?;
    Ok(subscription_orders::of_attempt(attempt)?)
}
