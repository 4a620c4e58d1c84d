//! Creates the plan of every price at the provider of approvals, in the background. A price without a plan is not offered there.

use std::sync::Arc;
use std::time::Duration;

use kit::backoff::Backoff;
use tokio_util::sync::CancellationToken;

use crate::domain::pricing::catalogue::Catalogue;
use crate::error::Result;
use crate::flows::Checkout;
use crate::ports::ApprovalProvider;
use crate::store::pricing::prices;

const RETRY: Backoff = Backoff::new(Duration::from_secs(2), Duration::from_mins(5));

pub async fn sync_plans(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    let Some(approvals) = checkout.providers.approvals() else {
        return shutdown.cancelled().await;
    };
    let mut failures = 0;
    loop {
        let pause = if checkout.catalogue.get().has_unplanned() {
            match sync_once(&checkout, approvals).await {
                Ok(()) => {
                    tracing::info!("every price sold by approval has a plan at the provider");
                    every
                }
                Err(error) => {
                    tracing::warn!(%error, "prices without a plan at the provider; trying again");
                    metrics::counter!("checkout_price_sync_failures_total").increment(1);
                    failures += 1;
                    RETRY.after(failures)
                }
            }
        } else {
            failures = 0;
            every
        };
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

async fn sync_once(checkout: &Checkout, approvals: &dyn ApprovalProvider) -> Result<()> {
    let outcome = sync_each(checkout, approvals).await;
    // What was reached before a failure counts, and so does what another replica reached.
    let on_sale = prices::on_sale(&mut *checkout.pool.acquire().await?).await?;
    let rules = checkout.catalogue.get().rules().clone();
    checkout.catalogue.replace(Catalogue::new(rules, on_sale));
    outcome
}

async fn sync_each(checkout: &Checkout, approvals: &dyn ApprovalProvider) -> Result<()> {
    let on_sale = prices::on_sale(&mut *checkout.pool.acquire().await?).await?;
    for price in on_sale.iter().filter(|price| price.is_unplanned()) {
        let plan_id = approvals.ensure_plan(&price.terms).await?;
        let mut connection = checkout.pool.acquire().await?;
        prices::set_approval_plan(&mut connection, price.price_id, &plan_id).await?;
    }
    Ok(())
}
