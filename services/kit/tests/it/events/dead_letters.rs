//! Dead list are stored, listed and retried on request.

use std::sync::atomic::Ordering;

use kit::database::Pool;
use kit::dead_letters::{self, DeadLetter};
use kit::testing::TestHost;

use crate::events::consumer::{Recorder, consumer_service};
use crate::support::*;

async fn list(pool: &Pool) -> Vec<DeadLetter> {
    dead_letters::list(&mut pool.acquire().await.unwrap(), 100)
        .await
        .unwrap()
}

async fn first(pool: &Pool) -> DeadLetter {
    eventually("a dead letter exists", async || !list(pool).await.is_empty()).await;
    list(pool).await.remove(0)
}

#[tokio::test]
async fn rejected_event_becomes_a_dead_letter_at_once() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let recorder = Recorder::default();
    context.run(consumer_service(&pool, &recorder)).await;

    publish_without_dedupe(&context, &event(&context, "e1", "reject")).await;

    let dead_letter = first(&pool).await;
    assert_eq!(
        (dead_letter.event_id.as_str(), dead_letter.reason.as_str()),
        ("e1", "no such campaign")
    );
    assert_eq!(
        (dead_letter.consumer.as_str(), dead_letter.subject.as_str()),
        ("shop-recorder", SUBJECT)
    );
    assert_eq!(
        (dead_letter.attempts, dead_letter.failed_at),
        (1, context.clock().now())
    );
    assert_eq!(recorder.attempts("e1"), 1);
    assert_eq!(effects(&pool).await, 0);
}

#[tokio::test]
async fn failing_event_becomes_a_dead_letter_after_its_last_attempt() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let recorder = Recorder::default();
    context.run(consumer_service(&pool, &recorder)).await;

    publish_without_dedupe(&context, &event(&context, "e1", "never")).await;

    let dead_letter = first(&pool).await;
    assert_eq!(
        (dead_letter.attempts, dead_letter.reason.as_str()),
        (3, "still not")
    );
    assert_eq!(recorder.attempts("e1"), 3);
}

#[tokio::test]
async fn panic_of_a_handler_fails_its_event_only() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(consumer_service(&pool, &Recorder::default())).await;

    publish_without_dedupe(&context, &event(&context, "e1", "panic")).await;
    publish_without_dedupe(&context, &event(&context, "e2", "x")).await;

    eventually("the other is applied", async || effects(&pool).await == 1).await;
    assert_eq!(first(&pool).await.event_id, "e1");
}

#[tokio::test]
async fn malformed_message_is_stored_as_received() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(consumer_service(&pool, &Recorder::default())).await;

    publish_raw(&context, b"{\"hello\":\0}".to_vec()).await;

    let dead_letter = first(&pool).await;
    assert_eq!(dead_letter.event_id, "seq-1");
    assert_eq!(dead_letter.payload, "{\"hello\":\u{fffd}}");
}

#[tokio::test]
async fn retry_applies_the_event_after_a_fix() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let recorder = Recorder::default();
    context.run(consumer_service(&pool, &recorder)).await;
    publish_without_dedupe(&context, &event(&context, "e1", "reject")).await;
    first(&pool).await;
    let mut connection = pool.acquire().await.unwrap();

    assert!(
        dead_letters::retry(&mut connection, "shop-recorder", "e1")
            .await
            .unwrap()
    );
    eventually("the retry has failed", async || {
        list(&pool)
            .await
            .iter()
            .any(|dead_letter| dead_letter.attempts == 2 && !dead_letter.retry_requested)
    })
    .await;
    assert_eq!(effects(&pool).await, 0);

    recorder.mended.store(1, Ordering::SeqCst);
    assert!(
        dead_letters::retry(&mut connection, "shop-recorder", "e1")
            .await
            .unwrap()
    );
    eventually("it is applied", async || effects(&pool).await == 1).await;
    assert!(list(&pool).await.is_empty());
    assert!(
        !dead_letters::retry(&mut connection, "shop-recorder", "e1")
            .await
            .unwrap()
    );
}

#[tokio::test]
async fn replay_does_not_apply_a_dead_letter() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let recorder = Recorder::default();
    context.run(consumer_service(&pool, &recorder)).await;
    let rejected = event(&context, "e1", "reject");
    publish_without_dedupe(&context, &rejected).await;
    first(&pool).await;

    publish_without_dedupe(&context, &rejected).await;
    publish_without_dedupe(&context, &event(&context, "e2", "x")).await;

    eventually("the later one is applied", async || effects(&pool).await == 1).await;
    assert_eq!(recorder.attempts("e1"), 1);
}
