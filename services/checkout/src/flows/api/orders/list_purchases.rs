//! Lists a member's paid one-time orders. Subscriptions are in `list_subscriptions.rs`.

use crate::domain::ids::UserId;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::order::one_time_purchases;
pub use crate::store::order::one_time_purchases::OneTimePurchase;

const LISTED_MAX: i64 = 100;

/// Newest first.
pub async fn list_purchases(checkout: &Checkout, user_id: &UserId) -> Result<Vec<OneTimePurchase>> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(one_time_purchases::of_member(&mut connection, user_id, LISTED_MAX).await?)
}
