use serde_json::{Value, json};

use crate::fixture::{props, record, start};
use crate::reading::get_record::read;

pub fn hero(text: &str) -> Value {
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
