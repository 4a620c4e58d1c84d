use std::cell::Cell;
use std::collections::HashMap;

use kit::error::{Failure, Kind};
use proptest::prelude::*;
use proto::content::v1::{PublishPageRequest, Seo};
use serde_json::json;
use tokio::task::JoinSet;

use crate::fixture::{block, database, fields, get, heading, page, publish, start};

#[tokio::test]
async fn the_same_body_again_changes_nothing() {
    let (host, mut client) = start().await;
    let first = publish(&mut client, page("/calm", "en", "calm")).await;
    let again = publish(&mut client, page("/calm", "en", "calm")).await;
    assert!(first.changed && !again.changed);
    assert_eq!(first.snapshot_id, again.snapshot_id);

    let other = publish(&mut client, page("/calm", "en", "calmer")).await;
    assert!(other.changed);
    assert_ne!(first.snapshot_id, other.snapshot_id);
    assert_eq!(heading(&get(&mut client, "/calm", "en").await), "calmer");

    let back = publish(&mut client, page("/calm", "en", "calm")).await;
    assert!(back.changed, "what was there before is a change again");
    let snapshots: i64 = sqlx::query_scalar("select count(*) from snapshot")
        .fetch_one(&mut database(&host).await)
        .await
        .unwrap();
    assert_eq!(snapshots, 3);
}

#[tokio::test]
async fn every_change_emits_one_event_in_order() {
    let (host, mut client) = start().await;
    let one = publish(&mut client, page("/calm", "tr", "bir")).await;
    publish(&mut client, page("/calm", "tr", "bir")).await;
    let two = publish(&mut client, page("/calm", "tr", "iki")).await;
    let three = publish(&mut client, page("/calm", "en", "three")).await;

    let events = host.events("stillpoint.content.page.published", 3).await;
    let of_turkish: Vec<&str> = events
        .iter()
        .filter(|event| event.lang.as_deref() == Some("tr"))
        .map(|event| event.data["snapshotId"].as_str().unwrap())
        .collect();
    assert_eq!(of_turkish, [one.snapshot_id, two.snapshot_id]);
    let english = events
        .iter()
        .find(|event| event.lang.as_deref() == Some("en"))
        .unwrap();
    assert_eq!(english.subject.as_deref(), Some("en:/calm"));
    assert_eq!(
        english.data,
        json!({"urlPath": "/calm", "locale": "en", "template": "Page", "snapshotId": three.snapshot_id})
    );
    let written: i64 = sqlx::query_scalar("select count(*) from outbox")
        .fetch_one(&mut database(&host).await)
        .await
        .unwrap();
    assert_eq!(written, 3);
}

#[tokio::test]
async fn all_errors_of_a_page_are_returned_at_once_and_nothing_is_stored() {
    let (host, mut client) = start().await;
    let wrong = PublishPageRequest {
        url_path: "calm".to_owned(),
        locale: "xx".to_owned(),
        template: "Poster".to_owned(),
        seo: Some(Seo::default()),
        sections: vec![
            block("Heading", &json!({"text": "Fine"})),
            block(
                "Hero",
                &json!({"buttons": [{"text": "Go", "url": "javascript:alert(1)"}], "tone": "warm"}),
            ),
            block("Hologram", &json!({})),
            block("PlanList", &json!({"plans": [{"title": 7}]})),
        ],
        ..page("/calm", "en", "calm")
    };
    let failure = Failure::from_status(&client.publish_page(wrong).await.unwrap_err());
    assert_eq!(
        (failure.kind, failure.code.as_str()),
        (Kind::Invalid, "VALIDATION_FAILED")
    );
    assert_eq!(
        fields(&failure),
        [
            "urlPath",
            "locale",
            "template",
            "seo.title",
            "sections[1].tone",
            "sections[1].title",
            "sections[1].buttons[0].url",
            "sections[2]",
            "sections[3].plans[0].title",
        ]
    );
    let stored: i64 =
        sqlx::query_scalar("select (select count(*) from snapshot) + (select count(*) from outbox)")
            .fetch_one(&mut database(&host).await)
            .await
            .unwrap();
    assert_eq!(stored, 0);
}

