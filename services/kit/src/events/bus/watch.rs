//! Watches new events, for caches. Reports when events may have been missed.

use std::time::Duration;

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

/// Reads one subscription until the connection is lost or replaced; then the gap has an end again.
async fn watch_once(bus: &Bus, filter: &str, sender: &mpsc::Sender<Watch>) -> Result<(), async_nats::Error> {
    let (mut connections, mut dropped) = (bus.connections.clone(), bus.dropped.clone());
    connections.mark_unchanged();
    dropped.mark_unchanged();
    let mut messages = bus.client.subscribe(filter.to_owned()).await?;
    // The server answers in order: with this response it has the subscription, and no event is missed from here on.
    bus.jetstream.get_stream(STREAM).await?;
    sender.send(Watch::Gap).await?;
    loop {
        let message = tokio::select! {
            _ = connections.changed() => return Ok(()),
            _ = dropped.changed() => {
                sender.send(Watch::Gap).await?;
                continue;
            }
            message = messages.next() => message,
        };
        let Some(message) = message else {
            return Ok(());
        };
        if let Some(event) = readable(filter, &message) {
            sender.send(Watch::Event(event)).await?;
        }
    }
}

/// `None` for a message that is no event of the subject's owner.
fn readable(filter: &str, message: &async_nats::Message) -> Option<CloudEvent> {
    let event = match CloudEvent::from_json(&message.payload) {
        Ok(event) => event,
        Err(error) => {
            tracing::warn!(%error, filter, "message is not a CloudEvent; skipped");
            return None;
        }
    };
    if let Err(error) = event.check_origin(&message.subject) {
        tracing::warn!(%error, filter, "event of a foreign source; skipped");
        return None;
    }
    Some(event)
}
