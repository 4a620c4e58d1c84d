use kit::requester::{self, Requester};
use proto::sessions::v1::WriteAiTextRequest;
use sandbox::Action;
use serde_json::json;

use crate::world::{World, question};

fn error(status: u16) -> Action {
    Action::Error {
        status,
        body: None,
        stored: None,
    }
}

#[tokio::test]
async fn a_text_comes_in_pieces_in_the_language_of_the_page() {
    let world = World::start().await;
    let heard = world.hear(question("")).await;
    assert!(heard.is_done && heard.pieces > 3, "{heard:?}");
    assert!(heard.text.contains("sevgi"), "{}", heard.text);

    let asked = &world.model.requests()[0].params;
    assert_eq!(
        (&asked["stream"], &asked["model"]),
        (&json!(true), &json!("gpt-4.1-mini"))
    );
    assert_eq!(asked["messages"][1]["content"], "A walk home");
}

#[tokio::test]
async fn its_end_is_told_once_without_a_word_of_it() {
    let world = World::start().await;
    let text = world.hear(question("k")).await.text;
    world.hear(question("k")).await;

    let subject = "stillpoint.sessions.ai_text.finished";
    let events = world.test.events(subject, 1).await;
    assert_eq!(
        events[0].data,
        json!({"type": "love-language", "lang": "tr", "ok": true})
    );
    assert_eq!(
        (events[0].lang.as_deref(), events[0].country.as_deref()),
        (Some("tr"), None)
    );
    assert_eq!(world.count("select count(*) from outbox").await, 1);
    let told = serde_json::to_string(&events[0]).unwrap();
    assert!(!told.contains("walk") && !told.contains(&text[..20]), "{told}");
}

#[tokio::test]
async fn its_end_names_the_country_of_who_asked() {
    let world = World::start().await;
    let visitor = Requester::new("en", "DE");
    requester::scope(visitor, world.hear(question("k"))).await;
    let events = world.test.events("stillpoint.sessions.ai_text.finished", 1).await;
    let person = (events[0].lang.as_deref(), events[0].country.as_deref());
    assert_eq!(person, (Some("tr"), Some("DE")));
}

#[tokio::test]
async fn the_question_is_not_kept() {
    let world = World::start().await;
    world.hear(question("k")).await;
    let kept = "select count(*) from ai_reply r left join ai_piece p using (reply_id)
                where r::text ilike '%walk%' or p::text ilike '%walk home%'";
    assert_eq!(world.count(kept).await, 0);
}

#[tokio::test]
async fn the_same_key_is_the_same_reply_and_the_model_is_asked_once() {
    let world = World::start().await;
    let first = world.hear(question("k")).await;
    let again = world.hear(question("k")).await;
    assert_eq!((again.text, again.is_done), (first.text, true));
    assert_eq!(world.model.requests().len(), 1);

    let other = WriteAiTextRequest {
        question: "Another".into(),
        ..question("k")
    };
    let refused = world.open(other).await.unwrap_err();
    assert_eq!(refused.code, "IDEMPOTENCY_CONFLICT");
}

#[tokio::test]
async fn twenty_at_once_with_one_key_are_one_reply() {
    let world = World::start().await;
    let all = futures::future::join_all((0..20).map(|_| world.hear(question("k")))).await;
    assert!(all.iter().all(|heard| heard.is_done && heard.text == all[0].text));
    assert_eq!(world.model.requests().len(), 1);
}

#[tokio::test]
async fn without_a_key_every_call_is_a_reply_of_its_own() {
    let world = World::start().await;
    world.hear(question("")).await;
    world.hear(question("")).await;
    assert_eq!(world.model.requests().len(), 2);
}

#[tokio::test]
async fn every_wrong_field_is_named() {
    let world = World::start().await;
    let wrong = WriteAiTextRequest {
        question: "x".repeat(1001),
        r#type: "Love!".into(),
        idempotency_key: "ş".into(),
        after: "7".into(),
        ..Default::default()
    };
    let refused = world.open(wrong).await.unwrap_err();
    let fields: Vec<&str> = refused.fields.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(fields, ["q", "type", "idempotency_key", "after"]);
    assert!(world.model.requests().is_empty());
}

