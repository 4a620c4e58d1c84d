//! Fetches the card that a member's additions are charged to.

use crate::domain::ids::UserId;
use crate::error::Result;
use crate::flows::Checkout;
use crate::ports::SavedCard;
use crate::store::order::customers;

pub async fn saved_card(checkout: &Checkout, user_id: &UserId) -> Result<Option<SavedCard>> {
    let mut connection = checkout.pool.acquire().await?;
    let customer = customers::provider_customer_id(&mut connection, user_id).await?;
    drop(connection);
    match customer {
        Some(customer) => Ok(checkout.providers.own_page().saved_card(&customer).await?),
        None => Ok(None),
    }
}
