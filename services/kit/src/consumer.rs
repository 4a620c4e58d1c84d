//! Applies events from the stream: effect and inbox row in one transaction, so each is applied exactly once.
//!
//! Events of one consumer are applied one after the other, or those that came together in one transaction where the handler
//! takes several ([`Handler::batch`]). One that fails is put back with a growing delay and others overtake it meanwhile, so a
//! handler must not rely on order; after its last attempt it becomes a dead dead_letter. A batch that fails is taken apart: each of
//! its events has a transaction of its own then, and a fate of its own.

mod apply;
mod delivery;

use std::time::Duration;

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer};
use async_trait::async_trait;
use futures::{FutureExt, StreamExt};
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::bus::{Bus, CloudEvent, STREAM};
use crate::clock::Clock;
use crate::database::Pool;
use crate::periodic::ticks;
use apply::Applier;

/// After this long without a word the stream delivers an event again, perhaps to another replica.
const ACK_WAIT: Duration = Duration::from_secs(15);

/// How many events are asked for at a time, and a batch at least. The last one's patience runs while the others are applied.
const FETCH: usize = 32;
/// Of all replicas together: a whole batch for several of them, or one's fetching would leave the others nothing.
const MAX_IN_FLIGHT: usize = 256;
const BATCHES_IN_FLIGHT: usize = 4;
/// Where one event comes, more are on their way: one transaction serves them all.
const GATHER: Duration = Duration::from_millis(40);
const RECONNECT_PAUSE: Duration = Duration::from_millis(500);
const LOOK_FOR_RETRIES: Duration = Duration::from_secs(1);

/// Which events a consumer wants and how often it tries.
#[derive(Clone, Debug)]
pub struct ConsumerSpec {
    /// The durable's name on the stream and in the inbox. Renaming it starts over from the oldest event.
    pub name: &'static str,
    pub subjects: &'static [&'static str],
    pub max_attempts: i64,
}

#[async_trait]
pub trait Handler: Send + Sync + 'static {
    /// Applies `event` inside `tx` and nowhere else; the caller commits or rolls back.
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError>;

    /// How many events it takes together at most. More than one for a handler that does not mind that a fault of one event
    /// has the others done again, and that an event waits some milliseconds for others to come.
    fn batch(&self) -> usize {
        1
    }

    /// Applies `events`, each of another id, inside `tx` and nowhere else: all of them or, by failing, none.
    async fn apply_all(&self, tx: &mut PgConnection, events: &[&CloudEvent]) -> Result<(), HandlerError> {
        for event in events {
            self.apply(tx, event).await?;
        }
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
pub enum HandlerError {
    /// It may work later.
    #[error(transparent)]
    Retry(#[from] anyhow::Error),
    /// It never will: straight to the dead letters, with this reason.
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
        while !shutdown.is_cancelled() {
            if let Err(error) = self.consume(&shutdown).await {
                tracing::debug!(%error, consumer = self.spec.name, "consuming is interrupted; trying again");
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = tokio::time::sleep(RECONNECT_PAUSE) => {}
            }
        }
    }

    /// Between two batches it stops at once; what was begun is finished.
    async fn consume(&self, shutdown: &CancellationToken) -> Result<(), async_nats::Error> {
        let consumer = self.durable().await?;
        let fetch = FETCH.max(self.applier.batch());
        let mut messages = consumer.stream().max_messages_per_batch(fetch).messages().await?;
        let mut ticks = ticks(LOOK_FOR_RETRIES);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return Self::put_back(messages).await,
                _ = ticks.tick() => self.applier.retry_dead_letters().await,
                message = messages.next() => match message {
                    Some(message) => {
                        let mut batch = vec![message?];
                        let gathered = self.gather(&mut batch, &mut messages).await;
                        delivery::handle(&self.applier, batch, shutdown).await;
                        gathered?;
                    }
                    None => return Ok(()),
                },
            }
        }
    }

    /// Adds to `batch` what is here already, and what comes in a moment.
    async fn gather(
        &self,
        batch: &mut Vec<Message>,
        messages: &mut pull::Stream,
    ) -> Result<(), async_nats::Error> {
        self.drain(batch, messages)?;
        if batch.len() < self.applier.batch() {
            tokio::time::sleep(GATHER).await;
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

    async fn put_back(mut messages: pull::Stream) -> Result<(), async_nats::Error> {
        while let Some(Some(message)) = messages.next().now_or_never() {
            delivery::nak(&[message?]).await;
        }
        Ok(())
    }

    async fn durable(&self) -> Result<PullConsumer, async_nats::Error> {
        let in_flight = MAX_IN_FLIGHT.max(BATCHES_IN_FLIGHT * self.applier.batch());
        let config = pull::Config {
            durable_name: Some(self.spec.name.to_owned()),
            deliver_policy: DeliverPolicy::All,
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            // Giving up is ours: the server would only fall silent about the event.
            max_deliver: -1,
            max_ack_pending: i64::try_from(in_flight).unwrap_or(i64::MAX),
            filter_subjects: self
                .spec
                .subjects
                .iter()
                .map(|subject| (*subject).to_owned())
                .collect(),
            ..Default::default()
        };
        Ok(self
            .bus
            .jetstream()
            .create_consumer_on_stream(config, STREAM)
            .await?)
    }
}