#[tokio::test]
async fn who_speaks_of_self_harm_is_told_first_where_help_is() {
    let world = World::start().await;
    let asked = WriteAiTextRequest {
        question: "Ich will nicht mehr leben".into(),
        lang: "de".into(),
        country: "AT".into(),
        ..Default::default()
    };
    let mut source = world.open(asked).await.unwrap();
    let mut heard = crate::world::Heard::default();
    heard.take(&mut source).await;
    let phones: Vec<&str> = heard.helplines.iter().map(|line| line.phone.as_str()).collect();
    assert_eq!((phones, heard.text.as_str()), (vec!["142", ""], ""));

    while heard.take(&mut source).await {}
    assert!(heard.text.contains("KI"), "{}", heard.text);
    assert!(world.hear(question("")).await.helplines.is_empty());
}

#[tokio::test]
async fn helplines_are_named_even_when_there_is_no_model() {
    let world = World::start().await;
    world.sabotage(error(401));
    let asked = WriteAiTextRequest {
        question: "I want to die".into(),
        country: "US".into(),
        ..Default::default()
    };
    let heard = world.hear(asked).await;
    assert_eq!(heard.helplines[0].phone, "988");
    assert_eq!(heard.failure.as_deref(), Some("AI_UNAVAILABLE"));
}

#[tokio::test]
async fn what_passes_is_tried_again_and_what_does_not_is_not() {
    for (status, code, attempts) in [
        (401, "AI_UNAVAILABLE", 1),
        (429, "AI_BUSY", 3),
        (500, "AI_UNAVAILABLE", 3),
    ] {
        let world = World::start().await;
        world.sabotage(error(status));
        let heard = world.hear(question("")).await;
        assert_eq!((heard.failure.as_deref(), heard.is_done), (Some(code), false));
        assert_eq!(world.model.requests().len(), attempts, "{status}");
        let events = world.test.events("stillpoint.sessions.ai_text.finished", 1).await;
        assert_ne!(events[0].data["ok"], json!(true));
    }
}

#[tokio::test]
async fn a_fault_that_passes_is_not_noticed() {
    let world = World::start().await;
    let model = world.model.faults();
    model.add(sandbox::Fault::on("POST", crate::world::MODEL, error(429)).times(2));
    assert!(world.hear(question("")).await.is_done);
}

#[tokio::test]
async fn a_model_that_breaks_off_leaves_what_it_said() {
    let world = World::start().await;
    let whole = world.hear(question("")).await.text;
    world.sabotage(Action::DropAfterCommit {});
    let heard = world.hear(question("")).await;
    assert_eq!(heard.failure.as_deref(), Some("AI_BROKEN_OFF"));
    assert!(!heard.text.is_empty() && whole.starts_with(&heard.text) && heard.text != whole);
}

#[tokio::test]
async fn a_model_that_falls_silent_is_not_waited_for() {
    let world = World::start_with(&[("AI_TIMEOUT_MS", "300")]).await;
    world.sabotage(Action::DelayAfterCommit { ms: 60_000 });
    let heard = world.hear(question("")).await;
    assert_eq!(heard.failure.as_deref(), Some("AI_BROKEN_OFF"));
    assert!(!heard.text.is_empty());
}

#[tokio::test]
async fn a_text_that_never_ends_is_ended() {
    let world = World::start_with(&[("SESSIONS_AI_TEXT_MAX_SECS", "1")]).await;
    world.sabotage(Action::DelayAfterCommit { ms: 60_000 });
    assert_eq!(
        world.hear(question("")).await.failure.as_deref(),
        Some("AI_BROKEN_OFF")
    );
}

#[tokio::test]
async fn more_texts_than_may_be_written_at_once_are_refused_and_told_when_to_come_back() {
    let world = World::start_with(&[("SESSIONS_AI_TEXTS_AT_ONCE", "1")]).await;
    world.sabotage(Action::DelayBefore { ms: 500 });
    let first = world.open(question("first")).await.unwrap();
    let refused = world.open(question("second")).await.unwrap_err();
    assert_eq!(refused.code, "OVERLOADED");
    assert!(refused.retry_after.is_some());
    assert!(
        world.open(question("first")).await.is_ok(),
        "listening needs no place of its own"
    );
    drop(first);
    assert!(world.hear(question("first")).await.is_done);
    world
        .settles_at("select count(*) from ai_reply where state = 'writing'", 0)
        .await;
    assert!(world.hear(question("second")).await.is_done);
}
