//! Applies events of the stream: effect and inbox row commit in one transaction, so each is applied exactly once.
//!
//! A consumer applies events one after the other, or in batches with one transaction ([`Handler::batch`]). A failed event is
//! redelivered with a growing delay, and others overtake it, so handlers must not rely on order. After its last attempt it
//! becomes a dead letter. The events of a failed batch are applied one by one.

mod apply;
mod delivery;

use std::time::Duration;

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer};
use async_trait::async_trait;
use futures::future::join_all;
use futures::{FutureExt, StreamExt};
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::bus::{Bus, CloudEvent, STREAM};
use crate::clock::Clock;
use crate::database::Pool;
use crate::periodic::ticks;
use apply::Applier;

/// The stream redelivers an event that was not acknowledged within this time, perhaps to another replica.
const ACK_WAIT: Duration = Duration::from_secs(15);

/// Events per fetch, at least one batch. `ACK_WAIT` of the last one runs while the others are applied.
const FETCH: usize = 32;
/// Limit for all replicas together, several batches, so that one replica's fetch does not starve the others.
const MAX_IN_FLIGHT: usize = 256;
const BATCHES_IN_FLIGHT: usize = 4;
/// Wait after the first event of a batch, so that one transaction applies several.
const BATCH_WINDOW: Duration = Duration::from_millis(40);
const RECONNECT_PAUSE: Duration = Duration::from_millis(500);
const RETRY_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The subjects of a consumer and its number of attempts.
#[derive(Clone, Debug)]
pub struct ConsumerSpec {
    /// Name of its inbox rows, and of the durable consumer. A new name starts with the oldest event.
    pub name: &'static str,
    pub subjects: &'static [&'static str],
    pub max_attempts: i64,
}

/// Attempts of an event before it becomes a dead letter.
const MAX_ATTEMPTS: i64 = 20;

/// One durable consumer on the stream. It has one filter, which the server compares with the permission of the user: the filters
/// of a consumer with several are not part of the subject of its creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Durable {
    pub name: String,
    pub filter: &'static str,
}

impl ConsumerSpec {
    /// A durable per subject. With several subjects, the name contains the subject: `auth-refunds_checkout_refund_succeeded`.
    pub fn durables(&self) -> Vec<Durable> {
        let durable = |filter: &'static str| Durable {
            name: match self.subjects {
                [_] => self.name.to_owned(),
                _ => format!("{}_{}", self.name, in_a_name(filter)),
            },
            filter,
        };
        self.subjects.iter().copied().map(durable).collect()
    }

    pub const fn new(name: &'static str, subjects: &'static [&'static str]) -> Self {
        Self {
            name,
            subjects,
            max_attempts: MAX_ATTEMPTS,
        }
    }
}

/// Names contain neither dots nor wildcards.
fn in_a_name(subject: &str) -> String {
    let own = subject.split_once('.').map_or(subject, |(_, own)| own);
    own.replace('.', "_").replace('*', "any").replace('>', "all")
}

