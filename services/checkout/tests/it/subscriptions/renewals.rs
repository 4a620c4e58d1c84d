//! Renewals: fetched from Stripe, posted and emitted once, whatever triggers the sync.

use chrono::TimeDelta;
use sandbox::Action;

use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::{SubscriptionProbe, until};
use crate::support::test_env::TestEnv;

const MONTH: TimeDelta = TimeDelta::days(32);

#[tokio::test]
async fn each_period_is_one_payment_posted_and_emitted_once() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    let first_end = env.period_end().await;
    env.advance(MONTH).await;
    let emitted = env.events("subscription.renewed", 1).await;
    assert_eq!(emitted[0].data["amount"]["amountMinor"], "19999");
    assert_eq!(emitted[0].data["reason"], "renewal");
    assert_eq!(emitted[0].data["product"], "premium");
    assert!(env.period_end().await > first_end);
    env.until_idle().await;

    env.advance(MONTH).await;
    env.events("subscription.renewed", 2).await;
    assert_eq!(env.events("order.paid", 1).await.len(), 1);
    assert_eq!(env.events("subscription.activated", 1).await.len(), 1);
    assert_eq!(env.renewals().await.len(), 2);
    env.check_ledger().await;
}

#[tokio::test]
async fn webhooks_in_any_order_and_number_make_one_renewal() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    env.advance(MONTH).await;
    let mut events = env.fake_provider.events().await;
    events.reverse();
    for event in events.iter().chain(&events) {
        env.deliver(event).await;
    }
    env.events("subscription.renewed", 1).await;
    env.job_rounds(2).await;
    assert_eq!(env.renewals().await.len(), 1);
    env.events("subscription.renewed", 1).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn first_charge_after_a_trial_pays_the_order_and_the_next_is_a_renewal() {
    let env = TestEnv::start().await;
    env.buy("free-trial", APPROVED).await.unwrap();
    env.until_idle().await;
    env.advance(TimeDelta::days(31)).await;
    env.until_status("active").await;
    env.events("order.paid", 1).await;
    env.until_idle().await;
    assert_eq!(env.renewals().await.len(), 0);
    env.advance(TimeDelta::days(367)).await;
    env.events("subscription.renewed", env.charges().await - 1).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn charges_during_downtime_are_recorded_afterwards() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    env.fake_provider
        .sabotage_all("GET", "invoices*", Action::DropBefore {});
    env.advance(TimeDelta::days(95)).await;
    until(async || env.fake_provider.is_fault_active()).await;
    env.job_rounds(1).await;
    env.fake_provider.clear_faults();
    env.advance(TimeDelta::minutes(20)).await;
    env.events("subscription.renewed", 3).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn renewal_refunded_in_the_dashboard_is_posted() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    env.advance(MONTH).await;
    env.events("subscription.renewed", 1).await;
    let intent = env.renewals().await[0].provider_intent_id.clone().unwrap();
    env.fake_provider.refund_by_hand(&intent, 1000).await;
    for event in env.fake_provider.events().await {
        env.deliver(&event).await;
    }
    env.events("refund.succeeded", 1).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn cancellation_at_stripe_emits_one_canceled_event() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    env.cancel_in_dashboard().await;
    env.advance(MONTH).await;
    env.until_status("canceled").await;
    let emitted = env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "requested");
    env.advance(MONTH).await;
    until(async || env.count_due_syncs().await == 0).await;
    env.events("subscription.canceled", 1).await;
    assert_eq!(env.charges().await, 1);
    env.check_ledger().await;
}
