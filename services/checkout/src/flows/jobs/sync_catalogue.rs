//! Creates what a price needs at a provider, in the background: checkout starts and quotes without it.

use std::sync::Arc;
use std::time::Duration;

use kit::backoff::Backoff;
use tokio_util::sync::CancellationToken;

use crate::domain::pricing::catalogue::{Catalogue, Price};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::pricing::read_catalogue::{read_on_sale, reload_prices};
use crate::flows::steps::pricing::sync_prices::provider_price_id;
use crate::store::pricing::prices;

const RETRY: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_mins(1));

/// What a price needs at a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderObject {
    /// A price at the provider of our own page.
    Price,
    /// A plan at the provider of approvals. A price without a plan is not offered there.
    Plan,
}

impl ProviderObject {
    fn name(self) -> &'static str {
        match self {
            Self::Price => "price",
            Self::Plan => "plan",
        }
    }

    fn is_missing_in(self, catalogue: &Catalogue) -> bool {
        match self {
            Self::Price => catalogue.has_unsynced(),
            Self::Plan => catalogue.has_unplanned(),
        }
    }

    fn is_missing(self, price: &Price) -> bool {
        match self {
            Self::Price => price.is_unsynced(),
            Self::Plan => price.is_unplanned(),
        }
    }

    async fn create(self, checkout: &Checkout, price: &Price) -> Result<()> {
        match self {
            Self::Price => provider_price_id(checkout, price).await.map(drop),
            Self::Plan => create_plan(checkout, price).await,
        }
    }
}

/// Runs after each change of the catalogue, until no price on sale lacks its object.
pub async fn sync_catalogue(checkout: Arc<Checkout>, object: ProviderObject, shutdown: CancellationToken) {
    let mut catalogue = checkout.catalogue.follow();
    let mut failures = 0;
    while !shutdown.is_cancelled() {
        let is_complete = !object.is_missing_in(&catalogue.borrow_and_update());
        if is_complete {
            failures = 0;
            shutdown.run_until_cancelled(catalogue.changed()).await;
            continue;
        }
        match sync_once(&checkout, object).await {
            Ok(()) => tracing::info!(object = object.name(), "created for every price on sale"),
            Err(error) => {
                failures += 1;
                tracing::warn!(%error, object = object.name(), "not created for every price; retried with backoff");
                metrics::counter!("checkout_price_sync_failures_total").increment(1);
                let pause = tokio::time::sleep(RETRY.jittered(failures));
                shutdown.run_until_cancelled(pause).await;
            }
        }
    }
}

async fn sync_once(checkout: &Checkout, object: ProviderObject) -> Result<()> {
    let outcome = create_missing(checkout, object).await;
    // What was created before a failure counts, and so does what another replica created.
    reload_prices(checkout).await?;
    outcome
}

async fn create_missing(checkout: &Checkout, object: ProviderObject) -> Result<()> {
    for price in read_on_sale(checkout).await? {
        if object.is_missing(&price) {
            object.create(checkout, &price).await?;
        }
    }
    Ok(())
}

async fn create_plan(checkout: &Checkout, price: &Price) -> Result<()> {
    let approvals = checkout.providers.approvals().ok_or(Error::NoProvider)?;
    let plan_id = approvals.ensure_plan(&price.terms).await?;
    let mut connection = checkout.pool.acquire().await?;
    Ok(prices::set_approval_plan(&mut connection, price.price_id, &plan_id).await?)
}
