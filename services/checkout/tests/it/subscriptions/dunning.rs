//! Declined renewals: grace, retries by decline class, and an end after which no attempt follows.

use chrono::TimeDelta;
use sandbox::Action;

use crate::support::fake_provider::{APPROVED, DECLINED_WHEN_CHARGED};
use crate::support::subscription_probe::{SubscriptionProbe, until};
use crate::support::test_env::TestEnv;

const MONTH: TimeDelta = TimeDelta::days(32);
const DAY: TimeDelta = TimeDelta::days(1);

/// A member whose second month is declined.
pub async fn overdue(refusal: &str) -> TestEnv {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    env.fake_provider.set_decline(Some(refusal)).await;
    env.advance(MONTH).await;
    env.until_status("past_due").await;
    env.events("subscription.past_due", 1).await;
    env.until_auto_advance_disabled().await;
    env
}

#[tokio::test]
async fn overdue_renewal_is_retried_on_schedule_and_recovers() {
    let env = overdue("insufficient_funds").await;
    let emitted = env.events("subscription.past_due", 1).await;
    assert_eq!(emitted[0].data["code"], "insufficient_funds");
    assert_eq!(emitted[0].data["amount"]["amountMinor"], "19999");
    let before = env.attempts().await;

    env.advance(DAY).await;
    until(async || env.attempts().await == before + 1).await;
    env.fake_provider.set_decline(None).await;
    env.advance(DAY * 2).await;
    env.until_status("active").await;
    env.events("subscription.recovered", 1).await;
    env.events("subscription.renewed", 1).await;
    env.events("subscription.past_due", 1).await;
    assert_eq!(env.charges().await, 2);
    env.check_ledger().await;
}

#[tokio::test]
async fn lost_card_is_not_retried_and_access_ends_with_the_grace() {
    let env = overdue("lost_card").await;
    let before = env.attempts().await;
    for _ in 0..13 {
        env.advance(DAY).await;
        env.job_rounds(1).await;
    }
    assert_eq!(env.subscriptions().await[0].status, "past_due");
    assert_eq!(env.attempts().await, before);

    env.advance(DAY * 2).await;
    env.until_status("canceled").await;
    let emitted = env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "unpaid");
    env.events("subscription.recovered", 0).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn no_attempt_follows_a_cancel() {
    let env = overdue("insufficient_funds").await;
    env.end_in_dashboard().await;
    env.advance(TimeDelta::minutes(20)).await;
    let ended = async || env.subscriptions().await[0].status == "canceled";
    for _ in 0..50 {
        if ended().await {
            break;
        }
        env.advance(TimeDelta::hours(1)).await;
        env.job_rounds(1).await;
    }
    env.events("subscription.canceled", 1).await;
    let before = env.attempts().await;
    env.fake_provider.set_decline(None).await;
    for _ in 0..20 {
        env.advance(DAY).await;
        env.job_rounds(1).await;
    }
    assert_eq!(env.attempts().await, before);
    assert_eq!(env.charges().await, 1);
    until(async || env.count_due_syncs().await == 0).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn lost_answer_to_a_retry_is_repeated_and_charges_once() {
    for action in [Action::DropAfterCommit {}, Action::DropBefore {}] {
        let env = overdue("insufficient_funds").await;
        env.fake_provider.set_decline(None).await;
        env.fake_provider.inject_fault("POST", "invoices/*/pay", action);
        env.advance(DAY).await;
        until(async || env.fake_provider.is_fault_active()).await;
        env.advance(TimeDelta::minutes(1)).await;
        env.until_status("active").await;
        env.events("subscription.recovered", 1).await;
        env.events("subscription.renewed", 1).await;
        assert_eq!(env.charges().await, 2);
        env.check_ledger().await;
    }
}

#[tokio::test]
async fn first_charge_after_a_trial_has_the_same_grace() {
    let env = TestEnv::start().await;
    env.buy("web-annual", DECLINED_WHEN_CHARGED).await.unwrap();
    env.until_idle().await;
    env.advance(TimeDelta::seconds(7 * 86_400 + 120)).await;
    env.until_status("past_due").await;
    env.events("subscription.past_due", 1).await;
    env.until_auto_advance_disabled().await;
    env.fake_provider.set_decline(None).await;
    env.advance(DAY * 3).await;
    env.until_status("active").await;
    env.events("order.paid", 1).await;
    env.events("subscription.recovered", 1).await;
    env.events("subscription.renewed", 0).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn member_is_reminded_once_before_the_trial_ends() {
    let env = TestEnv::start().await;
    env.buy("web-annual", APPROVED).await.unwrap();
    env.until_idle().await;
    env.advance(DAY * 3).await;
    env.job_rounds(2).await;
    env.events("subscription.trial_ending", 0).await;
    env.advance(DAY * 2).await;
    let emitted = env.events("subscription.trial_ending", 1).await;
    assert_eq!(emitted[0].data["amount"]["currency"], "TRY");
    env.advance(DAY).await;
    env.job_rounds(2).await;
    env.events("subscription.trial_ending", 1).await;
}
