//! Short premium after a payment for a partner's app, granted when request and payment event have both arrived.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::temporary_premium::{Decision, Grant, Record};
use crate::domain::user::UserId;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::issue_access_token::session_of;
use crate::store::temporary_premium;

/// End of premium; `None` until the payment event arrives, which then grants it.
pub async fn grant_temporary_premium(
    context: &Context,
    session: &str,
) -> Result<Option<DateTime<Utc>>, Error> {
    let user_id = session_of(context, session).await?.0.user.id;
    let mut tx = kit::database::begin(&context.pool).await?;
    let record = temporary_premium::record_request(&mut tx, user_id, context.clock.now()).await?;
    let grant = settle(context, &mut tx, user_id, record).await?;
    tx.commit().await?;
    Ok(grant.map(|grant| grant.until))
}

/// Applies a payment event.
pub async fn record_payment(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    paid_at: DateTime<Utc>,
) -> Result<(), Error> {
    if let Some(record) = temporary_premium::record_payment(tx, user_id, paid_at).await? {
        settle(context, tx, user_id, record).await?;
    }
    Ok(())
}

async fn settle(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    record: Record,
) -> Result<Option<Grant>, Error> {
    match record.decide(context.clock.now(), context.ttls.temporary_premium) {
        Decision::Wait => Ok(None),
        Decision::AlreadyGranted(grant) => Ok(Some(grant)),
        Decision::Grant(grant) => {
            temporary_premium::grant(tx, user_id, grant).await?;
            emit::temporary_premium_granted(tx, &context.clock, user_id, grant.until).await?;
            Ok(Some(grant))
        }
    }
}
