use kit::error::{Failure, Kind};
use serde_json::json;

use crate::fixture::{block, chrome, fields, start};

#[tokio::test]
async fn change_emits_one_event_and_a_repeat_emits_none() {
    let (host, mut client) = start().await;
    for (quote, changes) in [("Breathe", true), ("Breathe", false), ("Rest", true)] {
        let answer = client
            .publish_chrome(chrome("ar", quote))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(answer.changed, changes, "{quote}");
    }
    let events = host.events("stillpoint.content.chrome.published", 2).await;
    assert_eq!(events[0].data, json!({"locale": "ar"}));
    assert_eq!(events[0].lang.as_deref(), Some("ar"));
}

#[tokio::test]
async fn errors_of_both_records_are_returned_at_once() {
    let (_host, mut client) = start().await;
    let mut wrong = chrome("xx", "Breathe");
    wrong.navigation = Some(block(
        "Navigation",
        &json!({"menu": [{"id": "a", "category": "A"}]}),
    ));
    wrong.footer = None;
    let failure = Failure::from_status(&client.publish_chrome(wrong).await.unwrap_err());
    assert_eq!(failure.kind, Kind::Invalid);
    let expected = [
        "locale",
        "navigation.logo.url",
        "navigation.logo.alt",
        "navigation.menu[0].categoryUrl",
        "footer",
    ];
    assert_eq!(fields(&failure), expected);
}
