//! Locks the order by which a member holds a product.

use sqlx::PgConnection;

use crate::domain::ids::{OrderId, UserId};
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::pricing::catalogue::Price;
use crate::error::Result;
use crate::store::order::order_attempts::AttemptSelector;
use crate::store::order::{orders, subscription_orders};

/// Locks the member's order of the product that has not ended.
pub async fn lock_held(
    tx: &mut PgConnection,
    user_id: &UserId,
    price: &Price,
) -> Result<Option<SubscriptionOrder>> {
    match orders::find_held(tx, user_id, &price.terms.product).await? {
        Some(order_id) => lock_held_order(tx, order_id).await,
        None => Ok(None),
    }
}

pub async fn lock_held_order(tx: &mut PgConnection, order_id: OrderId) -> Result<Option<SubscriptionOrder>> {
    let held = subscription_orders::lock(tx, order_id, AttemptSelector::Blocking).await?;
    // It may have ended while we waited for the lock; no other can have been opened, for the member is locked.
    Ok(Some(held).filter(|held| !held.subscription.state.has_ended()))
}
