//! Deletes replies that nobody comes back for any more.
use super::Context;
use crate::error::Error;
use crate::store::reply;

/// Small enough not to hold locks that a writer would feel.
const BATCH: i64 = 500;

pub async fn forget_replies(context: &Context) -> Result<(), Error> {
    let oldest = context.clock.now() - context.rules.kept;
    let mut connection = context.pool.acquire().await?;
    reply::delete_older(&mut connection, oldest, BATCH).await?;
    Ok(())
}
