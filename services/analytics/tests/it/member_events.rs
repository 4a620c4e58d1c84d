//! Events of two members, shared by the tests of export and erasure.
use kit::bus::CloudEvent;
use proto::analytics::v1::ExportMemberRequest;
use serde_json::{Value, json};

use crate::fixture::Analytics;

pub const ADA: &str = "usr_0192f0c0a0007000800000000000000a";
pub const GRACE: &str = "usr_0192f0c0a0007000800000000000000b";
pub const SURVEY: &str = "svo_0192f0c0a0007000800000000000000c";

pub async fn publish(analytics: &Analytics, id: &str, subject: &str, data: Value) {
    let event = CloudEvent::new(id.to_owned(), subject, analytics.test.clock().now(), data);
    for _ in 0..100 {
        if analytics.test.context().bus.publish(&event).await.is_ok() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the stream takes no events");
}

pub async fn publish_history(analytics: &Analytics) {
    let registered = json!({"userId": ADA, "orderId": SURVEY, "emailHash": "x"});
    publish(analytics, "a1", "stillpoint.auth.user.registered", registered).await;
    publish(
        analytics,
        "a2",
        "stillpoint.checkout.survey_order.created",
        json!({"surveyOrderId": SURVEY, "abGroup": "b"}),
    )
    .await;
    let view = json!({"name": "pageload", "fields": {"userid": ADA, "pageType": "Home"}});
    publish(analytics, "a3", "stillpoint.web.pageload", view).await;
    // Another member names the same survey later.
    let registered = json!({"userId": GRACE, "orderId": SURVEY});
    analytics.test.clock().advance(chrono::TimeDelta::seconds(1));
    publish(analytics, "g1", "stillpoint.auth.user.registered", registered).await;
    let view = json!({"name": "pageload", "fields": {"userid": GRACE}});
    publish(analytics, "g2", "stillpoint.web.pageload", view).await;
    publish(
        analytics,
        "n1",
        "stillpoint.web.page_load",
        json!({"name": "page_load", "fields": {}}),
    )
    .await;
    analytics.wait_until_count("select count(*) from event", 6).await;
}

pub async fn exported(analytics: &Analytics, user_id: &str) -> Vec<String> {
    let request = ExportMemberRequest {
        user_id: user_id.to_owned(),
    };
    let mut pages = analytics
        .client()
        .export_member(request)
        .await
        .unwrap()
        .into_inner();
    let mut names = Vec::new();
    while let Some(page) = pages.message().await.unwrap() {
        names.extend(page.export.unwrap().events.into_iter().map(|event| event.name));
    }
    names
}
