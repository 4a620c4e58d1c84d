use crate::fixture::{ACTIVATED, Analytics, activated, web_event};

const COUNTED: &str = "select coalesce(sum(count), 0)::bigint from daily_count";

#[tokio::test]
async fn counts_are_by_utc_day_newest_first() {
    let analytics = Analytics::start().await;
    for (id, at) in [
        ("e1", "2026-11-18T23:59:59Z"),
        ("e2", "2026-11-19T00:00:00Z"),
        // Still the 19th in UTC.
        ("e3", "2026-11-20T02:30:00+03:00"),
        ("e4", "2026-11-20T09:00:00Z"),
    ] {
        analytics.publish(&activated(id, at)).await;
    }
    analytics
        .record(vec![web_event(1, "page_load"), web_event(2, "page_load")])
        .await
        .unwrap();
    analytics.wait_until_count(COUNTED, 6).await;

    let counted = |day: &str, event: &str, count: i64| (day.to_owned(), event.to_owned(), count);
    let expected = [
        counted("2026-11-20", ACTIVATED, 1),
        counted("2026-11-20", "stillpoint.web.page_load", 2),
        counted("2026-11-19", ACTIVATED, 2),
        counted("2026-11-18", ACTIVATED, 1),
    ];
    assert_eq!(analytics.summary(0).await.unwrap(), expected);
    assert_eq!(analytics.summary(2).await.unwrap(), expected[..3]);
    assert_eq!(analytics.summary(1).await.unwrap(), expected[..2]);
}

#[tokio::test]
async fn summary_without_events_is_empty() {
    let analytics = Analytics::start().await;
    assert!(analytics.summary(366).await.unwrap().is_empty());
}

#[tokio::test]
async fn period_out_of_range_is_rejected() {
    let analytics = Analytics::start().await;
    for days in [-1, 367] {
        assert_eq!(analytics.summary(days).await.unwrap_err().fields[0].field, "days");
    }
}
