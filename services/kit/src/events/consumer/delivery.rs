//! Handles delivered messages: apply and acknowledge, redeliver later, or give up.

use std::slice;
use std::time::Duration;

use async_nats::jetstream::{AckKind, Message};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::apply::{Applier, Outcome};
use super::{ACK_WAIT, Handler, HandlerError};
use crate::backoff::Backoff;
use crate::bus::{CloudEvent, ForeignEvent, Unreadable};
use crate::dead_letters::DeadLetter;

const BACKOFF: Backoff = Backoff::new(Duration::from_millis(200), Duration::from_mins(1));
const OUTAGE_PAUSE: Duration = Duration::from_secs(1);

/// First deliveries are applied as a batch. Redeliveries may have failed before, so each is applied alone and does not
/// repeat others.
pub(super) async fn handle<H: Handler>(
    applier: &Applier<H>,
    messages: Vec<Message>,
    shutdown: &CancellationToken,
) {
    let several = messages.len() > 1;
    let (mut together, mut events, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for message in messages {
        let is_first = several && attempt(&message) == 1;
        match is_first.then(|| read(&message)) {
            Some(Ok(event)) => {
                together.push(message);
                events.push(event);
            }
            Some(Err(_)) | None => alone.push(message),
        }
    }
    if let Some(Outcome::Failed(error)) = apply(applier, &together, &events, shutdown).await {
        tracing::info!(
            error = format!("{error:#}"),
            consumer = applier.spec.name,
            events = events.len(),
            "events were not applied together; applying them one by one"
        );
        extend_ack(&together).await;
        one_by_one(applier, &together, shutdown).await;
    }
    one_by_one(applier, &alone, shutdown).await;
}

/// The message is stored as a dead letter at once.
#[derive(Debug, thiserror::Error)]
enum Unusable {
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error(transparent)]
    Foreign(#[from] ForeignEvent),
}

/// The event of a message, if it is one of the subject's owner.
fn read(message: &Message) -> Result<CloudEvent, Unusable> {
    let event = CloudEvent::from_json(&message.payload)?;
    event.check_origin(&message.subject)?;
    Ok(event)
}

async fn one_by_one<H: Handler>(applier: &Applier<H>, messages: &[Message], shutdown: &CancellationToken) {
    let mut kept_at = Instant::now();
    for (begun, message) in messages.iter().enumerate() {
        if shutdown.is_cancelled() {
            return nak(&messages[begun..]).await;
        }
        if kept_at.elapsed() > ACK_WAIT / 3 {
            extend_ack(&messages[begun..]).await;
            kept_at = Instant::now();
        }
        handle_one(applier, message, shutdown).await;
    }
}

async fn handle_one<H: Handler>(applier: &Applier<H>, message: &Message, shutdown: &CancellationToken) {
    let event = match read(message) {
        Ok(event) => event,
        Err(unusable) => {
            if let Unusable::Foreign(foreign) = &unusable {
                applier.report_foreign(foreign);
            }
            // Not under the claimed id: that would mark a genuine event of this id as applied.
            let mut dead_letter =
                applier.dead_letter(&stream_position(message), &message.subject, &message.payload);
            dead_letter.attempts = attempt(message);
            dead_letter.reason = unusable.to_string();
            return give_up(applier, message, dead_letter).await;
        }
    };
    let (messages, events) = (slice::from_ref(message), slice::from_ref(&event));
    if let Some(Outcome::Failed(error)) = apply(applier, messages, events, shutdown).await {
        fail(applier, message, &event, error).await;
    }
}

/// Applies and acknowledges. `None` if shutdown came during an outage.
async fn apply<H: Handler>(
    applier: &Applier<H>,
    messages: &[Message],
    events: &[CloudEvent],
    shutdown: &CancellationToken,
) -> Option<Outcome> {
    if events.is_empty() {
        return None;
    }
    // An outage is waited out here: putting the events back would use up attempts that were none.
    loop {
        match applier.apply(events).await {
            Outcome::Outage(error) => {
                tracing::warn!(%error, consumer = applier.spec.name, "database unreachable; waiting");
                extend_ack(messages).await;
                tokio::select! {
                    () = shutdown.cancelled() => {
                        nak(messages).await;
                        return None;
                    }
                    () = tokio::time::sleep(OUTAGE_PAUSE) => {}
                }
            }
            Outcome::Applied { new } => {
                confirm(messages).await;
                return Some(Outcome::Applied { new });
            }
            failed @ Outcome::Failed(_) => return Some(failed),
        }
    }
}

async fn fail<H: Handler>(applier: &Applier<H>, message: &Message, event: &CloudEvent, error: HandlerError) {
    let attempt = attempt(message);
    let reason = match error {
        HandlerError::Retry(error) if attempt < applier.spec.max_attempts => {
            let wait = back_off(attempt);
            tracing::warn!(
                error = format!("{error:#}"),
                consumer = applier.spec.name,
                event = event.id,
                attempt,
                wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
                "an event was not applied; trying again"
            );
            return acknowledge(message, AckKind::Nak(Some(wait))).await;
        }
        HandlerError::Retry(error) => format!("{error:#}"),
        HandlerError::Reject(reason) => reason,
    };
    let mut dead_letter = applier.dead_letter(&event.id, &message.subject, &message.payload);
    dead_letter.attempts = attempt;
    dead_letter.reason = reason;
    give_up(applier, message, dead_letter).await;
}

async fn give_up<H: Handler>(applier: &Applier<H>, message: &Message, dead_letter: DeadLetter) {
    if let Err(error) = applier.store_dead_letter(dead_letter).await {
        tracing::warn!(%error, consumer = applier.spec.name, "dead letter not stored; retrying");
        return acknowledge(message, AckKind::Nak(Some(BACKOFF.max))).await;
    }
    acknowledge(message, AckKind::Term).await;
}

/// Waits until the server has the last acknowledgement; it processes them in order. After a lost one, the inbox makes the next
/// delivery harmless.
async fn confirm(messages: &[Message]) {
    let Some((last, others)) = messages.split_last() else {
        return;
    };
    for message in others {
        acknowledge(message, AckKind::Ack).await;
    }
    if let Err(error) = last.double_ack().await {
        tracing::debug!(%error, subject = %last.subject, "acknowledgement unconfirmed");
    }
}

/// Restarts `ACK_WAIT`.
async fn extend_ack(messages: &[Message]) {
    for message in messages {
        acknowledge(message, AckKind::Progress).await;
    }
}

/// Returns unprocessed messages at once, so that another replica gets them before `ACK_WAIT`.
pub(super) async fn nak(messages: &[Message]) {
    for message in messages {
        acknowledge(message, AckKind::Nak(None)).await;
    }
}

async fn acknowledge(message: &Message, kind: AckKind) {
    if let Err(error) = message.ack_with(kind).await {
        tracing::debug!(%error, subject = %message.subject, "acknowledgement not sent");
    }
}

fn attempt(message: &Message) -> i64 {
    message.info().map_or(1, |info| info.delivered)
}

/// Messages without an id are identified by their stream sequence.
fn stream_position(message: &Message) -> String {
    message.info().map_or_else(
        |_| "unknown".to_owned(),
        |info| format!("seq-{}", info.stream_sequence),
    )
}

/// 200 ms, 400 ms, … with up to a quarter of jitter, so that events which failed together do not return together.
fn back_off(attempt: i64) -> Duration {
    let wait = BACKOFF.after(attempt);
    let extra = u64::try_from(wait.as_millis() / 4).unwrap_or(0);
    wait + Duration::from_millis(rand::random_range(0..=extra))
}
