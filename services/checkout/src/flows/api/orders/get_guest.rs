//! Where a mail about an order goes that was bought without an account.

use crate::domain::ids::OrderId;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::order::guests;

/// `UnknownOrder` for a member's, and once its buyer is erased.
pub async fn get_guest(checkout: &Checkout, order_id: OrderId) -> Result<String> {
    let mut connection = checkout.pool.acquire().await?;
    let email = guests::email(&mut connection, order_id).await?;
    email.ok_or(Error::UnknownOrder)
}
