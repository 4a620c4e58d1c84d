//! The same for orders that must have a subscription.

use sqlx::PgConnection;

use super::order_attempts;
pub use super::order_attempts::AttemptSelector;
use crate::domain::ids::{OrderId, UserId};
use crate::domain::order::order_attempt::{OrderAttempt, SubscriptionOrder};
use crate::store::{StoreError, Stored};

/// As [`order_attempts::lock`].
pub async fn lock(
    conn: &mut PgConnection,
    order_id: OrderId,
    which: AttemptSelector,
) -> Stored<SubscriptionOrder> {
    of_attempt(order_attempts::lock(conn, order_id, which).await?)
}

pub async fn read(
    conn: &mut PgConnection,
    order_id: OrderId,
    which: AttemptSelector,
) -> Stored<SubscriptionOrder> {
    of_attempt(order_attempts::read(conn, order_id, which).await?)
}

/// As [`order_attempts::of_member`].
pub async fn of_member(
    conn: &mut PgConnection,
    user_id: &UserId,
    limit: i64,
) -> Stored<Vec<SubscriptionOrder>> {
    let found = order_attempts::of_member(conn, user_id, limit).await?;
    found.into_iter().map(of_attempt).collect()
}

/// `Inconsistent` for a one-time order.
pub fn of_attempt(attempt: OrderAttempt) -> Stored<SubscriptionOrder> {
    let found = attempt.into_subscription_order();
    found.map_err(|one_time| StoreError::inconsistent("subscription", "order_id", one_time.order.order_id))
}
