use sandbox::Action;
use serde_json::json;

use crate::test_env::{Received, TestEnv, after, question};

const LEASE: (&str, &str) = ("SESSIONS_AI_TEXT_LEASE_MS", "400");

/// Kills the service while it generates a reply; returns what a reader received before.
async fn killed_while_writing() -> (TestEnv, Received) {
    let env = TestEnv::start_with(&[LEASE]).await;
    env.inject_fault(Action::DelayAfterCommit { ms: 60_000 });
    let mut source = env.open(question("k")).await.unwrap();
    let mut received = Received::default();
    for _ in 0..3 {
        assert!(received.next(&mut source).await);
    }
    drop(source);
    (env.restart().await, received)
}

#[tokio::test]
async fn reader_after_a_crash_gets_stored_chunks_and_ai_interrupted() {
    let (env, received) = killed_while_writing().await;
    let rest = env.read_all(after(&received.position)).await;
    assert_eq!(rest.failure.as_deref(), Some("AI_INTERRUPTED"));
    assert!(!rest.is_done && rest.status.is_none());

    let whole = env.read_all(question("k")).await;
    assert!(whole.text.starts_with(&received.text) && whole.failure.is_some());
    assert_eq!(env.model.requests().len(), 1, "the model is not called again");
}

#[tokio::test]
async fn interrupted_reply_is_closed_without_a_reader() {
    let (env, _) = killed_while_writing().await;
    let events = env.test.events("stillpoint.sessions.ai_text.finished", 1).await;
    assert_ne!(events[0].data["ok"], json!(true));
    env.wait_until_count(
        "select count(*) from ai_reply where failure = 'AI_INTERRUPTED'",
        1,
    )
    .await;
}

#[tokio::test]
async fn lease_is_renewed_while_the_model_is_silent() {
    let env = TestEnv::start_with(&[LEASE]).await;
    env.inject_fault(Action::DelayAfterCommit { ms: 1500 });
    assert!(env.read_all(question("k")).await.is_done);
}

#[tokio::test]
async fn shutdown_waits_for_replies_in_progress() {
    let env = TestEnv::start().await;
    env.inject_fault(Action::DelayAfterCommit { ms: 300 });
    let mut source = env.open(question("k")).await.unwrap();
    let mut received = Received::default();
    assert!(received.next(&mut source).await);
    env.test.context().shutdown.cancel();
    while received.next(&mut source).await {}
    assert!(received.is_done, "{received:?}");
    let late = env.open(question("late")).await;
    assert_eq!(
        late.err().map(|failure| failure.code).as_deref(),
        Some("UNAVAILABLE")
    );
}
