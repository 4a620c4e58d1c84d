//! One delivery from the stream: applied and acknowledged, put back for later, or given up.

use std::time::Duration;

use async_nats::jetstream::{AckKind, Message};
use tokio_util::sync::CancellationToken;

use super::apply::{Applier, Outcome};
use super::{Handler, HandlerError};
use crate::bus::CloudEvent;
use crate::dead_letters::DeadLetter;

const BACK_OFF_AT_MOST: Duration = Duration::from_mins(1);
const OUTAGE_PAUSE: Duration = Duration::from_secs(1);

pub(super) async fn handle<H: Handler>(
    applier: &Applier<H>,
    message: &Message,
    shutdown: &CancellationToken,
) {
    match CloudEvent::from_json(&message.payload) {
        Ok(event) => deliver(applier, message, &event, shutdown).await,
        Err(error) => {
            let mut letter = applier.letter(&stream_position(message), &message.subject, &message.payload);
            letter.attempts = attempt(message);
            letter.reason = error.to_string();
            give_up(applier, message, letter).await;
        }
    }
}

async fn deliver<H: Handler>(
    applier: &Applier<H>,
    message: &Message,
    event: &CloudEvent,
    shutdown: &CancellationToken,
) {
    // An outage is waited out here: putting the event back would use up attempts that were none.
    let outcome = loop {
        match applier.apply(event).await {
            Outcome::Outage(error) => {
                tracing::warn!(%error, consumer = applier.spec.name, "the database is away; waiting");
                acknowledge(message, AckKind::Progress).await;
                tokio::select! {
                    () = shutdown.cancelled() => return acknowledge(message, AckKind::Nak(None)).await,
                    () = tokio::time::sleep(OUTAGE_PAUSE) => {}
                }
            }
            outcome => break outcome,
        }
    };
    match outcome {
        Outcome::Applied | Outcome::Known => confirm(message).await,
        Outcome::Failed(error) => fail(applier, message, event, error).await,
        Outcome::Outage(_) => {}
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
    let mut letter = applier.letter(&event.id, &message.subject, &message.payload);
    letter.attempts = attempt;
    letter.reason = reason;
    give_up(applier, message, letter).await;
}

async fn give_up<H: Handler>(applier: &Applier<H>, message: &Message, letter: DeadLetter) {
    if let Err(error) = applier.bury(letter).await {
        tracing::warn!(%error, consumer = applier.spec.name, "a dead letter could not be stored; trying again");
        return acknowledge(message, AckKind::Nak(Some(BACK_OFF_AT_MOST))).await;
    }
    acknowledge(message, AckKind::Term).await;
}

/// Waits for the server to have the acknowledgement. Should it get lost, the inbox makes the next delivery harmless.
async fn confirm(message: &Message) {
    if let Err(error) = message.double_ack().await {
        tracing::debug!(%error, subject = %message.subject, "an acknowledgement is unconfirmed");
    }
}

async fn acknowledge(message: &Message, kind: AckKind) {
    if let Err(error) = message.ack_with(kind).await {
        tracing::debug!(%error, subject = %message.subject, "an acknowledgement was not sent");
    }
}

fn attempt(message: &Message) -> i64 {
    message.info().map_or(1, |info| info.delivered)
}

/// What has no id of its own is known by its place in the stream.
fn stream_position(message: &Message) -> String {
    message.info().map_or_else(
        |_| "unknown".to_owned(),
        |info| format!("seq-{}", info.stream_sequence),
    )
}

/// 200 ms, 400 ms, … with up to a quarter more, so that events which failed together do not return together.
fn back_off(attempt: i64) -> Duration {
    let doublings = u32::try_from(attempt.saturating_sub(1)).unwrap_or(0).min(16);
    let wait = (Duration::from_millis(200) * 2_u32.pow(doublings)).min(BACK_OFF_AT_MOST);
    let extra = u64::try_from(wait.as_millis() / 4).unwrap_or(0);
    wait + Duration::from_millis(rand::random_range(0..=extra))
}
