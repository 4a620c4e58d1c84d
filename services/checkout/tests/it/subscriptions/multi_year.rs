//! Fourteen months of a subscription, begun at awkward moments of five time zones: the night clocks go forward, the hour
//! that comes twice, a leap day, the last day of a long month, and midnight at the date line.

use chrono::{DateTime, Months, TimeDelta, Utc};
use proto::checkout::v1::change_subscription_request::{Cancel, Card, Change, Reactivate};

use crate::subscriptions::change_subscription::request_change;
use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::{SubscriptionProbe, until};
use crate::support::test_env::TestEnv;

const MONTHS: u32 = 14;
const DECLINED_IN: u32 = 4;
const CARD_IN: u32 = 7;
const KEPT_IN: u32 = 9;

async fn live(begun: &str) {
    let env = TestEnv::start().await;
    let begun: DateTime<Utc> = begun.parse().unwrap();
    env.advance(begun - env.host.clock().now()).await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    let anchor = env.host.clock().now();
    for month in 1..=MONTHS {
        env.until_idle().await;
        if month == DECLINED_IN {
            env.fake_provider.set_decline(Some("insufficient_funds")).await;
        }
        let end = DateTime::from_timestamp(env.period_end().await, 0).unwrap();
        let expected = anchor.checked_add_months(Months::new(month)).unwrap();
        assert_eq!(end.timestamp(), expected.timestamp(), "{begun}, month {month}");
        env.advance(end + TimeDelta::minutes(2) - env.host.clock().now())
            .await;
        if month == DECLINED_IN {
            recover(&env).await;
        }
        let renewed = usize::try_from(month).unwrap();
        until(async || env.renewals().await.len() == renewed).await;
        if month == CARD_IN {
            let payment_method_id = env.fake_provider.card("5555555555554444").await;
            request_change(&env, Change::Card(Card { payment_method_id }))
                .await
                .unwrap();
        }
        if month == KEPT_IN {
            request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
            request_change(&env, Change::Reactivate(Reactivate {}))
                .await
                .unwrap();
        }
    }
    check(&env, anchor).await;
}

async fn recover(env: &TestEnv) {
    env.until_status("past_due").await;
    env.until_auto_advance_disabled().await;
    env.until_idle().await;
    env.fake_provider.set_decline(None).await;
    env.advance(TimeDelta::days(1)).await;
    env.until_status("active").await;
}

/// Each month is paid once, one after the other, at the same time of day.
async fn check(env: &TestEnv, anchor: DateTime<Utc>) {
    let renewals = env.renewals().await;
    for (renewal, month) in renewals.iter().zip(1..) {
        let from = anchor.checked_add_months(Months::new(month)).unwrap();
        let until = anchor.checked_add_months(Months::new(month + 1)).unwrap();
        assert_eq!(renewal.period_start.timestamp(), from.timestamp());
        assert_eq!(renewal.period_end.timestamp(), until.timestamp());
    }
    let months = usize::try_from(MONTHS).unwrap();
    assert_eq!((renewals.len(), env.charges().await), (months, months + 1));
    for (event, count) in [
        ("subscription.renewed", months),
        ("subscription.past_due", 1),
        ("subscription.recovered", 1),
        ("subscription.canceled", 0),
        ("order.paid", 1),
    ] {
        env.events(event, count).await;
    }
    let subscription = &env.subscriptions().await[0];
    assert_eq!(
        (subscription.status.as_str(), &*subscription.card_last4),
        ("active", "4444")
    );
    assert_eq!(subscription.receipts.len(), months + 1);
    env.check_ledger().await;
}

/// Half past two in Berlin, in the night in which clocks go forward to three.
#[tokio::test]
async fn from_the_hour_that_is_missing_in_berlin() {
    live("2027-03-28T01:30:00Z").await;
}

/// Half past one in New York, in the night in which that hour comes twice.
#[tokio::test]
async fn from_the_hour_that_comes_twice_in_new_york() {
    live("2027-11-07T06:30:00Z").await;
}

/// Noon of the leap day in Istanbul.
#[tokio::test]
async fn from_the_leap_day_in_istanbul() {
    live("2028-02-29T09:00:00Z").await;
}

/// The last minutes of a January in Tokyo; on the way there is a leap day.
#[tokio::test]
async fn from_the_last_of_a_long_month_in_tokyo() {
    live("2027-01-31T14:55:00Z").await;
}

/// New year's midnight in Auckland, while it is still the year before in most of the world.
#[tokio::test]
async fn from_new_year_in_auckland() {
    live("2026-12-31T11:00:00Z").await;
}