#[tokio::test]
async fn a_body_that_is_no_json_is_refused() {
    let (_host, mut client) = start().await;
    let mut broken = page("/calm", "en", "calm");
    broken.sections[1].props_json = "{".to_owned();
    let failure = Failure::from_status(&client.publish_page(broken).await.unwrap_err());
    assert_eq!(
        (failure.kind, fields(&failure)),
        (Kind::Invalid, vec!["sections[1]"])
    );
}

#[tokio::test]
async fn two_publishers_of_the_same_body_at_once_make_one_change() {
    let (host, client) = start().await;
    for round in 0..5 {
        let mut publishers = JoinSet::new();
        for _ in 0..4 {
            let mut client = client.clone();
            publishers
                .spawn(async move { publish(&mut client, page("/calm", "en", &round.to_string())).await });
        }
        let answers = publishers.join_all().await;
        assert_eq!(
            answers.iter().filter(|answer| answer.changed).count(),
            1,
            "round {round}"
        );
        assert!(
            answers
                .iter()
                .all(|answer| answer.snapshot_id == answers[0].snapshot_id),
            "round {round}"
        );
    }
    let (snapshots, events): (i64, i64) =
        sqlx::query_as("select (select count(*) from snapshot), (select count(*) from outbox)")
            .fetch_one(&mut database(&host).await)
            .await
            .unwrap();
    assert_eq!((snapshots, events), (5, 5));
}

#[tokio::test]
async fn concurrent_publishes_both_emit_events_and_the_later_stays() {
    let (host, mut client) = start().await;
    let mut publishers = JoinSet::new();
    for text in ["one", "two"] {
        let mut client = client.clone();
        publishers.spawn(async move { publish(&mut client, page("/calm", "en", text)).await });
    }
    assert!(publishers.join_all().await.iter().all(|answer| answer.changed));
    let events = host.events("stillpoint.content.page.published", 2).await;
    let shown = get(&mut client, "/calm", "en").await;
    assert_eq!(
        events[1].data["snapshotId"], shown.snapshot_id,
        "the last event names what readers see"
    );
}

#[tokio::test]
async fn locales_that_publish_at_once_are_all_available_afterwards() {
    let (_host, mut client) = start().await;
    for path in ["/one", "/two", "/three"] {
        let mut publishers = JoinSet::new();
        for locale in ["tr", "en", "ar", "ja", "de", "pt"] {
            let mut client = client.clone();
            publishers.spawn(async move { publish(&mut client, page(path, locale, "calm")).await });
        }
        publishers.join_all().await;
        let shown = get(&mut client, path, "pt").await;
        assert_eq!(shown.available_locales, ["ar", "de", "en", "ja", "pt", "tr"]);
    }
}

/// Whatever is published in whatever order: a locale shows the last body published there, or else English's.
#[test]
fn publishing_in_one_locale_never_touches_another() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (_host, client) = runtime.block_on(start());
    let publishes = prop::collection::vec(
        (prop::sample::select(&["en", "tr", "ar", "ja"][..]), 0..3_u8),
        1..12,
    );
    let case = Cell::new(0);
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(publishes in publishes)| {
        case.set(case.get() + 1);
        let path = format!("/case-{}", case.get());
        let mut client = client.clone();
        runtime.block_on(async {
            let mut last: HashMap<&str, u8> = HashMap::new();
            for (locale, text) in publishes {
                publish(&mut client, page(&path, locale, &format!("{locale} {text}"))).await;
                last.insert(locale, text);
                for (locale, text) in &last {
                    let shown = get(&mut client, &path, locale).await;
                    assert_eq!(heading(&shown), format!("{locale} {text}"));
                    assert_eq!(shown.available_locales.len(), last.len());
                }
            }
        });
    });
}
