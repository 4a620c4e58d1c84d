use kit::requester::{self, Requester};
use proto::sessions::v1::WriteAiTextRequest;
use sandbox::Action;
use serde_json::json;

use crate::test_env::{TestEnv, question};

fn error(status: u16) -> Action {
    Action::Error {
        status,
        body: None,
        stored: None,
    }
}

#[tokio::test]
async fn text_is_streamed_in_the_language_of_the_page() {
    let env = TestEnv::start().await;
    let received = env.read_all(question("")).await;
    assert!(received.is_done && received.chunks > 3, "{received:?}");
    assert!(received.text.contains("sevgi"), "{}", received.text);

    let asked = &env.model.requests()[0].params;
    assert_eq!(
        (&asked["stream"], &asked["model"]),
        (&json!(true), &json!("gpt-4.1-mini"))
    );
    assert_eq!(asked["messages"][1]["content"], "A walk home");
}

#[tokio::test]
async fn finished_event_is_emitted_once_without_the_text() {
    let env = TestEnv::start().await;
    let text = env.read_all(question("k")).await.text;
    env.read_all(question("k")).await;

    let subject = "stillpoint.sessions.ai_text.finished";
    let events = env.test.events(subject, 1).await;
    assert_eq!(
        events[0].data,
        json!({"type": "love-language", "lang": "tr", "ok": true})
    );
    assert_eq!(
        (events[0].lang.as_deref(), events[0].country.as_deref()),
        (Some("tr"), None)
    );
    assert_eq!(env.count("select count(*) from outbox").await, 1);
    let event = serde_json::to_string(&events[0]).unwrap();
    assert!(!event.contains("walk") && !event.contains(&text[..20]), "{event}");
}

#[tokio::test]
async fn finished_event_has_the_requesters_country() {
    let env = TestEnv::start().await;
    let visitor = Requester::new("en", "DE");
    requester::scope(visitor, env.read_all(question("k"))).await;
    let events = env.test.events("stillpoint.sessions.ai_text.finished", 1).await;
    let person = (events[0].lang.as_deref(), events[0].country.as_deref());
    assert_eq!(person, (Some("tr"), Some("DE")));
}

#[tokio::test]
async fn question_is_not_stored() {
    let env = TestEnv::start().await;
    env.read_all(question("k")).await;
    let matching_rows = "select count(*) from ai_reply r left join ai_reply_chunk p using (reply_id)
                where r::text ilike '%walk%' or p::text ilike '%walk home%'";
    assert_eq!(env.count(matching_rows).await, 0);
}

#[tokio::test]
async fn same_key_returns_the_same_reply_with_one_model_call() {
    let env = TestEnv::start().await;
    let first = env.read_all(question("k")).await;
    let again = env.read_all(question("k")).await;
    assert_eq!((again.text, again.is_done), (first.text, true));
    assert_eq!(env.model.requests().len(), 1);

    let other = WriteAiTextRequest {
        question: "Another".into(),
        ..question("k")
    };
    let refused = env.open(other).await.unwrap_err();
    assert_eq!(refused.code, "IDEMPOTENCY_CONFLICT");
}

#[tokio::test]
async fn concurrent_calls_with_one_key_share_one_reply() {
    let env = TestEnv::start().await;
    let all = futures::future::join_all((0..20).map(|_| env.read_all(question("k")))).await;
    assert!(
        all.iter()
            .all(|received| received.is_done && received.text == all[0].text)
    );
    assert_eq!(env.model.requests().len(), 1);
}

#[tokio::test]
async fn calls_without_a_key_create_separate_replies() {
    let env = TestEnv::start().await;
    env.read_all(question("")).await;
    env.read_all(question("")).await;
    assert_eq!(env.model.requests().len(), 2);
}

#[tokio::test]
async fn all_invalid_fields_are_reported() {
    let env = TestEnv::start().await;
    let wrong = WriteAiTextRequest {
        question: "x".repeat(1001),
        r#type: "Love!".into(),
        idempotency_key: "ş".into(),
        after: "7".into(),
        ..Default::default()
    };
    let refused = env.open(wrong).await.unwrap_err();
    let fields: Vec<&str> = refused.fields.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(fields, ["q", "type", "idempotency_key", "after"]);
    assert!(env.model.requests().is_empty());
}

