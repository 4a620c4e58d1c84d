//! Purges the contact details of guests who have paid nothing, after the retention time.
//! Deletes the answers of surveys that no member has claimed in that time.

use std::sync::Arc;

use chrono::TimeDelta;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use crate::error::Result;
use crate::flows::Checkout;
use crate::store::order::guests;
use crate::store::survey::survey_answers;

/// Small enough to hold locks only briefly.
const BATCH: i64 = 500;

/// Retention is counted in days: one hour of delay is harmless.
const EVERY: TimeDelta = TimeDelta::hours(1);

pub async fn purge_guests(checkout: Arc<Checkout>, shutdown: CancellationToken) {
    let purge = || purge_unpaid(&checkout);
    periodic::every_by_clock(&checkout.clock, EVERY, "purge-guests", &shutdown, purge).await;
}

async fn purge_unpaid(checkout: &Checkout) -> Result<()> {
    let oldest = checkout.clock.now() - checkout.guest_retention;
    let mut connection = checkout.pool.acquire().await?;
    while guests::empty_pages(&mut connection, oldest, BATCH).await? == BATCH.unsigned_abs() {}
    while guests::empty_unpaid(&mut connection, oldest, BATCH).await? == BATCH.unsigned_abs() {}
    while survey_answers::delete_unclaimed(&mut connection, oldest, BATCH).await? == BATCH.unsigned_abs() {}
    Ok(())
}
