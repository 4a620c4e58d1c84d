use chrono::TimeDelta;
use kit::{clock::Clock, testing::TestHost};
use sandbox::{Bucket, Options};

use crate::support::{Fixture, start_time};

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
    let fixture = Fixture::with(Options {
        clock: Clock::manual(start_time()),
        bucket,
        ..Options::default()
    })
    .await;
    assert_eq!(offset_in_bucket(&host).await, "0");
    fixture.days(7).await;
    assert_eq!(
        offset_in_bucket(&host).await,
        TimeDelta::days(7).num_milliseconds().to_string()
    );

    host.stop_nats();
    assert!(
        fixture.sandbox.advance(TimeDelta::days(1)).await.is_err(),
        "the new time was not published"
    );
    assert_eq!(fixture.sandbox.now(), start_time() + TimeDelta::days(7));
}
