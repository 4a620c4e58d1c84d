//! Deletes sessions and sign-in windows that are over: they have no effect any more, only size.
use crate::error::Error;
use crate::flows::Context;
use crate::store::{session, sign_in_attempt};

/// Small enough not to hold locks that a sign-in would feel.
const BATCH: i64 = 1000;

pub async fn forget_expired(context: &Context) -> Result<(), Error> {
    let now = context.clock.now();
    let mut connection = context.pool.acquire().await?;
    while session::delete_expired(&mut connection, now, BATCH).await? == BATCH.unsigned_abs() {}
    while sign_in_attempt::delete_closed(&mut connection, now, BATCH).await? == BATCH.unsigned_abs() {}
    Ok(())
}
