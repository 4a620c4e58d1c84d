//! What a member has paid once. Subscriptions, with all that was charged for them, are in `read.rs`.

use super::Checkout;
use crate::domain::ids::UserId;
use crate::error::Result;
use crate::store::bought;
pub use crate::store::bought::Bought;

const LISTED_MAX: i64 = 100;

/// Newest first.
pub async fn list_purchases(checkout: &Checkout, user_id: &UserId) -> Result<Vec<Bought>> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(bought::of_member(&mut connection, user_id, LISTED_MAX).await?)
}
