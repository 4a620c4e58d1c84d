//! Applies one or more events in one transaction with their inbox rows.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use sqlx::PgConnection;
use tracing::{Instrument, Span};

use super::{ConsumerSpec, Handler, HandlerError};
use crate::bus::{CloudEvent, ForeignEvent};
use crate::clock::Clock;
use crate::database::{self, Pool};
use crate::dead_letters::{self, DeadLetter};
use crate::requester::{self, Requester};
use crate::{inbox, telemetry};

/// Below `ACK_WAIT`, so that an event is not redelivered while it is applied.
const TIME_LIMIT: Duration = Duration::from_secs(10);

pub(super) struct Applier<H> {
    pub spec: ConsumerSpec,
    clock: Clock,
    pool: Pool,
    handler: H,
}

/// Result of applying events.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The others had been applied before.
    Applied { new: usize },
    /// None was applied.
    Failed(HandlerError),
    /// The database is unavailable; this does not count as an attempt.
    Outage(sqlx::Error),
}

impl<H: Handler> Applier<H> {
    pub fn new(spec: ConsumerSpec, clock: Clock, pool: Pool, handler: H) -> Self {
        Self {
            spec,
            clock,
            pool,
            handler,
        }
    }

    pub fn batch(&self) -> usize {
        self.handler.batch().max(1)
    }

    pub async fn apply(&self, events: &[CloudEvent]) -> Outcome {
        let outcome = self.apply_once(events).instrument(self.span(events)).await;
        match &outcome {
            Outcome::Applied { new } => {
                self.count("applied", *new);
                self.count("duplicate", events.len().saturating_sub(*new));
            }
            // Where there were several, each is tried and counted by itself.
            Outcome::Failed(_) if events.len() > 1 => {}
            Outcome::Failed(_) => self.count("failed", 1),
            Outcome::Outage(_) => self.count("outage", events.len()),
        }
        outcome
    }

    /// Continues the trace of a single event, or links to the traces of several.
    fn span(&self, events: &[CloudEvent]) -> Span {
        let consumer = self.spec.name;
        if let [event] = events {
            let span = tracing::info_span!("consume", consumer, event = event.r#type, id = event.id);
            if let Some(traceparent) = &event.traceparent {
                telemetry::continue_trace(&span, traceparent);
            }
            return span;
        }
        let span = tracing::info_span!("consume", consumer, events = events.len());
        for traceparent in events.iter().filter_map(|event| event.traceparent.as_ref()) {
            telemetry::link_trace(&span, traceparent);
        }
        span
    }

    fn count(&self, outcome: &'static str, events: usize) {
        if events > 0 {
            metrics::counter!("consumer_events_total", "consumer" => self.spec.name, "outcome" => outcome)
                .increment(u64::try_from(events).unwrap_or(u64::MAX));
        }
    }

    async fn apply_once(&self, events: &[CloudEvent]) -> Outcome {
        let mut tx = match crate::database::begin(&self.pool).await {
            Ok(tx) => tx,
            Err(error) => return Outcome::Outage(error),
        };
        let ids: Vec<&str> = events.iter().map(|event| event.id.as_str()).collect();
        let mut unknown = match inbox::claim_all(&mut tx, self.spec.name, &ids).await {
            Ok(unknown) => unknown,
            Err(error) => return Self::failed(error),
        };
        // Of two with one id, the first.
        let new: Vec<&CloudEvent> = events.iter().filter(|event| unknown.remove(&event.id)).collect();
        if new.is_empty() {
            return Outcome::Applied { new: 0 };
        }
        if let Err(error) = self.guarded(&mut tx, &new).await {
            return Outcome::Failed(error);
        }
        match tx.commit().await {
            Ok(()) => Outcome::Applied { new: new.len() },
            Err(error) => Self::failed(error),
        }
    }

    /// A handler that hangs or panics fails these events, not the consumer.
    async fn guarded(&self, tx: &mut PgConnection, events: &[&CloudEvent]) -> Result<(), HandlerError> {
        let requester = match events {
            [event] => requester_of(event),
            _ => Requester::default(),
        };
        let applying = requester::scope(requester, self.handler.apply_all(tx, events));
        let applying = AssertUnwindSafe(applying).catch_unwind();
        match tokio::time::timeout(TIME_LIMIT, applying).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(HandlerError::Retry(anyhow::anyhow!("the handler panicked"))),
            Err(_) => Err(HandlerError::Retry(anyhow::anyhow!("the handler took too long"))),
        }
    }

