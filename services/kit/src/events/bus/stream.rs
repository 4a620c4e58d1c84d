//! The stream of all events.

use std::time::Duration;

use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};

use super::Bus;

pub const STREAM: &str = "STILLPOINT";

/// Retention of events.
pub const KEEP_FOR: Duration = Duration::from_hours(30 * 24);

/// The server's deduplication window. An optimisation: inboxes guarantee exactly-once effects.
const DUPLICATE_WINDOW: Duration = Duration::from_mins(2);
const MAX_MESSAGE_BYTES: i32 = 1024 * 1024;
const RETRY: Duration = Duration::from_millis(500);
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// Creates the stream unless it exists, at startup and after each reconnect. An existing stream is not changed:
/// operators choose its replicas and limits.
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
                    tracing::warn!(%error, stream = STREAM, "stream not found; retrying");
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

/// Old servers silently ignore unknown settings.
fn check_version(bus: &Bus) {
    let version = bus.client.server_info().version;
    if bus.client.is_server_compatible(2, 12, 0) {
        tracing::debug!(version, stream = STREAM, "stream found");
    } else {
        tracing::error!(version, "this NATS server is too old: 2.12 or newer is needed");
    }
}
