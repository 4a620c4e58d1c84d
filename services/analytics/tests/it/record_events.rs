use kit::dead_letters;

use crate::fixture::{ACTIVATED, Analytics, activated};

const EVENTS: &str = "select count(*) from event";
const COUNTED: &str = "select coalesce(sum(count), 0)::bigint from daily_count";
const DEAD: &str = "select count(*) from dead_letter";

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
async fn an_event_is_kept_as_it_was_told() {
    let analytics = Analytics::start().await;
    let mut event = activated("e1", "2026-11-20T11:59:00Z");
    event.lang = Some("tr".to_owned());
    event.subject = Some("sub_1".to_owned());
    analytics.publish(&event).await;
    analytics.settles_at(EVENTS, 1).await;

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
async fn an_event_sent_many_times_counts_once() {
    let analytics = Analytics::start().await;
    let payload = serde_json::to_vec(&activated("e1", "2026-11-20T11:59:00Z")).unwrap();
    for _ in 0..20 {
        analytics.publish_unchecked(ACTIVATED, payload.clone()).await;
    }
    analytics.publish(&activated("e2", "2026-11-20T11:59:30Z")).await;

    analytics.settles_at(COUNTED, 2).await;
    assert_eq!(analytics.count(EVENTS).await, 2);
}

#[tokio::test]
async fn an_event_whose_effect_was_rolled_back_is_applied_when_delivered_again() {
    let analytics = Analytics::start().await;
    // The second statement of the transaction fails until the table is back: nothing of the first may remain.
    sqlx::query("alter table daily_count rename to daily_count_away")
        .execute(analytics.pool())
        .await
        .unwrap();
    analytics.publish(&activated("e1", "2026-11-20T11:59:00Z")).await;
    analytics.sees_a_redelivery().await;
    assert_eq!(analytics.count(EVENTS).await, 0);
    sqlx::query("alter table daily_count_away rename to daily_count")
        .execute(analytics.pool())
        .await
        .unwrap();

    analytics.settles_at(COUNTED, 1).await;
    assert_eq!(
        (analytics.count(EVENTS).await, analytics.count(DEAD).await),
        (1, 0)
    );
}

#[tokio::test]
async fn what_cannot_be_stored_goes_to_the_dead_letters_and_holds_up_nothing() {
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
    analytics.settles_at(COUNTED, 5).await;
    analytics.settles_at(DEAD, 2).await;

    let mut connection = analytics.pool().acquire().await.unwrap();
    let letters = dead_letters::list(&mut connection, 10).await.unwrap();
    let poison = letters.iter().find(|letter| letter.event_id == "poison").unwrap();
    assert_eq!((poison.attempts, poison.subject.as_str()), (1, ACTIVATED));
    assert!(poison.reason.contains("Unicode"), "{}", poison.reason);
    assert!(letters.iter().any(|letter| letter.payload == "{ not json"));
}

#[tokio::test]
async fn after_a_restart_it_goes_on_where_it_left_off() {
    let analytics = Analytics::start().await;
    analytics.publish(&activated("e1", "2026-11-20T11:59:00Z")).await;
    analytics.settles_at(COUNTED, 1).await;

    let test = analytics.kill().await;
    for id in ["e2", "e3"] {
        test.context()
            .bus
            .publish(&activated(id, "2026-11-20T11:59:30Z"))
            .await
            .unwrap();
    }
    let analytics = Analytics::run(test).await;
    analytics.settles_at(COUNTED, 3).await;
    assert_eq!(analytics.count("select count(*) from inbox").await, 3);
}

#[tokio::test]
async fn events_that_waited_are_kept_and_counted_each_for_itself() {
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

    analytics.settles_at(COUNTED, 300).await;
    assert_eq!(analytics.count(DAYS).await, 2);
    assert_eq!(
        analytics
            .count("select count(distinct event_id) from event")
            .await,
        300
    );
    let about: Vec<(bool, Vec<String>)> =
        sqlx::query_as("select subject is null, about from event where event_id in ('e1', 'e6') order by 1")
            .fetch_all(analytics.pool())
            .await
            .unwrap();
    let expected = [(false, Vec::new()), (true, vec!["usr_\"1\", {x}".to_owned()])];
    assert_eq!(about, expected);
}
