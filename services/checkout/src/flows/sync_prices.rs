//! Makes sure that every price exists at Stripe. Runs in the background: checkout starts and quotes without Stripe.

use std::sync::Arc;
use std::time::Duration;

use kit::database::Pool;
use tokio_util::sync::CancellationToken;

use super::Checkout;
use crate::domain::catalogue::{Catalogue, Price};
use crate::error::Result;
use crate::store::prices;

const RETRY_FIRST: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_mins(1);

/// Until every price on sale has its Stripe id, or the service stops.
pub async fn sync_prices(checkout: Arc<Checkout>, shutdown: CancellationToken) {
    let mut pause = RETRY_FIRST;
    while checkout.catalogue.get().has_unsynced() {
        if let Err(error) = sync_once(&checkout).await {
            tracing::warn!(%error, "Prices are not at Stripe yet; trying again");
            metrics::counter!("checkout_price_sync_failures_total").increment(1);
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
            pause = (pause * 2).min(RETRY_MAX);
        }
        if shutdown.is_cancelled() {
            return;
        }
    }
    tracing::info!("Every price on sale is at Stripe");
}

async fn sync_once(checkout: &Checkout) -> Result<()> {
    let outcome = sync_each(checkout).await;
    // What was reached before a failure counts, and so does what another replica reached.
    let on_sale = read_on_sale(&checkout.pool).await?;
    let currencies = checkout.catalogue.get().currencies().clone();
    checkout.catalogue.replace(Catalogue::new(currencies, on_sale));
    outcome
}

async fn sync_each(checkout: &Checkout) -> Result<()> {
    for price in read_on_sale(&checkout.pool).await? {
        stripe_price_id(checkout, &price).await?;
    }
    Ok(())
}

async fn read_on_sale(pool: &Pool) -> Result<Vec<Price>> {
    Ok(prices::on_sale(&mut *pool.acquire().await?).await?)
}

/// Stripe's id of the price, asking Stripe only when it is not known yet.
pub async fn stripe_price_id(checkout: &Checkout, price: &Price) -> Result<String> {
    if let Some(known) = &price.stripe_price_id {
        return Ok(known.clone());
    }
    let stripe_price_id = checkout.prices.ensure_price(&price.terms).await?;
    let mut connection = checkout.pool.acquire().await?;
    prices::set_stripe_id(&mut connection, &price.terms.lookup_key, &stripe_price_id).await?;
    Ok(stripe_price_id)
}
