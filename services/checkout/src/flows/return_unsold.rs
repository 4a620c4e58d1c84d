//! Gives back what a provider took for nothing that we sell.

use kit::erasure::is_tombstoned;
use kit::money::Money;
use sqlx::PgConnection;

use super::Checkout;
use super::adopt_payment::{Adoption, purchase};
use super::settle_payment::book_capture;
use crate::domain::adoption::unsold_subscription;
use crate::domain::provider::Provider;
use crate::domain::report::{Charge, Snapshot};
use crate::error::Result;
use crate::ports::ProviderError;
use crate::store::{customers, payments, purchases};

/// What was taken is booked as what we owe, of an order that was given up as it was made: the reconciler carries the refund out,
/// and the buyer is told. Then it is ended at the provider. Doing it again gives nothing back twice. What has found its order
/// meanwhile, such as when a coupon was given back, is not ended any more.
pub async fn return_unsold(checkout: &Checkout, adoption: &Adoption) -> Result<()> {
    let Adoption {
        provider, snapshot, ..
    } = adoption;
    let now = checkout.clock.now();
    let mut tx = checkout.pool.begin().await?;
    let forgotten;
    let adoption = if is_tombstoned(&mut tx, &[adoption.buyer.user_id.to_string()]).await? {
        forgotten = adoption.of_nobody(now);
        &forgotten
    } else {
        adoption
    };
    customers::lock(&mut tx, &adoption.buyer, now).await?;
    let id = &snapshot.provider_subscription_id;
    let known = payments::find_by_provider_subscription(&mut tx, *provider, id).await?;
    if known.is_some() {
        return Ok(());
    }
    if let (Charge::Captured(captured), Some(_)) = (&snapshot.charge, &snapshot.provider_intent_id) {
        book(&mut tx, checkout, adoption, *captured).await?;
        tx.commit().await?;
        announce(*provider, *captured);
    } else {
        drop(tx);
    }
    end(checkout, *provider, snapshot).await
}

async fn book(
    tx: &mut PgConnection,
    checkout: &Checkout,
    adoption: &Adoption,
    captured: Money,
) -> Result<()> {
    let begun = purchase(checkout, adoption);
    let now = checkout.clock.now();
    let (unsold, fact) = unsold_subscription(begun, &adoption.snapshot, captured, now);
    purchases::insert(tx, &unsold).await?;
    payments::save(tx, &unsold.payment).await?;
    book_capture(tx, checkout, (&unsold.order, &unsold.payment), &[fact]).await
}

async fn end(checkout: &Checkout, provider: Provider, snapshot: &Snapshot) -> Result<()> {
    let subscriptions = &checkout.providers.of(provider)?.subscriptions;
    let canceled = subscriptions.cancel_subscription(&snapshot.provider_subscription_id);
    match canceled.await {
        Ok(_) | Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

pub fn announce(provider: Provider, captured: Money) {
    let name = provider.name();
    metrics::counter!("checkout_unsold_captures_total", "provider" => name).increment(1);
    tracing::error!("{name} took {captured} for nothing of ours: it goes back");
}
