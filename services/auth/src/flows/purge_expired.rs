//! Deletes expired rows in batches.
use chrono::TimeDelta;

use crate::error::Error;
use crate::flows::Context;
use crate::store::second_factor::challenge;
use crate::store::{account_link, handoff_token, identity, mail, session, session_token, sign_in_attempt};

/// Small enough not to hold locks that a sign-in would feel.
const BATCH: i64 = 1000;

/// A former token that comes back later than this is unknown, which ends nothing but the attempt.
const RETIRED_TOKENS_KEPT: TimeDelta = TimeDelta::days(7);

/// Retention of used and expired handoff tokens, so that they differ from unknown ones.
const HANDOFFS_KEPT: TimeDelta = TimeDelta::days(1);

/// Of mails that are never due: those without a recipient, and those whose link has expired. All others are sent or given up
/// before.
const UNSENT_MAILS_KEPT: TimeDelta = TimeDelta::days(4);

pub async fn purge_expired(context: &Context) -> Result<(), Error> {
    let now = context.clock.now();
    let mut connection = context.pool.acquire().await?;
    session::delete_expired(&mut connection, now, BATCH).await?;
    session_token::delete_retired_before(&mut connection, now - RETIRED_TOKENS_KEPT, BATCH).await?;
    account_link::delete_expired(&mut connection, now, BATCH).await?;
    mail::delete_created_before(&mut connection, now - UNSENT_MAILS_KEPT, BATCH).await?;
    handoff_token::delete_over_before(&mut connection, now - HANDOFFS_KEPT, BATCH).await?;
    identity::delete_expired(&mut connection, now, BATCH).await?;
    challenge::delete_expired(&mut connection, now, BATCH).await?;
    sign_in_attempt::delete_closed(&mut connection, now, BATCH).await?;
    Ok(())
}
