//! Deletes messages from the stream, for erasure.

use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::stream::{ConsumerCreateStrictErrorKind, LastRawMessageErrorKind, Stream};
use futures::StreamExt;

use super::{Bus, CloudEvent, STREAM};

/// The names of the consumers that read the stream, so that the permission is exact. Each pass needs one of them for itself.
pub const READERS: [&str; 8] = [
    "erasure-reader-1",
    "erasure-reader-2",
    "erasure-reader-3",
    "erasure-reader-4",
    "erasure-reader-5",
    "erasure-reader-6",
    "erasure-reader-7",
    "erasure-reader-8",
];

/// The server removes the consumer of a dead reader after this time.
const INACTIVE: Duration = Duration::from_mins(1);
/// Without a message for this long, the reader checks whether any is left.
const CHECK_AFTER: Duration = Duration::from_millis(250);
const SILENCE: Duration = Duration::from_secs(5);

impl Bus {
    /// Deletes (securely overwrites) the current events that match. Reads the whole stream, so it is for rare use.
    /// Returns the number of deleted events.
    pub async fn delete_matching(
        &self,
        fits: impl Fn(&CloudEvent) -> bool + Send,
    ) -> Result<u64, async_nats::Error> {
        let mut stream = self.jetstream().get_stream(STREAM).await?;
        let last = stream.info().await?.state.last_sequence;
        let reader = self.free_reader().await?;
        let name = reader.cached_info().name.clone();
        let outcome = Self::delete_read(&stream, reader, last, fits).await;
        // Otherwise its name would be taken until the server removes it.
        if let Err(error) = stream.delete_consumer(&name).await {
            tracing::debug!(%error, name, "consumer not deleted; the server removes it");
        }
        outcome
    }

    /// Creates a consumer under the first free name. A consumer of another pass has another description, so that its name is
    /// taken.
    async fn free_reader(&self) -> Result<Consumer<pull::Config>, async_nats::Error> {
        let pass = format!("{:032x}", rand::random::<u128>());
        for name in READERS {
            let config = pull::Config {
                name: Some(name.to_owned()),
                description: Some(pass.clone()),
                ack_policy: AckPolicy::None,
                memory_storage: true,
                inactive_threshold: INACTIVE,
                ..Default::default()
            };
            match self
                .jetstream()
                .create_consumer_strict_on_stream(config, STREAM)
                .await
            {
                Ok(consumer) => return Ok(consumer),
                Err(taken) if taken.kind() == ConsumerCreateStrictErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err("all readers of the stream are in use; try again later".into())
    }

    /// Reads until the message `last` and deletes those that match.
    async fn delete_read(
        stream: &Stream,
        mut consumer: Consumer<pull::Config>,
        last: u64,
        fits: impl Fn(&CloudEvent) -> bool + Send,
    ) -> Result<u64, async_nats::Error> {
        if consumer.cached_info().num_pending == 0 {
            return Ok(0);
        }
        let mut messages = consumer.messages().await?;
        let (mut received, mut forgotten) = (0, 0);
        let mut last_message_at = Instant::now();
        loop {
            let message = match tokio::time::timeout(CHECK_AFTER, messages.next()).await {
                Ok(Some(message)) => message?,
                Ok(None) => break,
                Err(elapsed) => {
                    // Another pass may have deleted the messages that this one waits for.
                    let info = consumer.info().await?;
                    if info.num_pending == 0 && info.delivered.consumer_sequence <= received {
                        break;
                    }
                    if last_message_at.elapsed() >= SILENCE {
                        return Err(elapsed.into());
                    }
                    continue;
                }
            };
            received += 1;
            last_message_at = Instant::now();
            let info = message.info()?;
            let (sequence, is_last) = (info.stream_sequence, info.pending == 0);
            if CloudEvent::from_json(&message.payload).is_ok_and(|event| fits(&event)) {
                forgotten += u64::from(delete(stream, sequence).await?);
            }
            if is_last || sequence >= last {
                break;
            }
        }
        Ok(forgotten)
    }
}

/// False when another pass has deleted the message already.
async fn delete(stream: &Stream, sequence: u64) -> Result<bool, async_nats::Error> {
    let Err(error) = stream.delete_message(sequence).await else {
        return Ok(true);
    };
    match stream.get_raw_message(sequence).await {
        Err(missing) if missing.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(false),
        _ => Err(error.into()),
    }
}
