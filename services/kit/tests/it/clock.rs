//! One virtual clock spans all processes.

use chrono::TimeDelta;
use kit::clock::OFFSET_KEY;
use kit::testing::TestHost;

use crate::support::*;

async fn put_offset(context: &TestHost, millis: i64) {
    let jetstream = async_nats::jetstream::new(context.context().bus.client().clone());
    eventually("the bucket exists", async || {
        jetstream.get_key_value("clock").await.is_ok()
    })
    .await;
    let store = jetstream.get_key_value("clock").await.unwrap();
    store.put(OFFSET_KEY, millis.to_string().into()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_follows_the_bucket_also_after_a_nats_outage() {
    let context = TestHost::start().await.with_env([("CLOCK_BUCKET", "clock")]);
    let before = context.clock().now();

    put_offset(&context, 604_800_000).await;
    eventually("seven days have passed", async || {
        context.clock().offset() == TimeDelta::days(7)
    })
    .await;
    assert_eq!(context.clock().now(), before + TimeDelta::days(7));

    context.stop_nats();
    context.start_nats();
    let bus = context.context().bus.clone();
    eventually("it is connected again", async || bus.is_connected()).await;
    put_offset(&context, 1000).await;
    eventually("the clock was set back", async || {
        context.clock().offset() == TimeDelta::seconds(1)
    })
    .await;
}
