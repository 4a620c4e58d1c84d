//! Trials at PayPal: continued, canceled, and declined.

use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{Cancel, Change};
use sandbox::paypal::Buyer;
use serde_json::json;

use super::provider_setup::ProviderSetup;
use crate::support::subscription_probe::SubscriptionProbe;
use crate::support::test_env::MEMBER;

const NOTICE: TimeDelta = TimeDelta::days(3);
const JUST_AFTER: TimeDelta = TimeDelta::minutes(5);

async fn on_trial(buyer: Buyer) -> (ProviderSetup, String) {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    let plan = setup.plan_of("free-trial").await;
    let id = setup
        .subscribe_in_browser(&json!({ "plan_id": plan, "custom_id": MEMBER }))
        .await;
    setup.agree(&id, buyer);
    let is_on_trial = async || {
        let owned = setup.env.subscriptions().await;
        owned.first().is_some_and(|first| first.status == "trialing")
    };
    setup.until("on trial", is_on_trial).await;
    setup.rest().await;
    (setup, id)
}

impl ProviderSetup {
    /// Until so long after the trial's end.
    async fn wait_for_its_end(&self, after: TimeDelta) {
        let end = self.paid_until().await;
        self.env.advance(end + after - self.env.host.clock().now()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn continued_trial_pays_once_and_then_each_period() {
    let (setup, _) = on_trial(Buyer::Rich).await;
    let held = setup.env.subscriptions().await.remove(0);
    assert_eq!(
        (held.available_actions, held.cancel_at),
        (vec!["cancel".to_owned()], None)
    );
    setup.check_sales(0).await;
    setup.wait_for_its_end(-NOTICE).await;
    setup.env.events("subscription.trial_ending", 1).await;
    setup.rest().await;

    setup.wait_for_its_end(JUST_AFTER).await;
    setup.until_it_is("active").await;
    setup.env.events("order.paid", 1).await;
    setup.rest().await;
    setup.check_sales(1).await;
    assert_eq!(setup.env.renewals().await, []);
    setup.to_the_next_period().await;
    setup.until_renewed(1).await;
    setup.rest().await;
    setup.check_sales(2).await;
    setup.env.events("subscription.renewed", 1).await;
    setup.env.events("subscription.trial_ending", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn canceled_trial_lasts_to_its_end_without_a_charge() {
    let (setup, id) = on_trial(Buyer::Rich).await;
    setup.change(Change::Cancel(Cancel {})).await.unwrap();
    setup.rest().await;
    assert_eq!(setup.status_at_paypal(&id).await, "CANCELLED");
    let held = setup.env.subscriptions().await.remove(0);
    assert_eq!(held.status, "trialing");
    assert!(held.cancel_at.is_some());
    assert_eq!(held.cancel_at, held.current_period_end);
    // PayPal undoes no cancel.
    assert!(held.available_actions.is_empty(), "{held:?}");

    setup.wait_for_its_end(JUST_AFTER).await;
    setup.until_it_is("canceled").await;
    let emitted = setup.env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "requested");
    setup.env.events("order.paid", 0).await;
    setup.env.events("subscription.trial_ending", 0).await;
    setup.check_sales(0).await;
    let over = setup.env.subscriptions().await.remove(0);
    assert_eq!(over.subscription_id, held.subscription_id);
    assert!(over.receipts.is_empty(), "{over:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn declined_charge_after_a_trial_is_past_due_and_then_ends() {
    let (setup, _) = on_trial(Buyer::Empty).await;
    setup.wait_for_its_end(JUST_AFTER).await;
    setup.until_it_is("past_due").await;
    setup.env.events("subscription.past_due", 1).await;
    setup.rest().await;
    setup.env.advance(TimeDelta::days(15)).await;
    setup.until_it_is("canceled").await;
    let emitted = setup.env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "unpaid");
    setup.check_sales(0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paypal_account_starts_one_free_trial() {
    const ANOTHER: &str = "usr_0192f0c0a0007000800000000000000b";

    let (setup, _) = on_trial(Buyer::Rich).await;
    setup.proxy.close();
    // As another member's page has it: to the first one it is offered no more.
    let plan: String = sqlx::query_scalar("select paypal_plan_id from price join orders using (price_id)")
        .fetch_one(&setup.env.pool().await)
        .await
        .unwrap();
    let again = async |buyer| {
        let id = setup
            .subscribe_in_browser(&json!({ "plan_id": plan, "custom_id": ANOTHER }))
            .await;
        setup.agree(&id, buyer);
        id
    };
    let refused = again(Buyer::Rich).await;
    assert_eq!(
        setup.link_as(ANOTHER, &refused).await.unwrap_err().code,
        "TRIAL_ALREADY_USED"
    );
    assert_eq!(setup.status_at_paypal(&refused).await, "CANCELLED");
    let own = again(Buyer::Late).await;
    assert_eq!(setup.link_as(ANOTHER, &own).await.unwrap(), "trialing");
}
