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
    eventually("there is a dead letter", async || !letters(pool).await.is_empty()).await;
    letters(pool).await.remove(0)
}

#[tokio::test]
async fn a_rejected_event_is_a_dead_letter_at_once() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    let recorder = Recorder::default();
    host.run(consumer_part(&pool, &recorder)).await;

    publish_without_dedupe(&host, &event(&host, "e1", "reject")).await;

    let letter = first_letter(&pool).await;
    assert_eq!(
        (letter.event_id.as_str(), letter.reason.as_str()),
        ("e1", "no such campaign")
    );
    assert_eq!(
        (letter.consumer.as_str(), letter.subject.as_str()),
        ("shop-recorder", SUBJECT)
    );
    assert_eq!((letter.attempts, letter.failed_at), (1, host.clock().now()));
    assert_eq!(recorder.attempts("e1"), 1);
    assert_eq!(effects(&pool).await, 0);
}

#[tokio::test]
async fn an_event_that_keeps_failing_is_given_up_after_its_last_attempt() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    let recorder = Recorder::default();
    host.run(consumer_part(&pool, &recorder)).await;

    publish_without_dedupe(&host, &event(&host, "e1", "never")).await;

    let letter = first_letter(&pool).await;
    assert_eq!((letter.attempts, letter.reason.as_str()), (3, "still not"));
    assert_eq!(recorder.attempts("e1"), 3);
}

#[tokio::test]
async fn a_handler_that_panics_costs_the_event_and_not_the_consumer() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    host.run(consumer_part(&pool, &Recorder::default())).await;

    publish_without_dedupe(&host, &event(&host, "e1", "panic")).await;
    publish_without_dedupe(&host, &event(&host, "e2", "x")).await;

    eventually("the other is applied", async || effects(&pool).await == 1).await;
    assert_eq!(first_letter(&pool).await.event_id, "e1");
}

#[tokio::test]
async fn what_is_no_event_is_kept_as_it_came() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    host.run(consumer_part(&pool, &Recorder::default())).await;

    publish_raw(&host, b"{\"hello\":\0}".to_vec()).await;

    let letter = first_letter(&pool).await;
    assert_eq!(letter.event_id, "seq-1");
    assert_eq!(letter.payload, "{\"hello\":\u{fffd}}");
}

#[tokio::test]
async fn a_retry_applies_the_event_once_the_cause_is_mended() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    let recorder = Recorder::default();
    host.run(consumer_part(&pool, &recorder)).await;
    publish_without_dedupe(&host, &event(&host, "e1", "reject")).await;
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
            .any(|letter| letter.attempts == 2 && !letter.retry_requested)
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
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    let recorder = Recorder::default();
    host.run(consumer_part(&pool, &recorder)).await;
    let rejected = event(&host, "e1", "reject");
    publish_without_dedupe(&host, &rejected).await;
    first_letter(&pool).await;

    publish_without_dedupe(&host, &rejected).await;
    publish_without_dedupe(&host, &event(&host, "e2", "x")).await;

    eventually("the later one is applied", async || effects(&pool).await == 1).await;
    assert_eq!(recorder.attempts("e1"), 1);
}