    fn failed(error: sqlx::Error) -> Outcome {
        if database::is_outage(&error) {
            return Outcome::Outage(error);
        }
        Outcome::Failed(error.into())
    }

    /// Gives up on an event: stores a dead letter and an inbox row, so that a replay of the stream does not apply it.
    pub async fn store_dead_letter(&self, mut dead_letter: DeadLetter) -> Result<(), sqlx::Error> {
        dead_letter.failed_at = self.clock.now();
        tracing::error!(
            consumer = dead_letter.consumer,
            event = dead_letter.event_id,
            subject = dead_letter.subject,
            attempts = dead_letter.attempts,
            reason = dead_letter.reason,
            "an event became a dead dead_letter"
        );
        metrics::counter!("consumer_dead_letters_total", "consumer" => self.spec.name).increment(1);
        let mut tx = crate::database::begin(&self.pool).await?;
        dead_letters::store(&mut tx, &dead_letter).await?;
        inbox::claim(&mut tx, &dead_letter.consumer, &dead_letter.event_id).await?;
        tx.commit().await
    }

    /// Before the event becomes a dead letter.
    pub fn report_foreign(&self, foreign: &ForeignEvent) {
        metrics::counter!("consumer_events_rejected_total", "consumer" => self.spec.name).increment(1);
        tracing::warn!(
            consumer = self.spec.name,
            subject = foreign.subject,
            source = foreign.source_name,
            event_type = foreign.event_type,
            "event of a foreign source; not applied"
        );
    }

    /// A dead letter without its reason and time, which `store_dead_letter` adds.
    pub fn dead_letter(&self, event_id: &str, subject: &str, payload: &[u8]) -> DeadLetter {
        DeadLetter {
            consumer: self.spec.name.to_owned(),
            event_id: event_id.to_owned(),
            subject: subject.to_owned(),
            payload: String::from_utf8_lossy(payload).into_owned(),
            reason: String::new(),
            attempts: 0,
            failed_at: self.clock.now(),
            retry_requested: false,
        }
    }

    /// Applies all dead letters marked for retry. One that fails again stays with its new reason.
    pub async fn retry_dead_letters(&self) {
        loop {
            match self.retry_one().await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    return tracing::warn!(%error, consumer = self.spec.name, "dead letters unreadable");
                }
            }
        }
    }

    async fn retry_one(&self) -> Result<bool, sqlx::Error> {
        let mut tx = crate::database::begin(&self.pool).await?;
        let Some(mut dead_letter) = dead_letters::claim_for_retry(&mut tx, self.spec.name).await? else {
            return Ok(false);
        };
        let outcome = match CloudEvent::from_json(dead_letter.payload.as_bytes()) {
            Ok(event) => match event.check_origin(&dead_letter.subject) {
                Ok(()) => self.guarded(&mut tx, &[&event]).await,
                Err(foreign) => Err(HandlerError::Reject(foreign.to_string())),
            },
            Err(error) => Err(HandlerError::Reject(error.to_string())),
        };
        match outcome {
            Ok(()) => {
                dead_letters::discard(&mut tx, &dead_letter).await?;
                tx.commit().await?;
                tracing::info!(
                    consumer = dead_letter.consumer,
                    event = dead_letter.event_id,
                    "dead letter applied"
                );
            }
            Err(error) => {
                tx.rollback().await?;
                dead_letter.attempts += 1;
                dead_letter.reason = error.to_string();
                self.store_dead_letter(dead_letter).await?;
            }
        }
        Ok(true)
    }
}

/// The requester of an event, for the events that follow from it.
fn requester_of(event: &CloudEvent) -> Requester {
    Requester {
        lang: event.lang.clone(),
        country: event.country.clone(),
    }
}
