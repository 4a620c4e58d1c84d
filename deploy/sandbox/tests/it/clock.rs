use chrono::TimeDelta;
use kit::{clock::Clock, testing::TestHost};
use sandbox::{Bucket, Options};

use crate::support::{World, noon};

async fn offset_in_bucket(host: &TestHost) -> String {
    let client = async_nats::connect(host.nats_url()).await.unwrap();
    let store = async_nats::jetstream::new(client)
        .get_key_value("clock")
        .await
        .unwrap();
    String::from_utf8(store.get("offset_ms").await.unwrap().unwrap().to_vec()).unwrap()
}

#[tokio::test]
async fn the_services_hear_of_the_virtual_time() {
    let host = TestHost::start().await;
    let bucket = Some(Bucket {
        nats_url: host.nats_url(),
        name: "clock".into(),
    });
    let world = World::with(Options {
        clock: Clock::manual(noon()),
        bucket,
        ..Options::default()
    })
    .await;
    assert_eq!(offset_in_bucket(&host).await, "0");
    world.days(7).await;
    assert_eq!(
        offset_in_bucket(&host).await,
        TimeDelta::days(7).num_milliseconds().to_string()
    );

    host.stop_nats();
    assert!(
        world.sandbox.advance(TimeDelta::days(1)).await.is_err(),
        "nobody heard of it"
    );
    assert_eq!(world.sandbox.now(), noon() + TimeDelta::days(7));
}
