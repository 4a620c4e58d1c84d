//! Plain reads.

use super::Checkout;
use crate::domain::ids::UserId;
use crate::domain::purchase::Purchase;
use crate::error::Result;
use crate::store::purchases;

const LISTED_MAX: i64 = 100;

pub async fn list_subscriptions(checkout: &Checkout, user_id: &UserId) -> Result<Vec<Purchase>> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(purchases::of_member(&mut connection, user_id, LISTED_MAX).await?)
}
