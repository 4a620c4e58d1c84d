//! Looks again into what a stored notification is about, as if it came now.

use kit::clock::Clock;
use kit::database::Pool;

use super::receive_webhook::{find_payment, make_due};
use crate::clients::read_stored;
use crate::domain::notice::Replay;
use crate::domain::provider::Provider;
use crate::error::Result;
use crate::store::webhook_events;

pub async fn replay_webhook(
    pool: &Pool,
    clock: &Clock,
    provider: Provider,
    event_id: &str,
) -> Result<Replay> {
    let mut tx = pool.begin().await?;
    let Some(body) = webhook_events::body(&mut tx, provider, event_id).await? else {
        return Ok(Replay::Unknown);
    };
    if body.is_empty() {
        return Ok(Replay::Erased);
    }
    let notice = read_stored(provider, &body)?;
    webhook_events::revive(&mut tx, provider, event_id).await?;
    let Some(payment_id) = find_payment(&mut tx, provider, &notice.subject).await? else {
        // The service asks the provider what it is about all the same.
        tx.commit().await?;
        return Ok(Replay::Foreign);
    };
    make_due(&mut tx, &notice.subject, payment_id, clock.now()).await?;
    tx.commit().await?;
    Ok(Replay::Due(payment_id))
}
