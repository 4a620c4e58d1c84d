//! What cannot be applied is kept, listed, and applied later when somebody says so.

use std::sync::atomic::Ordering;

use kit::database::Pool;
use kit::dead_letters::{self, DeadLetter};
use kit::testing::TestHost;

use crate::consumer::{Recorder, consumer_part};
use crate::support::*;

async fn letters(pool: &Pool) -> Vec<DeadLetter> {
    dead_letters::list(&mut pool.acquire().await.unwrap(), 100)
        .await
        .unwrap()
}

async fn first_letter(pool: &Pool) -> DeadLetter {
    eventually("there is a dead dead_letter", async || {
        !letters(pool).await.is_empty()
    })
    .await;
    letters(pool).await.remove(0)
}

#[tokio::test]
async fn a_rejected_event_is_a_dead_letter_at_once() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let recorder = Recorder::default();
    context.run(consumer_part(&pool, &recorder)).await;

    publish_without_dedupe(&context, &event(&context, "e1", "reject")).await;

    let dead_letter = first_letter(&pool).await;
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
async fn an_event_that_keeps_failing_is_given_up_after_its_last_attempt() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let recorder = Recorder::default();
    context.run(consumer_part(&pool, &recorder)).await;

    publish_without_dedupe(&context, &event(&context, "e1", "never")).await;

    let dead_letter = first_letter(&pool).await;
    assert_eq!(
        (dead_letter.attempts, dead_letter.reason.as_str()),
        (3, "still not")
    );
    assert_eq!(recorder.attempts("e1"), 3);
}

#[tokio::test]
async fn a_handler_that_panics_costs_the_event_and_not_the_consumer() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(consumer_part(&pool, &Recorder::default())).await;

    publish_without_dedupe(&context, &event(&context, "e1", "panic")).await;
    publish_without_dedupe(&context, &event(&context, "e2", "x")).await;

    eventually("the other is applied", async || effects(&pool).await == 1).await;
    assert_eq!(first_letter(&pool).await.event_id, "e1");
}

#[tokio::test]
async fn what_is_no_event_is_kept_as_it_came() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(consumer_part(&pool, &Recorder::default())).await;

    publish_raw(&context, b"{\"hello\":\0}".to_vec()).await;

    let dead_letter = first_letter(&pool).await;
    assert_eq!(dead_letter.event_id, "seq-1");
    assert_eq!(dead_letter.payload, "{\"hello\":\u{fffd}}");
}

#[tokio::test]
async fn a_retry_applies_the_event_once_the_cause_is_mended() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let recorder = Recorder::default();
    context.run(consumer_part(&pool, &recorder)).await;
    publish_without_dedupe(&context, &event(&context, "e1", "reject")).await;
    first_letter(&pool).await;
    let mut connection = pool.acquire().await.unwrap();

    assert!(
        dead_letters::retry(&mut connection, "shop-recorder", "e1")
            .await
            .unwrap()
    );
    eventually("the retry has failed", async || {
        letters(&pool)
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
    assert!(letters(&pool).await.is_empty());
    assert!(
        !dead_letters::retry(&mut connection, "shop-recorder", "e1")
            .await
            .unwrap()
    );
}

#[tokio::test]
async fn a_dead_letter_does_not_come_back_by_a_replay_of_the_stream() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let recorder = Recorder::default();
    context.run(consumer_part(&pool, &recorder)).await;
    let rejected = event(&context, "e1", "reject");
    publish_without_dedupe(&context, &rejected).await;
    first_letter(&pool).await;

    publish_without_dedupe(&context, &rejected).await;
    publish_without_dedupe(&context, &event(&context, "e2", "x")).await;

    eventually("the later one is applied", async || effects(&pool).await == 1).await;
    assert_eq!(recorder.attempts("e1"), 1);
}
