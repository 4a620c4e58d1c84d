//! Sets the attribution of a subscription that the page could not send on creation.

use std::collections::BTreeMap;

use crate::domain::ids::UserId;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::order::orders;

pub async fn set_subscription_attribution(
    checkout: &Checkout,
    user_id: &UserId,
    subscription_id: &str,
    tracking: &BTreeMap<String, String>,
) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let ours = subscription_id.parse().ok();
    let known = orders::add_tracking(&mut connection, user_id, ours, subscription_id, tracking).await?;
    if known {
        Ok(())
    } else {
        Err(Error::UnknownSubscription)
    }
}
