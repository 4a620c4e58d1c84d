//! A subscriber with a NATS client and JSON only: `cargo run -p analytics --example read_events 'stillpoint.auth.>'` prints
//! stored events, then new ones, until Ctrl-C. A subscriber that continues after a restart needs a durable consumer.
#![expect(clippy::print_stdout, reason = "the example prints")]
#![expect(clippy::disallowed_methods, reason = "the example does not use kit")]

use async_nats::jetstream::{self, consumer::pull::OrderedConfig};
use futures::TryStreamExt as _;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("NATS_URL").unwrap_or_else(|_| "nats://127.0.0.1:42220".to_owned());
    let config = OrderedConfig {
        filter_subject: std::env::args()
            .nth(1)
            .unwrap_or_else(|| "stillpoint.>".to_owned()),
        ..OrderedConfig::default()
    };
    let stream = jetstream::new(async_nats::connect(url).await?)
        .get_stream("STILLPOINT")
        .await?;
    let mut events = stream.create_consumer(config).await?.messages().await?;
    while let Some(message) = events.try_next().await? {
        let event: serde_json::Value = serde_json::from_slice(&message.payload)?;
        println!("{} {} {}", event["time"], event["type"], event["data"]);
    }
    Ok(())
}
