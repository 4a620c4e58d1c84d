//! A subscriber with a NATS client and JSON only: `cargo run -p analytics --example read_events 'stillpoint.auth.>'` prints
//! stored events, then new ones, until Ctrl-C. A subscriber that continues after a restart needs a durable consumer.
#![expect(clippy::print_stdout, reason = "the example prints")]
#![expect(clippy::disallowed_methods, reason = "the example does not use kit")]

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::{ConnectOptions, ServerAddr, jetstream};
use futures::TryStreamExt as _;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("NATS_URL").unwrap_or_else(|_| "nats://127.0.0.1:42220".to_owned());
    let server: ServerAddr = url.parse()?;
    let user = server.username().unwrap_or("reader").to_owned();
    let options = match server.password() {
        // A user may read its own inboxes only.
        Some(password) => ConnectOptions::with_user_and_password(user.clone(), password.to_owned())
            .custom_inbox_prefix(format!("_INBOX_{user}")),
        None => ConnectOptions::new(),
    };
    let stream = jetstream::new(options.connect(server).await?)
        .get_stream("STILLPOINT")
        .await?;
    let config = pull::Config {
        // A reader may create consumers of its own name only.
        name: Some(user),
        filter_subject: std::env::args()
            .nth(1)
            .unwrap_or_else(|| "stillpoint.>".to_owned()),
        ack_policy: AckPolicy::None,
        memory_storage: true,
        inactive_threshold: Duration::from_mins(1),
        ..Default::default()
    };
    let mut events = stream.create_consumer(config).await?.messages().await?;
    while let Some(message) = events.try_next().await? {
        let event: serde_json::Value = serde_json::from_slice(&message.payload)?;
        println!("{} {} {}", event["time"], event["type"], event["data"]);
    }
    Ok(())
}
