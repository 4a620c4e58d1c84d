//! Where a subscription came from, when the page could not say so as it was made.

use std::collections::BTreeMap;

use super::Checkout;
use crate::domain::ids::UserId;
use crate::error::{Error, Result};
use crate::store::orders;

pub async fn note_subscription(
    checkout: &Checkout,
    user_id: &UserId,
    subscription_id: &str,
    tracking: &BTreeMap<String, String>,
) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let ours = subscription_id.parse().ok();
    let known = orders::note_tracking(&mut connection, user_id, (ours, subscription_id), tracking).await?;
    if known {
        Ok(())
    } else {
        Err(Error::UnknownSubscription)
    }
}
