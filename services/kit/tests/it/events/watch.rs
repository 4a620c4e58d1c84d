//! A watch yields new events and reports gaps.

use std::time::Duration;

use futures::{Stream, StreamExt};
use kit::bus::{CloudEvent, Watch};
use kit::testing::TestHost;

use crate::support::*;

async fn next(watch: &mut (impl Stream<Item = Watch> + Unpin)) -> Watch {
    tokio::time::timeout(Duration::from_mins(1), watch.next())
        .await
        .expect("in time")
        .expect("a living watch")
}

#[tokio::test(flavor = "multi_thread")]
async fn watch_starts_with_a_gap_and_has_one_after_every_interruption() {
    let context = TestHost::start().await;
    let bus = context.context().bus.clone();
    publish_without_dedupe(&context, &event(&context, "before", "x")).await;

    let mut watch = bus.watch("stillpoint.shop.>").await;
    assert_eq!(next(&mut watch).await, Watch::Gap);
    let first = event(&context, "e1", "x");
    bus.publish(&first).await.unwrap();
    assert_eq!(next(&mut watch).await, Watch::Event(first));

    context.stop_nats();
    context.start_nats();
    assert_eq!(next(&mut watch).await, Watch::Gap);
    let second = event(&context, "e2", "x");
    bus.publish(&second).await.unwrap();
    assert_eq!(next(&mut watch).await, Watch::Event(second));
}

#[tokio::test]
async fn watch_skips_events_of_a_foreign_source() {
    let context = TestHost::start().await;
    let bus = context.context().bus.clone();
    let mut watch = bus.watch("stillpoint.shop.>").await;
    assert_eq!(next(&mut watch).await, Watch::Gap);
    let genuine = event(&context, "e1", "x");
    let foreign = CloudEvent {
        source: "/stillpoint/auth".to_owned(),
        ..genuine.clone()
    };
    publish_without_dedupe(&context, &foreign).await;
    publish_without_dedupe(&context, &genuine).await;
    assert_eq!(next(&mut watch).await, Watch::Event(genuine));
}

#[tokio::test]
async fn publish_without_a_connection_fails_at_once() {
    let context = TestHost::start().await;
    let bus = context.context().bus.clone();
    context.stop_nats();
    eventually("the loss is noticed", async || !bus.is_connected()).await;
    let asked = tokio::time::Instant::now();
    assert_eq!(
        bus.publish(&event(&context, "e1", "x")).await,
        Err(kit::bus::BusError::Unavailable)
    );
    assert!(asked.elapsed() < Duration::from_secs(1));
}
