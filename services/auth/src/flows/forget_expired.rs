//! Deletes what is over: it has no effect any more, only size.
use chrono::TimeDelta;

use crate::error::Error;
use crate::flows::Context;
use crate::store::{account_link, handoff_token, mail, session, session_token, sign_in_attempt};

/// Small enough not to hold locks that a sign-in would feel.
const BATCH: i64 = 1000;

/// A former token that comes back later than this is unknown, which ends nothing but the attempt.
const RETIRED_TOKENS_KEPT: TimeDelta = TimeDelta::days(7);

/// How long a used or late token is told from one that never was.
const HANDOFFS_KEPT: TimeDelta = TimeDelta::days(1);

/// A mail that could not be sent for so long would only surprise.
const MAILS_KEPT: TimeDelta = TimeDelta::days(3);

pub async fn forget_expired(context: &Context) -> Result<(), Error> {
    let now = context.clock.now();
    let mut connection = context.pool.acquire().await?;
    while session::delete_expired(&mut connection, now, BATCH).await? == BATCH.unsigned_abs() {}
    let retired_before = now - RETIRED_TOKENS_KEPT;
    while session_token::delete_retired_before(&mut connection, retired_before, BATCH).await?
        == BATCH.unsigned_abs()
    {}
    while account_link::delete_expired(&mut connection, now, BATCH).await? == BATCH.unsigned_abs() {}
    while mail::delete_written_before(&mut connection, now - MAILS_KEPT, BATCH).await? == BATCH.unsigned_abs()
    {
    }
    let handoffs_before = now - HANDOFFS_KEPT;
    while handoff_token::delete_over_before(&mut connection, handoffs_before, BATCH).await?
        == BATCH.unsigned_abs()
    {}
    while sign_in_attempt::delete_closed(&mut connection, now, BATCH).await? == BATCH.unsigned_abs() {}
    Ok(())
}
