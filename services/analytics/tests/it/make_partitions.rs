use chrono::TimeDelta;

use crate::fixture::{Analytics, activated};

const MONTHS: &str = "select count(*) from pg_inherits where inhparent = 'event'::regclass";
const WAITING: &str = "select count(*) from event_default";
const IN_MARCH: &str = "select count(*) from event where tableoid = to_regclass('event_2027_03')";

#[tokio::test]
async fn this_month_and_three_more_have_a_partition() {
    let analytics = Analytics::start().await;
    // Four months and the default partition.
    analytics.settles_at(MONTHS, 5).await;
    analytics.publish(&activated("e1", "2026-12-31T23:59:59Z")).await;
    analytics
        .settles_at("select count(*) from event_2026_12", 1)
        .await;
    assert_eq!(analytics.count(WAITING).await, 0);
}

#[tokio::test]
async fn an_event_nobody_foresaw_waits_and_moves_when_its_month_comes_near() {
    let analytics = Analytics::start().await;
    analytics.settles_at(MONTHS, 5).await;
    analytics
        .publish(&activated("early", "2027-03-01T00:00:00Z"))
        .await;
    analytics
        .publish(&activated("ancient", "1999-01-01T00:00:00Z"))
        .await;
    analytics.settles_at(WAITING, 2).await;

    analytics.test.clock().advance(TimeDelta::days(15));
    analytics.settles_at(IN_MARCH, 1).await;
    assert_eq!(analytics.count(WAITING).await, 1);
    assert_eq!(analytics.count("select count(*) from event").await, 2);
}
