use kit::dead_letters;

use crate::fixture::{ACTIVATED, Analytics, activated};

const EVENTS: &str = "select count(*) from event";
const COUNTED: &str = "select coalesce(sum(count), 0)::bigint from daily_count";
const DEAD_LETTERS: &str = "select count(*) from dead_letter";

/// Id, name, source, subject, language, data.
type Row = (
    String,
    String,
    String,
    Option<String>,
    Option<String>,
    serde_json::Value,
);

#[tokio::test]
async fn event_is_stored_unchanged() {
    let analytics = Analytics::start().await;
    let mut event = activated("e1", "2026-11-20T11:59:00Z");
    event.lang = Some("tr".to_owned());
    event.subject = Some("sub_1".to_owned());
    analytics.publish(&event).await;
    analytics.wait_until_count(EVENTS, 1).await;

    let row: Row = sqlx::query_as("select event_id, name, source, subject, lang, data from event")
        .fetch_one(analytics.pool())
        .await
        .unwrap();
    let expected = (
        "e1".to_owned(),
        ACTIVATED.to_owned(),
        "/stillpoint/checkout".to_owned(),
        Some("sub_1".to_owned()),
        Some("tr".to_owned()),
        event.data,
    );
    assert_eq!(row, expected);
}

#[tokio::test]
async fn repeated_event_counts_once() {
    let analytics = Analytics::start().await;
    let payload = serde_json::to_vec(&activated("e1", "2026-11-20T11:59:00Z")).unwrap();
    for _ in 0..20 {
        analytics.publish_unchecked(ACTIVATED, payload.clone()).await;
    }
    analytics.publish(&activated("e2", "2026-11-20T11:59:30Z")).await;

    analytics.wait_until_count(COUNTED, 2).await;
    assert_eq!(analytics.count(EVENTS).await, 2);
}

#[tokio::test]
async fn rolled_back_event_is_applied_on_redelivery() {
    let analytics = Analytics::start().await;
    // The second statement of the transaction fails until the table is renamed back: the first must be rolled back.
    sqlx::query("alter table daily_count rename to daily_count_renamed")
        .execute(analytics.pool())
        .await
        .unwrap();
    analytics.publish(&activated("e1", "2026-11-20T11:59:00Z")).await;
    analytics.wait_for_redelivery().await;
    assert_eq!(analytics.count(EVENTS).await, 0);
    sqlx::query("alter table daily_count_renamed rename to daily_count")
        .execute(analytics.pool())
        .await
        .unwrap();

    analytics.wait_until_count(COUNTED, 1).await;
    assert_eq!(
        (analytics.count(EVENTS).await, analytics.count(DEAD_LETTERS).await),
        (1, 0)
    );
}

#[tokio::test]
async fn unstorable_event_becomes_a_dead_letter_and_blocks_no_other() {
    let analytics = Analytics::start().await;
    let mut unstorable = activated("poison", "2026-11-20T11:59:00Z");
    unstorable.data["note"] = "a \0 in the text".into();
    analytics.publish(&unstorable).await;
    analytics
        .publish_unchecked("stillpoint.web.garbage", b"{ not json".to_vec())
        .await;
    for n in 0..5 {
        analytics
            .publish(&activated(&format!("e{n}"), "2026-11-20T11:59:00Z"))
            .await;
    }
    analytics.wait_until_count(COUNTED, 5).await;
    analytics.wait_until_count(DEAD_LETTERS, 2).await;

    let mut connection = analytics.pool().acquire().await.unwrap();
    let dead_letters = dead_letters::list(&mut connection, 10).await.unwrap();
    let poison = dead_letters
        .iter()
        .find(|dead_letter| dead_letter.event_id == "poison")
        .unwrap();
    assert_eq!((poison.attempts, poison.subject.as_str()), (1, ACTIVATED));
    assert!(poison.reason.contains("Unicode"), "{}", poison.reason);
    assert!(
        dead_letters
            .iter()
            .any(|dead_letter| dead_letter.payload == "{ not json")
    );
}

#[tokio::test]
async fn restarted_consumer_continues_after_its_last_event() {
    let analytics = Analytics::start().await;
    analytics.publish(&activated("e1", "2026-11-20T11:59:00Z")).await;
    analytics.wait_until_count(COUNTED, 1).await;

    let test = analytics.kill().await;
    for id in ["e2", "e3"] {
        test.context()
            .bus
            .publish(&activated(id, "2026-11-20T11:59:30Z"))
            .await
            .unwrap();
    }
    let analytics = Analytics::run(test).await;
    analytics.wait_until_count(COUNTED, 3).await;
    assert_eq!(analytics.count("select count(*) from inbox").await, 3);
}

#[tokio::test]
async fn batched_events_are_stored_and_counted_individually() {
    const DAYS: &str =
        "select count(*) from daily_count where (day, count) in (('2026-11-19', 60), ('2026-11-20', 240))";
    let test = Analytics::start().await.kill().await;
    for n in 0..300 {
        let day = if n % 5 == 0 { "19" } else { "20" };
        let mut event = activated(&format!("e{n}"), &format!("2026-11-{day}T11:59:00Z"));
        event.subject = (n % 2 == 0).then(|| format!("sub_{n}"));
        event.data["userId"] = if n % 3 == 0 {
            "".into()
        } else {
            "usr_\"1\", {x}".into()
        };
        test.context().bus.publish(&event).await.unwrap();
    }
    let analytics = Analytics::run(test).await;

    analytics.wait_until_count(COUNTED, 300).await;
    assert_eq!(analytics.count(DAYS).await, 2);
    assert_eq!(
        analytics
            .count("select count(distinct event_id) from event")
            .await,
        300
    );
    let subject_ids: Vec<(bool, Vec<String>)> = sqlx::query_as(
        "select subject is null, subject_ids from event where event_id in ('e1', 'e6') order by 1",
    )
    .fetch_all(analytics.pool())
    .await
    .unwrap();
    let expected = [(false, Vec::new()), (true, vec!["usr_\"1\", {x}".to_owned()])];
    assert_eq!(subject_ids, expected);
}
