use chrono::TimeDelta;
use proto::Timestamp;
use proto::analytics::v1::WebEvent;

use crate::fixture::{Analytics, web_event};

const COUNTED: &str = "select coalesce(sum(count), 0)::bigint from daily_count";

#[tokio::test]
async fn batch_is_on_the_stream_when_the_call_returns() {
    let analytics = Analytics::start().await;
    let batch = vec![web_event(1, "page_load"), web_event(2, "b2b_bookademo")];
    assert_eq!(analytics.record(batch.clone()).await.unwrap(), 2);

    let events = analytics.test.events("stillpoint.web.>", 2).await;
    assert_eq!(events[0].id, batch[0].event_id);
    assert_eq!(events[0].r#type, "stillpoint.web.page_load");
    assert_eq!(events[0].data["name"], "page_load");
    assert_eq!(events[0].data["fields"]["page_type"], "Home");
    assert_eq!(
        (events[0].lang.as_deref(), events[0].country.as_deref()),
        (Some("tr"), Some("TR"))
    );
    assert_eq!(events[1].r#type, "stillpoint.web.b2b_bookademo");
    analytics.wait_until_count(COUNTED, 2).await;
}

#[tokio::test]
async fn repeated_batch_is_counted_once() {
    let analytics = Analytics::start().await;
    let batch: Vec<WebEvent> = (0..100).map(|n| web_event(n, "page_load")).collect();
    for _ in 0..3 {
        assert_eq!(analytics.record(batch.clone()).await.unwrap(), 100);
    }
    analytics.wait_until_count(COUNTED, 100).await;
}

#[tokio::test]
async fn invalid_event_rejects_the_batch_with_all_errors() {
    let analytics = Analytics::start().await;
    let old = analytics.test.clock().now() - TimeDelta::days(8);
    let bad = WebEvent {
        event_id: "7".to_owned(),
        name: "Page.Load".to_owned(),
        fields: [("k".to_owned(), "v".repeat(1025))].into(),
        occurred_at: Some(Timestamp::from(old)),
    };
    let refused = analytics
        .record(vec![web_event(1, "page_load"), bad])
        .await
        .unwrap_err();

    assert_eq!(refused.code, "VALIDATION_FAILED");
    let fields: Vec<&str> = refused.fields.iter().map(|error| error.field.as_str()).collect();
    let expected = [
        "events[1].id",
        "events[1].name",
        "events[1].fields[0]",
        "events[1].occurred_at",
    ];
    assert_eq!(fields, expected);
    analytics.wait_until_count(COUNTED, 0).await;
}

#[tokio::test]
async fn batch_size_is_limited() {
    let analytics = Analytics::start().await;
    assert_eq!(analytics.record(Vec::new()).await.unwrap(), 0);
    let too_many = (0..101).map(|n| web_event(n, "page_load")).collect();
    assert_eq!(
        analytics.record(too_many).await.unwrap_err().fields[0].field,
        "events"
    );
}

#[tokio::test]
async fn personal_data_is_redacted_before_the_stream() {
    let analytics = Analytics::start().await;
    let hash = "0af9".repeat(16);
    let fields = |pairs: [(&str, &str); 2]| pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    let page = WebEvent {
        fields: fields([
            (
                "url",
                "https://stillpoint.example/en/?token=s3cret&utm_source=mail",
            ),
            ("section", "ada@example.org"),
        ]),
        ..web_event(1, "page_load")
    };
    let user = WebEvent {
        fields: fields([("email", &hash), ("id", &hash)]),
        ..web_event(2, "user")
    };
    let numbers = WebEvent {
        fields: fields([("button", "4242 4242 4242 4242"), ("section", "05321234567")]),
        ..web_event(3, "page_load")
    };
    let named = WebEvent {
        fields: fields([("mobile", "5321234567"), ("value", "5321234567")]),
        ..web_event(4, "page_load")
    };
    let batch = vec![page, user.clone(), numbers, named];
    analytics.record(batch).await.unwrap();

    let events = analytics.test.events("stillpoint.web.>", 4).await;
    let field = |index: usize, name: &str| events[index].data["fields"][name].as_str().unwrap().to_owned();
    assert_eq!(field(0, "url"), "https://stillpoint.example/en/?utm_source=mail");
    assert_eq!(field(0, "section"), "[removed]");
    assert_ne!(
        field(1, "email"),
        hash,
        "a plain hash of an address can be reversed"
    );
    assert_eq!((field(1, "email").len(), field(1, "email")), (64, field(1, "id")));
    for (index, name) in [(2, "button"), (2, "section"), (3, "mobile")] {
        assert_eq!(field(index, name), "[removed]", "{name}");
    }
    assert_eq!(field(3, "value"), "5321234567", "it may be an id");

    let bare = WebEvent {
        fields: fields([("email", "ada@example.org"), ("id", &hash)]),
        ..user
    };
    let refused = analytics.record(vec![bare]).await.unwrap_err();
    assert_eq!(refused.fields[0].code, "NOT_A_HASH");
}
