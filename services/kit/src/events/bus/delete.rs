//! Deletes messages from the stream, for erasure.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use futures::StreamExt;

use super::{Bus, CloudEvent, STREAM};

/// The server removes the consumer of a dead reader after this time.
const INACTIVE: Duration = Duration::from_mins(1);
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
        let config = pull::Config {
            ack_policy: AckPolicy::None,
            memory_storage: true,
            inactive_threshold: INACTIVE,
            ..Default::default()
        };
        let consumer = self.jetstream().create_consumer_on_stream(config, STREAM).await?;
        if consumer.cached_info().num_pending == 0 {
            return Ok(0);
        }
        let mut messages = consumer.messages().await?;
        let mut forgotten = 0;
        // A concurrent pass may have deleted pending messages: restart.
        while let Some(message) = tokio::time::timeout(SILENCE, messages.next()).await? {
            let message = message?;
            let info = message.info()?;
            let (sequence, is_last) = (info.stream_sequence, info.pending == 0);
            if CloudEvent::from_json(&message.payload).is_ok_and(|event| fits(&event)) {
                stream.delete_message(sequence).await?;
                forgotten += 1;
            }
            if is_last || sequence >= last {
                break;
            }
        }
        Ok(forgotten)
    }
}