#[tokio::test]
async fn helplines_are_sent_before_the_text() {
    let env = TestEnv::start().await;
    let asked = WriteAiTextRequest {
        question: "Ich will nicht mehr leben".into(),
        lang: "de".into(),
        country: "AT".into(),
        ..Default::default()
    };
    let mut source = env.open(asked).await.unwrap();
    let mut received = crate::test_env::Received::default();
    received.next(&mut source).await;
    let phones: Vec<&str> = received
        .helplines
        .iter()
        .map(|line| line.phone.as_str())
        .collect();
    assert_eq!((phones, received.text.as_str()), (vec!["142", ""], ""));

    while received.next(&mut source).await {}
    assert!(received.text.contains("KI"), "{}", received.text);
    assert!(env.read_all(question("")).await.helplines.is_empty());
}

#[tokio::test]
async fn helplines_are_sent_when_the_model_is_unavailable() {
    let env = TestEnv::start().await;
    env.inject_fault(error(401));
    let asked = WriteAiTextRequest {
        question: "I want to die".into(),
        country: "US".into(),
        ..Default::default()
    };
    let received = env.read_all(asked).await;
    assert_eq!(received.helplines[0].phone, "988");
    assert_eq!(received.failure.as_deref(), Some("AI_UNAVAILABLE"));
}

#[tokio::test]
async fn only_transient_errors_are_retried() {
    for (status, code, attempts) in [
        (401, "AI_UNAVAILABLE", 1),
        (429, "AI_BUSY", 3),
        (500, "AI_UNAVAILABLE", 3),
    ] {
        let env = TestEnv::start().await;
        env.inject_fault(error(status));
        let received = env.read_all(question("")).await;
        assert_eq!(
            (received.failure.as_deref(), received.is_done),
            (Some(code), false)
        );
        assert_eq!(env.model.requests().len(), attempts, "{status}");
        let events = env.test.events("stillpoint.sessions.ai_text.finished", 1).await;
        assert_ne!(events[0].data["ok"], json!(true));
    }
}

#[tokio::test]
async fn transient_error_is_retried_until_success() {
    let env = TestEnv::start().await;
    let model = env.model.faults();
    model.add(sandbox::Fault::on("POST", crate::test_env::MODEL_PATH, error(429)).times(2));
    assert!(env.read_all(question("")).await.is_done);
}

#[tokio::test]
async fn incomplete_text_stays_readable() {
    let env = TestEnv::start().await;
    let whole = env.read_all(question("")).await.text;
    env.inject_fault(Action::DropAfterCommit {});
    let received = env.read_all(question("")).await;
    assert_eq!(received.failure.as_deref(), Some("AI_BROKEN_OFF"));
    assert!(!received.text.is_empty() && whole.starts_with(&received.text) && received.text != whole);
}

#[tokio::test]
async fn silent_model_times_out() {
    let env = TestEnv::start_with(&[("AI_TIMEOUT_MS", "300")]).await;
    env.inject_fault(Action::DelayAfterCommit { ms: 60_000 });
    let received = env.read_all(question("")).await;
    assert_eq!(received.failure.as_deref(), Some("AI_BROKEN_OFF"));
    assert!(!received.text.is_empty());
}

#[tokio::test]
async fn endless_text_is_closed_at_the_limit() {
    let env = TestEnv::start_with(&[("SESSIONS_AI_TEXT_MAX_SECS", "1")]).await;
    env.inject_fault(Action::DelayAfterCommit { ms: 60_000 });
    assert_eq!(
        env.read_all(question("")).await.failure.as_deref(),
        Some("AI_BROKEN_OFF")
    );
}

#[tokio::test]
async fn concurrency_limit_rejects_with_retry_after() {
    let env = TestEnv::start_with(&[("SESSIONS_AI_TEXT_MAX_CONCURRENCY", "1")]).await;
    env.inject_fault(Action::DelayBefore { ms: 500 });
    let first = env.open(question("first")).await.unwrap();
    let refused = env.open(question("second")).await.unwrap_err();
    assert_eq!(refused.code, "OVERLOADED");
    assert!(refused.retry_after.is_some());
    assert!(
        env.open(question("first")).await.is_ok(),
        "reading an existing reply needs no generation permit"
    );
    drop(first);
    assert!(env.read_all(question("first")).await.is_done);
    env.wait_until_count("select count(*) from ai_reply where state = 'writing'", 0)
        .await;
    assert!(env.read_all(question("second")).await.is_done);
}
