//! The id of a price at the provider of our own page.

use crate::domain::pricing::catalogue::Price;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::pricing::prices;

/// The price is created there on first use. `sync_catalogue` creates most before.
pub async fn provider_price_id(checkout: &Checkout, price: &Price) -> Result<String> {
    if let Some(known) = &price.stripe_price_id {
        return Ok(known.clone());
    }
    let created = checkout.providers.own_page().ensure_price(&price.terms).await?;
    let mut connection = checkout.pool.acquire().await?;
    prices::set_provider_price_id(&mut connection, &price.terms.lookup_key, &created).await?;
    Ok(created)
}
