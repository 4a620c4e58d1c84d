//! Watches new events, for caches. Reports when events may have been missed.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use futures::{Stream, StreamExt};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::{Bus, CloudEvent, STREAM};

const BUFFER: usize = 256;
const RETRY: Duration = Duration::from_millis(500);

/// An item of a watch.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "gaps are rare; a box would cost every event an allocation"
)]
pub enum Watch {
    Event(CloudEvent),
    /// Events before this item may have been missed.
    Gap,
}

pub(super) fn start(bus: Bus, filter: String) -> impl Stream<Item = Watch> + Send + Unpin + 'static {
    let (sender, receiver) = mpsc::channel(BUFFER);
    tokio::spawn(async move {
        let shutdown = bus.shutdown.clone();
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = sender.closed() => {}
            () = watch_forever(&bus, &filter, &sender) => {}
        }
    });
    ReceiverStream::new(receiver)
}

async fn watch_forever(bus: &Bus, filter: &str, sender: &mpsc::Sender<Watch>) {
    loop {
        if let Err(error) = watch_once(bus, filter, sender).await {
            tracing::debug!(%error, filter, "watch interrupted; reconnecting");
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Reads one ephemeral consumer until the connection is lost or replaced; then only a new consumer has a reliable
/// position.
async fn watch_once(bus: &Bus, filter: &str, sender: &mpsc::Sender<Watch>) -> Result<(), async_nats::Error> {
    let mut connections = bus.connections.clone();
    connections.mark_unchanged();
    let config = pull::Config {
        deliver_policy: DeliverPolicy::New,
        ack_policy: AckPolicy::None,
        filter_subject: filter.to_owned(),
        memory_storage: true,
        inactive_threshold: Duration::from_mins(1),
        ..Default::default()
    };
    let consumer = bus.jetstream().create_consumer_on_stream(config, STREAM).await?;
    let mut messages = consumer.messages().await?;
    sender.send(Watch::Gap).await?;
    loop {
        let message = tokio::select! {
            _ = connections.changed() => return Ok(()),
            message = messages.next() => message,
        };
        let Some(message) = message else {
            return Ok(());
        };
        match CloudEvent::from_json(&message?.payload) {
            Ok(event) => sender.send(Watch::Event(event)).await?,
            Err(error) => tracing::warn!(%error, filter, "message is not a CloudEvent; skipped"),
        }
    }
}
