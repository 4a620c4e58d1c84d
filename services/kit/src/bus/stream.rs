//! The one stream all events are on.

use std::time::Duration;

use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};

use super::Bus;

pub const STREAM: &str = "STILLPOINT";

/// How long an event stays readable.
pub const KEEP_FOR: Duration = Duration::from_hours(30 * 24);

/// What the server compares `Nats-Msg-Id` over. Only a help: the consumers' inboxes are the guarantee.
const DUPLICATE_WINDOW: Duration = Duration::from_mins(2);
const MAX_MESSAGE_BYTES: i32 = 1024 * 1024;
const RETRY: Duration = Duration::from_millis(500);
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// Makes the stream if it is not there, now and whenever the server was exchanged. An existing stream is left as it is:
/// its replicas and limits are the operator's.
pub(super) async fn keep(bus: Bus) {
    let mut connections = bus.connections.clone();
    let mut complained = false;
    loop {
        let pause = match bus.jetstream.get_or_create_stream(config()).await {
            Ok(_) => {
                check_version(&bus);
                complained = false;
                LOOK_AGAIN
            }
            Err(error) => {
                if bus.is_connected() && !complained {
                    tracing::warn!(%error, stream = STREAM, "the stream is not there yet; trying on");
                    complained = true;
                }
                RETRY
            }
        };
        tokio::select! {
            () = bus.shutdown.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
            changed = connections.changed() => if changed.is_err() { return },
        }
    }
}

fn config() -> Config {
    Config {
        name: STREAM.to_owned(),
        description: Some("Every Stillpoint event, as CloudEvents JSON".to_owned()),
        subjects: vec!["stillpoint.>".to_owned()],
        retention: RetentionPolicy::Limits,
        storage: StorageType::File,
        discard: DiscardPolicy::Old,
        max_age: KEEP_FOR,
        max_message_size: MAX_MESSAGE_BYTES,
        duplicate_window: DUPLICATE_WINDOW,
        allow_direct: true,
        num_replicas: 1,
        ..Default::default()
    }
}

/// An old server takes settings it does not know and silently does without them.
fn check_version(bus: &Bus) {
    let version = bus.client.server_info().version;
    if bus.client.is_server_compatible(2, 12, 0) {
        tracing::debug!(version, stream = STREAM, "the stream is there");
    } else {
        tracing::error!(version, "this NATS server is too old: 2.12 or newer is needed");
    }
}
