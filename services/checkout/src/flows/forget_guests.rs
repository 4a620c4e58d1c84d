//! Takes out who guests are that have paid nothing: what they wrote to pay is kept only as long as they may come back for it.
//! Deletes the answers of surveys that no member has claimed in that time.

use std::sync::Arc;

use chrono::TimeDelta;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use super::Checkout;
use crate::error::Result;
use crate::store::{guests, survey_answers};

/// Small enough not to hold locks that a buyer would feel.
const BATCH: i64 = 500;

/// They are kept for days: an hour more is nothing.
const EVERY: TimeDelta = TimeDelta::hours(1);

pub async fn forget_guests(checkout: Arc<Checkout>, shutdown: CancellationToken) {
    let hourly = (&checkout.clock, EVERY);
    periodic::every_by_clock(hourly, "forgetting guests", &shutdown, || {
        forget_unpaid(&checkout)
    })
    .await;
}

async fn forget_unpaid(checkout: &Checkout) -> Result<()> {
    let oldest = checkout.clock.now() - checkout.guests_kept;
    let mut connection = checkout.pool.acquire().await?;
    while guests::empty_pages(&mut connection, oldest, BATCH).await? == BATCH.unsigned_abs() {}
    while guests::empty_unpaid(&mut connection, oldest, BATCH).await? == BATCH.unsigned_abs() {}
    while survey_answers::delete_unclaimed(&mut connection, oldest, BATCH).await? == BATCH.unsigned_abs() {}
    Ok(())
}
