use serde_json::json;

use crate::fixture::{Analytics, web_event};
use crate::member_events::{ADA, GRACE, exported, publish, publish_history};

const ERASURE: &str = "ers_0192f0c0a00070008000000000000001";

async fn publish_erasure_request(analytics: &Analytics, id: &str, user_id: &str) {
    let data = json!({"erasureId": ERASURE, "userId": user_id, "services": ["checkout", "analytics"]});
    publish(analytics, id, "stillpoint.auth.erasure.requested", data).await;
}

async fn publish_report(analytics: &Analytics, service: &str) {
    let subject = format!("stillpoint.{service}.member_data.erased");
    let data = json!({"erasureId": ERASURE, "service": service});
    publish(analytics, &format!("report of {service}"), &subject, data).await;
}

#[tokio::test]
async fn erasure_deletes_events_and_messages_and_keeps_counts() {
    let analytics = Analytics::start().await;
    publish_history(&analytics).await;
    let counted = analytics.summary(1).await.unwrap();
    publish_erasure_request(&analytics, "r1", ADA).await;
    analytics
        .wait_until_count("select count(*) from erasure_job", 1)
        .await;
    analytics.test.rounds("erase", 1).await;
    assert_eq!(
        analytics
            .count("select count(*) from event where name not like '%erasure%'")
            .await,
        6,
        "other services have not reported"
    );

    publish_report(&analytics, "checkout").await;
    analytics
        .test
        .events("stillpoint.analytics.member_data.erased", 1)
        .await;
    analytics
        .wait_until_count("select count(*) from erasure_job", 0)
        .await;
    let of_ada =
        "select count(*) from event where event::text like '%0000000a%' and name not like '%erasure%'";
    assert_eq!(analytics.count(of_ada).await, 0);
    assert_eq!(
        analytics
            .count("select count(*) from event where event_id in ('g1', 'g2', 'n1')")
            .await,
        3
    );
    let remaining = analytics.test.events("stillpoint.web.>", 2).await;
    assert!(remaining.iter().all(|event| event.id != "a3"));
    assert_eq!(
        analytics.test.events("stillpoint.auth.user.registered", 1).await[0].id,
        "g1"
    );

    let after = analytics.summary(1).await.unwrap();
    for count in counted {
        assert!(after.contains(&count), "{count:?} was lost");
    }
}

#[tokio::test]
async fn late_event_is_counted_but_not_stored() {
    let analytics = Analytics::start().await;
    publish_history(&analytics).await;
    publish_erasure_request(&analytics, "r1", ADA).await;
    publish_report(&analytics, "checkout").await;
    analytics
        .test
        .events("stillpoint.analytics.member_data.erased", 1)
        .await;
    // In one batch with events of another member, which are stored.
    for (id, user) in [("p1", GRACE), ("late", ADA), ("p2", GRACE)] {
        let paid = json!({"userId": user, "orderId": format!("ord_{id}")});
        publish(&analytics, id, "stillpoint.checkout.order.paid", paid).await;
    }
    analytics
        .wait_until_count(
            "select coalesce(sum(count), 0)::bigint from daily_count where event like '%order.paid'",
            3,
        )
        .await;
    let kept = "select count(*) from event where event_id in ('p1', 'p2')";
    assert_eq!(analytics.count(kept).await, 2);
    assert_eq!(
        analytics
            .count("select count(*) from event where event_id = 'late'")
            .await,
        0
    );
}

#[tokio::test]
async fn member_is_found_by_hashes_in_web_events() {
    let analytics = Analytics::start().await;
    let mut user = web_event(1, "user");
    user.fields = [
        ("id".to_owned(), hashed(ADA)),
        ("email".to_owned(), hashed("ada@example.com")),
    ]
    .into();
    analytics
        .record(vec![user, web_event(2, "page_load")])
        .await
        .unwrap();
    analytics.wait_until_count("select count(*) from event", 2).await;
    assert_eq!(exported(&analytics, ADA).await, ["stillpoint.web.user"]);
    publish_erasure_request(&analytics, "r1", ADA).await;
    publish_report(&analytics, "checkout").await;
    analytics
        .test
        .events("stillpoint.analytics.member_data.erased", 1)
        .await;
    analytics
        .wait_until_count("select count(*) from event where name = 'stillpoint.web.user'", 0)
        .await;
}

fn hashed(text: &str) -> String {
    use sha2::{Digest, Sha256};
    hex::encode(Sha256::digest(text.as_bytes()))
}
