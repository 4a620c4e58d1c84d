//! An event whose source does not own its subject, or whose type is another subject, is not applied.

use kit::bus::CloudEvent;
use kit::database::Pool;
use kit::dead_letters::{self, DeadLetter};
use kit::testing::TestHost;

use super::{Recorder, consumer_service};
use crate::support::*;

const CONSUMER: &str = "shop-recorder";

async fn letters(pool: &Pool) -> Vec<DeadLetter> {
    dead_letters::list(&mut pool.acquire().await.unwrap(), 100)
        .await
        .unwrap()
}

/// The same id, from another source and of another type.
fn forged(genuine: &CloudEvent) -> [CloudEvent; 2] {
    let foreign = CloudEvent {
        source: "/stillpoint/auth".to_owned(),
        ..genuine.clone()
    };
    let other_type = CloudEvent {
        r#type: "stillpoint.shop.campaign.ended".to_owned(),
        ..genuine.clone()
    };
    [foreign, other_type]
}

#[tokio::test]
async fn forged_events_become_dead_letters_and_do_not_replace_the_genuine_one() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let recorder = Recorder::default();
    let genuine = event(&context, "e1", "x");
    for forged in forged(&genuine) {
        publish_without_dedupe(&context, &forged).await;
    }
    publish_without_dedupe(&context, &genuine).await;
    context.run(consumer_service(&pool, &recorder)).await;

    context.consumed(&[CONSUMER]).await;
    assert_eq!(effects(&pool).await, 1);
    assert_eq!(recorder.attempts("e1"), 1);
    let letters = letters(&pool).await;
    let ids: Vec<_> = letters.iter().map(|letter| letter.event_id.as_str()).collect();
    // Not under the id of the genuine event.
    assert_eq!(ids, ["seq-1", "seq-2"]);
    for letter in &letters {
        assert!(letter.reason.starts_with("foreign source"), "{}", letter.reason);
    }
}

#[tokio::test]
async fn retry_of_a_forged_event_is_rejected_again() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let [forged, _] = forged(&event(&context, "e1", "x"));
    publish_without_dedupe(&context, &forged).await;
    context.run(consumer_service(&pool, &Recorder::default())).await;
    context.consumed(&[CONSUMER]).await;

    let mut connection = pool.acquire().await.unwrap();
    assert!(
        dead_letters::retry(&mut connection, CONSUMER, "seq-1")
            .await
            .unwrap()
    );
    eventually("the retry is rejected", async || {
        letters(&pool).await.iter().any(|letter| letter.attempts == 2)
    })
    .await;
    assert_eq!(effects(&pool).await, 0);
}
