//! Looks again into what a stored notification is about, as if it came now.

use kit::database::Pool;

use super::receive_webhook::{find_told, wake};
use crate::domain::notice::{Notice, Replay};
use crate::domain::provider::Provider;
use crate::error::Result;
use crate::ports::WebhookFault;
use crate::store::webhook_events;

/// `read` says what a stored body is about: no provider is asked here.
pub async fn replay_webhook(
    pool: &Pool,
    provider: Provider,
    event_id: &str,
    read: impl Fn(Provider, &[u8]) -> std::result::Result<Notice, WebhookFault>,
) -> Result<Replay> {
    let mut tx = pool.begin().await?;
    let Some(body) = webhook_events::body(&mut tx, provider, event_id).await? else {
        return Ok(Replay::Unknown);
    };
    if body.is_empty() {
        return Ok(Replay::Erased);
    }
    let notice = read(provider, &body)?;
    webhook_events::revive(&mut tx, provider, event_id).await?;
    let Some(told) = find_told(&mut tx, provider, &notice.subject).await? else {
        // The service asks the provider what it is about all the same.
        tx.commit().await?;
        return Ok(Replay::Foreign);
    };
    wake(&mut tx, &notice.subject, &told).await?;
    tx.commit().await?;
    Ok(Replay::Due(told.payment_id))
}
