//! Takes out who guests are that have paid nothing: what they wrote to pay is kept only as long as they may come back for it.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Checkout;
use crate::error::Result;
use crate::store::guests;

/// Small enough not to hold locks that a buyer would feel.
const BATCH: i64 = 500;

pub async fn forget_guests(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            _ = ticks.tick() => {}
        }
        if let Err(error) = forget_unpaid(&checkout).await {
            tracing::warn!(%error, "Guests who have paid nothing are kept a little longer");
        }
    }
}

async fn forget_unpaid(checkout: &Checkout) -> Result<()> {
    let oldest = checkout.clock.now() - checkout.guests_kept;
    let mut connection = checkout.pool.acquire().await?;
    guests::empty_pages(&mut connection, oldest, BATCH).await?;
    guests::empty_unpaid(&mut connection, oldest, BATCH).await?;
    Ok(())
}
