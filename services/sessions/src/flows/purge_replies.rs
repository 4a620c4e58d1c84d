//! Deletes replies older than the retention.
use super::Context;
use crate::error::Error;
use crate::store::reply;

/// Keeps transactions short.
const BATCH: i64 = 500;

pub async fn purge_replies(context: &Context) -> Result<(), Error> {
    let oldest = context.clock.now() - context.limits.retention;
    let mut connection = context.pool.acquire().await?;
    reply::delete_older(&mut connection, oldest, BATCH).await?;
    Ok(())
}
