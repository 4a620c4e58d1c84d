use proto::content::v1::ListSamplesRequest;
use serde_json::{Value, json};

use crate::fixture::{record, start};

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
