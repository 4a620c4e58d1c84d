//! Refunds captures that match no order.

use kit::erasure::is_tombstoned;
use kit::money::Money;
use sqlx::PgConnection;

use crate::domain::order::payment_import::unmatched_subscription_capture;
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot};
use crate::domain::provider::Provider;
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::hosted::payment_import::{PaymentImport, purchase};
use crate::flows::steps::payment::settle_payment::book_capture;
use crate::ports::ProviderError;
use crate::store::order::{customers, order_attempts};
use crate::store::payment::payments;

/// Posts the capture to suspense on an order that is created as abandoned. The reconciler submits the refund,
/// which emits its event. Then the subscription is ended at the provider. Idempotent. A capture that matched an order
/// meanwhile, such as after a released coupon, is not ended.
pub async fn refund_unmatched(checkout: &Checkout, import: &PaymentImport) -> Result<()> {
    let PaymentImport {
        provider, snapshot, ..
    } = import;
    let now = checkout.clock.now();
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let forgotten;
    let import = if is_tombstoned(&mut tx, &[import.buyer.user_id.to_string()]).await? {
        forgotten = import.anonymized(now);
        &forgotten
    } else {
        import
    };
    customers::lock(&mut tx, &import.buyer, now).await?;
    let id = &snapshot.provider_subscription_id;
    let known = payments::find_by_provider_subscription(&mut tx, *provider, id).await?;
    if known.is_some() {
        return Ok(());
    }
    if let (Charge::Captured(captured), Some(_)) = (&snapshot.charge, &snapshot.provider_intent_id) {
        post_unmatched(&mut tx, checkout, import, *captured).await?;
        tx.commit().await?;
        announce(*provider, *captured);
    } else {
        drop(tx);
    }
    end(checkout, *provider, snapshot).await
}

async fn post_unmatched(
    tx: &mut PgConnection,
    checkout: &Checkout,
    import: &PaymentImport,
    captured: Money,
) -> Result<()> {
    let begun = purchase(checkout, import);
    let now = checkout.clock.now();
    let (unmatched, fact) = unmatched_subscription_capture(begun, &import.snapshot, captured, now);
    order_attempts::insert(tx, &unmatched.clone().into()).await?;
    payments::save(tx, &unmatched.payment).await?;
    book_capture(tx, checkout, &unmatched.order, &unmatched.payment, &[fact]).await
}

async fn end(checkout: &Checkout, provider: Provider, snapshot: &PaymentSnapshot) -> Result<()> {
    let subscriptions = checkout.providers.of(provider)?;
    let canceled = subscriptions.cancel_subscription(&snapshot.provider_subscription_id);
    match canceled.await {
        Ok(_) | Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

pub fn announce(provider: Provider, captured: Money) {
    let name = provider.name();
    metrics::counter!("checkout_unmatched_captures_total", "provider" => name).increment(1);
    tracing::error!(provider = name, %captured, "unmatched capture; it is refunded");
}
