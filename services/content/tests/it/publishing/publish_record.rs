use kit::error::{Failure, Kind};
use proto::content::v1::{GetRecordRequest, GetRecordResponse, ListSamplesRequest};
use serde_json::{Value, json};

use crate::fixture::{Client, answer, database, fields, props, record, start};

async fn read(client: &mut Client, kind: &str, id: &str, locale: &str) -> Result<GetRecordResponse, Failure> {
    let request = GetRecordRequest {
        kind: kind.to_owned(),
        id: id.to_owned(),
        locale: locale.to_owned(),
    };
    answer(client.get_record(request).await)
}

fn hero(text: &str) -> Value {
    json!({"section": {"componentName": "Heading", "text": text}})
}

#[tokio::test]
async fn a_record_is_there_by_id_in_its_locale_and_else_in_english() {
    let (host, mut client) = start().await;
    for (locale, text) in [("en", "Breathe"), ("tr", "Nefes")] {
        client
            .publish_record(record("HeroComponent", "home", locale, &hero(text)))
            .await
            .unwrap();
    }
    let own = read(&mut client, "HeroComponent", "home", "tr").await.unwrap();
    let block = own.record.unwrap();
    assert_eq!(
        (block.id.as_str(), block.component_name.as_str()),
        ("home", "HeroComponent")
    );
    let section = &props(&block)["section"];
    assert_eq!(
        (&section["componentName"], &section["text"]),
        (&json!("Heading"), &json!("Nefes"))
    );
    let lent = read(&mut client, "HeroComponent", "home", "ja").await.unwrap();
    assert_eq!(lent.content_locale, "en");

    let events = host.events("stillpoint.content.record.published", 2).await;
    assert_eq!(events[1].lang.as_deref(), Some("tr"));
    assert_eq!(
        events[1].data,
        json!({"kind": "HeroComponent", "recordId": "home", "locale": "tr", "snapshotId": own.snapshot_id})
    );
    let again = client
        .publish_record(record("HeroComponent", "home", "tr", &hero("Nefes")))
        .await;
    assert!(!again.unwrap().into_inner().changed);
}

#[tokio::test]
async fn what_is_no_record_is_not_found_and_what_is_faulty_refused() {
    let (_host, mut client) = start().await;
    for (kind, id) in [
        ("HeroComponent", "home"),
        ("Hero", "home"),
        ("HeroComponent", "a b"),
    ] {
        let failure = read(&mut client, kind, id, "en").await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (Kind::NotFound, "RECORD_NOT_FOUND")
        );
    }
    let wrong = record(
        "HeroComponent",
        "a b",
        "xx",
        &json!({"section": {"componentName": "Hologram"}}),
    );
    let failure = answer(client.publish_record(wrong).await).unwrap_err();
    assert_eq!(failure.kind, Kind::Invalid);
    assert_eq!(fields(&failure)[..2], ["locale", "id"]);
    assert!(fields(&failure)[2].starts_with("record.section"), "{failure:?}");
}

#[tokio::test]
async fn samples_come_by_category_and_101_is_the_usual_one() {
    let (_host, mut client) = start().await;
    let samples = |category: i32, title: &str| json!({"category": category, "items": [{"title": title}]});
    for (id, locale, category, title) in [
        ("calm", "en", 101, "Rain"),
        ("night", "en", 101, "Night"),
        ("sleep", "en", 7, "Sleep"),
        ("calm", "tr", 101, "Yağmur"),
    ] {
        let samples = record("MeditationSamples", id, locale, &samples(category, title));
        client.publish_record(samples).await.unwrap();
    }
    let mut titles = async |locale: &str, category: i32| {
        let request = ListSamplesRequest {
            locale: locale.to_owned(),
            category,
        };
        let list = client.list_samples(request).await.unwrap().into_inner();
        let items: Value = serde_json::from_str(&list.items_json).unwrap();
        let titles: Vec<String> = items
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["title"].as_str().unwrap().to_owned())
            .collect();
        (titles, list.content_locale)
    };
    assert_eq!(titles("en", 0).await.0, ["Rain", "Night"]);
    assert_eq!(
        titles("tr", 0).await,
        (vec!["Yağmur".to_owned()], "tr".to_owned())
    );
    assert_eq!(titles("tr", 7).await, (vec!["Sleep".to_owned()], "en".to_owned()));
    assert_eq!(titles("tr", 8).await.0, [""; 0]);
}

#[tokio::test]
async fn a_record_that_cannot_be_read_any_more_is_not_there() {
    let (host, mut client) = start().await;
    client
        .publish_record(record("HeroComponent", "home", "en", &hero("Breathe")))
        .await
        .unwrap();
    sqlx::raw_sql(
        "alter table snapshot disable trigger snapshot_immutable;
         update snapshot set document = replace(document, 'Heading', 'Hologram')",
    )
    .execute(&mut database(&host).await)
    .await
    .unwrap();
    let failure = read(&mut client, "HeroComponent", "home", "en")
        .await
        .unwrap_err();
    assert_eq!(failure.code, "RECORD_NOT_FOUND");
}
