//! Called by the page after 3-D Secure. The state is fetched from the provider.

use crate::domain::ids::{SubscriptionId, UserId};
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::order::{Availability, Order, OrderState};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::refresh_payment::refresh_for_page;
use crate::flows::steps::payment::settle_payment::lifetime_availability;
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
    check_not_owned_meanwhile(checkout, &attempt.order).await?;
    Ok(subscription_orders::of_attempt(attempt)?)
}

/// The order is abandoned when the product was bought for good in another tab: what was captured is refunded.
async fn check_not_owned_meanwhile(checkout: &Checkout, order: &Order) -> Result<()> {
    if !matches!(order.state, OrderState::Abandoned { .. }) {
        return Ok(());
    }
    let mut connection = checkout.pool.acquire().await?;
    match lifetime_availability(&mut connection, order).await? {
        Availability::Available => Ok(()),
        Availability::Owned => Err(Error::AlreadyOwned),
    }
}
