//! NATS `JetStream`: one stream for all events, acknowledged publishing, watches for caches.
//!
//! Connecting never blocks startup: the client connects and creates the stream in the background, and a service stays
//! ready without them, because unpublished events stay in the outbox.

pub mod address;
mod delete;
mod event;
mod report;
mod stream;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream;
use async_nats::jetstream::context::{PublishAckFuture, PublishError, PublishErrorKind};
use async_nats::{ConnectError, ConnectOptions, Event};
use futures::Stream;
use futures::future::join_all;
use tokio_util::sync::CancellationToken;

use crate::backoff::Backoff;
pub use address::Files;
pub use delete::READERS as DELETE_READERS;
pub use event::{CONTENT_TYPE, CloudEvent, ForeignEvent, Unreadable};
pub use stream::{KEEP_FOR, STREAM};
pub use watch::Watch;

/// Timeout of an acknowledgement; after it the outcome is unknown.
const ACK_TIMEOUT: Duration = Duration::from_secs(3);
/// A user may subscribe to the inboxes of its own name only: `_INBOX_checkout.>`.
pub const INBOX_PREFIX: &str = "_INBOX_";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const RECONNECT_DELAY: Backoff = Backoff::new(Duration::from_millis(50), Duration::from_secs(1));

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BusError {
    #[error("there is no connection to the event stream")]
    Unavailable,
    /// The event may be on the stream: publish it again under the same id.
    #[error("the event stream gave no answer")]
    NoAnswer,
    #[error("the event stream refused the event: {0}")]
    Refused(String),
}

/// A handle on the stream. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Bus {
    client: async_nats::Client,
    jetstream: jetstream::Context,
    /// Number of connections made, so that watchers notice reconnects.
    connections: tokio::sync::watch::Receiver<u64>,
    /// Number of messages dropped because they came faster than they were read.
    dropped: tokio::sync::watch::Receiver<u64>,
    shutdown: CancellationToken,
}

impl Bus {
    /// Returns at once; connects in the background and reconnects until `shutdown`.
    pub async fn connect(url: &str, name: &str, shutdown: CancellationToken) -> Result<Self, ConnectError> {
        Self::connect_with_files(url, &Files::default(), name, shutdown).await
    }

    /// As [`Bus::connect`], with credentials and certificates in files.
    pub async fn connect_with_files(
        url: &str,
        files: &Files,
        name: &str,
        shutdown: CancellationToken,
    ) -> Result<Self, ConnectError> {
        let (connected, connections) = tokio::sync::watch::channel(0_u64);
        let (lost, dropped) = tokio::sync::watch::channel(0_u64);
        let address = address::parse(url, ConnectOptions::new())?;
        let user: Arc<str> = address.user.unwrap_or_else(|| name.to_owned()).into();
        let client = files
            .add_to(address.options)
            .await?
            .name(name)
            // Responses are readable for this user alone: the server permits each user its own prefix.
            .custom_inbox_prefix(format!("{INBOX_PREFIX}{name}"))
            .connection_timeout(CONNECT_TIMEOUT)
            .retry_on_initial_connect()
            .reconnect_delay_callback(reconnect_delay)
            .event_callback(move |event| {
                match event {
                    Event::Connected => connected.send_modify(|count| *count += 1),
                    Event::SlowConsumer(_) => lost.send_modify(|count| *count += 1),
                    _ => {}
                }
                let user = user.clone();
                async move { report::event(&event, &user) }
            })
            .connect(address.servers)
            .await?;
        let jetstream = jetstream::ContextBuilder::new()
            .timeout(ACK_TIMEOUT)
            .build(client.clone());
        let bus = Self {
            client,
            jetstream,
            connections,
            dropped,
            shutdown,
        };
        tokio::spawn(stream::keep(bus.clone()));
        Ok(bus)
    }

    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Publishes one event and waits for its acknowledgement.
    pub async fn publish(&self, event: &CloudEvent) -> Result<(), BusError> {
        match self.publish_all(&[event]).await.pop() {
            Some(outcome) => outcome,
            None => Err(BusError::NoAnswer),
        }
    }

    /// Publishes all events, then waits for all acknowledgements. One result per event.
    pub async fn publish_all(&self, events: &[&CloudEvent]) -> Vec<Result<(), BusError>> {
        if !self.is_connected() {
            return vec![Err(BusError::Unavailable); events.len()];
        }
        let mut sent = Vec::with_capacity(events.len());
        for event in events {
            // One after the other: the order on the connection is the order on the stream.
            let outcome = self.send(event).await;
            let stuck = matches!(outcome, Err(BusError::NoAnswer));
            sent.push(outcome);
            if stuck {
                break;
            }
        }
        let mut outcomes = join_all(sent.into_iter().map(acknowledged)).await;
        outcomes.resize(events.len(), Err(BusError::Unavailable));
        outcomes
    }

    /// Events that match `filter` from now on, by a plain subscription: for caches. Starts with
    /// [`Watch::Gap`]. Another gap follows every interruption, because events may have been missed.
    #[expect(
        clippy::unused_async,
        reason = "a later version may wait until the subscription exists"
    )]
    pub async fn watch(&self, filter: &str) -> impl Stream<Item = Watch> + Send + Unpin + 'static {
        watch::start(self.clone(), filter.to_owned())
    }

    pub fn client(&self) -> &async_nats::Client {
        &self.client
    }

    pub(crate) fn jetstream(&self) -> &jetstream::Context {
        &self.jetstream
    }

    /// Waits for the first connection.
    pub(crate) async fn connected_within(&self, at_most: Duration) -> bool {
        let mut connections = self.connections.clone();
        let connected = connections.wait_for(|count| *count > 0);
        tokio::time::timeout(at_most, connected)
            .await
            .is_ok_and(|outcome| outcome.is_ok())
    }

    async fn send(&self, event: &CloudEvent) -> Result<PublishAckFuture, BusError> {
        let message = event
            .to_message()
            .map_err(|error| BusError::Refused(error.to_string()))?;
        self.jetstream
            .send_publish(event.r#type.clone(), message)
            .await
            .map_err(|error| classify(&error))
    }
}

async fn acknowledged(sent: Result<PublishAckFuture, BusError>) -> Result<(), BusError> {
    match sent?.await {
        Ok(_) => Ok(()),
        Err(error) => Err(classify(&error)),
    }
}

fn classify(error: &PublishError) -> BusError {
    if is_server_unavailable(error) {
        return BusError::NoAnswer;
    }
    match error.kind() {
        // Transient: the stream is being created, or its disk is full.
        PublishErrorKind::TimedOut
        | PublishErrorKind::BrokenPipe
        | PublishErrorKind::StreamNotFound
        | PublishErrorKind::MaxAckPending => BusError::NoAnswer,
        PublishErrorKind::MaxPayloadExceeded
        | PublishErrorKind::WrongLastMessageId
        | PublishErrorKind::WrongLastSequence
        | PublishErrorKind::Other => BusError::Refused(error.to_string()),
    }
}

/// 503 is a state of the server (no storage left, no leader), not an error of the event.
fn is_server_unavailable(error: &PublishError) -> bool {
    std::error::Error::source(error)
        .and_then(|source| source.downcast_ref::<jetstream::Error>())
        .is_some_and(|error| error.code() == 503)
}

fn reconnect_delay(attempt: usize) -> Duration {
    RECONNECT_DELAY.after(u32::try_from(attempt).unwrap_or(u32::MAX).saturating_add(1))
}
