use sandbox::Action;
use serde_json::json;

use crate::world::{Heard, World, after, question};

const LEASE: (&str, &str) = ("SESSIONS_AI_TEXT_LEASE_MS", "400");

/// A world whose process died in the middle of a text, and what was heard of it before.
async fn killed_while_writing() -> (World, Heard) {
    let world = World::start_with(&[LEASE]).await;
    world.sabotage(Action::DelayAfterCommit { ms: 60_000 });
    let mut source = world.open(question("k")).await.unwrap();
    let mut heard = Heard::default();
    for _ in 0..3 {
        assert!(heard.take(&mut source).await);
    }
    drop(source);
    (world.restart().await, heard)
}

#[tokio::test]
async fn who_comes_back_after_a_crash_hears_what_is_there_and_that_no_more_will_come() {
    let (world, heard) = killed_while_writing().await;
    let rest = world.hear(after(&heard.position)).await;
    assert_eq!(rest.failure.as_deref(), Some("AI_INTERRUPTED"));
    assert!(!rest.is_done && rest.cut.is_none());

    let whole = world.hear(question("k")).await;
    assert!(whole.text.starts_with(&heard.text) && whole.failure.is_some());
    assert_eq!(
        world.model.requests().len(),
        1,
        "nothing is written a second time"
    );
}

#[tokio::test]
async fn a_crash_is_told_even_when_nobody_comes_back() {
    let (world, _) = killed_while_writing().await;
    let events = world.test.events("stillpoint.sessions.ai_text.finished", 1).await;
    assert_ne!(events[0].data["ok"], json!(true));
    world
        .settles_at(
            "select count(*) from ai_reply where failure = 'AI_INTERRUPTED'",
            1,
        )
        .await;
}

#[tokio::test]
async fn a_writer_that_thinks_for_longer_than_its_lease_is_not_taken_for_dead() {
    let world = World::start_with(&[LEASE]).await;
    world.sabotage(Action::DelayAfterCommit { ms: 1500 });
    assert!(world.hear(question("k")).await.is_done);
}

#[tokio::test]
async fn a_reply_is_finished_before_the_process_stops() {
    let world = World::start().await;
    world.sabotage(Action::DelayAfterCommit { ms: 300 });
    let mut source = world.open(question("k")).await.unwrap();
    let mut heard = Heard::default();
    assert!(heard.take(&mut source).await);
    world.test.context().shutdown.cancel();
    while heard.take(&mut source).await {}
    assert!(heard.is_done, "{heard:?}");
    let late = world.open(question("late")).await;
    assert_eq!(
        late.err().map(|failure| failure.code).as_deref(),
        Some("UNAVAILABLE")
    );
}