#[async_trait]
pub trait Handler: Send + Sync + 'static {
    /// Applies `event` inside `tx` only; the caller commits or rolls back.
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError>;

    /// Maximum events per transaction. Above one, an error of one event repeats the others,
    /// and an event waits some milliseconds for more.
    fn batch(&self) -> usize {
        1
    }

    /// Applies `events`, with distinct ids, inside `tx` only: all of them or none.
    async fn apply_all(&self, tx: &mut PgConnection, events: &[&CloudEvent]) -> Result<(), HandlerError> {
        for event in events {
            self.apply(tx, event).await?;
        }
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
pub enum HandlerError {
    /// Transient: retried later.
    #[error(transparent)]
    Retry(#[from] anyhow::Error),
    /// Permanent: stored as a dead letter with this reason.
    #[error("{0}")]
    Reject(String),
}

impl From<sqlx::Error> for HandlerError {
    fn from(error: sqlx::Error) -> Self {
        Self::Retry(error.into())
    }
}

pub(crate) struct Consumer<H> {
    spec: ConsumerSpec,
    bus: Bus,
    applier: Applier<H>,
}

impl<H: Handler> Consumer<H> {
    pub(crate) fn new(spec: ConsumerSpec, bus: Bus, clock: Clock, pool: Pool, handler: H) -> Self {
        let applier = Applier::new(spec.clone(), clock, pool, handler);
        Self { spec, bus, applier }
    }

    pub(crate) async fn run(self, shutdown: CancellationToken) {
        let durables = self.spec.durables();
        let consuming = join_all(
            durables
                .iter()
                .map(|durable| self.keep_consuming(durable, &shutdown)),
        );
        tokio::join!(consuming, self.retry_dead_letters(&shutdown));
    }

    async fn keep_consuming(&self, durable: &Durable, shutdown: &CancellationToken) {
        while !shutdown.is_cancelled() {
            if let Err(error) = self.consume(durable, shutdown).await {
                tracing::debug!(%error, consumer = durable.name, "consumer interrupted; reconnecting");
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = tokio::time::sleep(RECONNECT_PAUSE) => {}
            }
        }
    }

    async fn retry_dead_letters(&self, shutdown: &CancellationToken) {
        let mut ticks = ticks(RETRY_POLL_INTERVAL);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = ticks.tick() => {}
            }
            self.applier.retry_dead_letters().await;
        }
    }

    /// Shutdown waits for the current batch.
    async fn consume(
        &self,
        durable: &Durable,
        shutdown: &CancellationToken,
    ) -> Result<(), async_nats::Error> {
        let consumer = self.create(durable).await?;
        let fetch = FETCH.max(self.applier.batch());
        let mut messages = consumer.stream().max_messages_per_batch(fetch).messages().await?;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return Self::nak_buffered(messages).await,
                message = messages.next() => match message {
                    Some(message) => {
                        let mut batch = vec![message?];
                        let filled = self.fill_batch(&mut batch, &mut messages).await;
                        delivery::handle(&self.applier, batch, shutdown).await;
                        filled?;
                    }
                    None => return Ok(()),
                },
            }
        }
    }

    /// Adds buffered events to `batch`, and those that arrive within `BATCH_WINDOW`.
    async fn fill_batch(
        &self,
        batch: &mut Vec<Message>,
        messages: &mut pull::Stream,
    ) -> Result<(), async_nats::Error> {
        self.drain(batch, messages)?;
        if batch.len() < self.applier.batch() {
            tokio::time::sleep(BATCH_WINDOW).await;
            self.drain(batch, messages)?;
        }
        Ok(())
    }

    fn drain(&self, batch: &mut Vec<Message>, messages: &mut pull::Stream) -> Result<(), async_nats::Error> {
        while batch.len() < self.applier.batch() {
            let Some(Some(message)) = messages.next().now_or_never() else {
                break;
            };
            batch.push(message?);
        }
        Ok(())
    }

    async fn nak_buffered(mut messages: pull::Stream) -> Result<(), async_nats::Error> {
        while let Some(Some(message)) = messages.next().now_or_never() {
            delivery::nak(&[message?]).await;
        }
        Ok(())
    }

    async fn create(&self, durable: &Durable) -> Result<PullConsumer, async_nats::Error> {
        let in_flight = MAX_IN_FLIGHT.max(BATCHES_IN_FLIGHT * self.applier.batch());
        let config = pull::Config {
            durable_name: Some(durable.name.clone()),
            deliver_policy: DeliverPolicy::All,
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            // The consumer counts attempts itself: the server would drop the event silently.
            max_deliver: -1,
            max_ack_pending: i64::try_from(in_flight).unwrap_or(i64::MAX),
            filter_subject: durable.filter.to_owned(),
            ..Default::default()
        };
        Ok(self
            .bus
            .jetstream()
            .create_consumer_on_stream(config, STREAM)
            .await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_consumer_has_a_durable_per_subject() {
        const SEVERAL: &[&str] = &["stillpoint.shop.order.paid", "stillpoint.*.order.>"];
        let names = |subjects: &'static [&'static str]| {
            let durables = ConsumerSpec::new("mails", subjects).durables();
            durables
                .into_iter()
                .map(|durable| durable.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&["stillpoint.>"]), ["mails"]);
        assert_eq!(names(SEVERAL), ["mails_shop_order_paid", "mails_any_order_all"]);
    }
}
