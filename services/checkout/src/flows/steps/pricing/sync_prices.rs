//! Creates every price at the provider of our own page, in the background: checkout starts and quotes without it.

use std::sync::Arc;
use std::time::Duration;

use kit::backoff::Backoff;
use tokio_util::sync::CancellationToken;

use crate::domain::pricing::catalogue::{Catalogue, Price};
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::pricing::prices;

const RETRY: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_mins(1));

/// Runs after each catalogue change, until every price has its id at the provider.
pub async fn sync_prices(checkout: Arc<Checkout>, shutdown: CancellationToken) {
    let mut failures = 0;
    while !shutdown.is_cancelled() {
        if !checkout.catalogue.get().has_unsynced() {
            failures = 0;
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = checkout.catalogue.replaced() => continue,
            }
        }
        match sync_once(&checkout).await {
            Ok(()) => tracing::info!("every price on sale exists at the provider"),
            Err(error) => {
                tracing::warn!(%error, "prices without an id at the provider; trying again");
                metrics::counter!("checkout_price_sync_failures_total").increment(1);
                failures += 1;
                let pause = tokio::time::sleep(RETRY.after(failures));
                shutdown.run_until_cancelled(pause).await;
            }
        }
    }
}

async fn sync_once(checkout: &Checkout) -> Result<()> {
    let outcome = sync_each(checkout).await;
    // What was reached before a failure counts, and so does what another replica reached.
    let on_sale = read_on_sale(checkout).await?;
    let rules = checkout.catalogue.get().rules().clone();
    checkout.catalogue.replace(Catalogue::new(rules, on_sale));
    outcome
}

async fn sync_each(checkout: &Checkout) -> Result<()> {
    for price in read_on_sale(checkout).await? {
        if price.is_unsynced() {
            provider_price_id(checkout, &price).await?;
        }
    }
    Ok(())
}

async fn read_on_sale(checkout: &Checkout) -> Result<Vec<Price>> {
    Ok(prices::on_sale(&mut *checkout.pool.acquire().await?).await?)
}

/// The provider's id of the price. It is created there on first use.
pub async fn provider_price_id(checkout: &Checkout, price: &Price) -> Result<String> {
    if let Some(known) = &price.stripe_price_id {
        return Ok(known.clone());
    }
    let created = checkout.providers.own_page().ensure_price(&price.terms).await?;
    let mut connection = checkout.pool.acquire().await?;
    prices::set_provider_price_id(&mut connection, &price.terms.lookup_key, &created).await?;
    Ok(created)
}
