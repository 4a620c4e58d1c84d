use chrono::TimeDelta;

use crate::fixture::{Analytics, activated};

const MONTHS: &str = "select count(*) from pg_inherits where inhparent = 'event'::regclass";
const IN_DEFAULT: &str = "select count(*) from event_default";
const IN_MARCH: &str = "select count(*) from event where tableoid = to_regclass('event_2027_03')";

#[tokio::test]
async fn current_and_next_three_months_have_a_partition() {
    let analytics = Analytics::start().await;
    // Four months and the default partition.
    analytics.wait_until_count(MONTHS, 5).await;
    analytics.publish(&activated("e1", "2026-12-31T23:59:59Z")).await;
    analytics
        .wait_until_count("select count(*) from event_2026_12", 1)
        .await;
    assert_eq!(analytics.count(IN_DEFAULT).await, 0);
}

#[tokio::test]
async fn events_move_from_the_default_partition_to_their_months() {
    let analytics = Analytics::start().await;
    analytics.wait_until_count(MONTHS, 5).await;
    analytics
        .publish(&activated("early", "2027-03-01T00:00:00Z"))
        .await;
    analytics
        .publish(&activated("ancient", "1999-01-01T00:00:00Z"))
        .await;
    analytics.wait_until_count(IN_DEFAULT, 2).await;

    analytics.test.clock().advance(TimeDelta::days(15));
    analytics.wait_until_count(IN_MARCH, 1).await;
    assert_eq!(analytics.count(IN_DEFAULT).await, 1);
    assert_eq!(analytics.count("select count(*) from event").await, 2);
}
