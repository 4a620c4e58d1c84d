//! A trial that PayPal charges after: who stays, who leaves, and who cannot pay.

use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{Cancel, Change};
use sandbox::paypal::Buyer;
use serde_json::json;

use super::shop::Shop;
use crate::life::Sold;
use crate::world::MEMBER;

const NOTICE: TimeDelta = TimeDelta::days(3);
const JUST_AFTER: TimeDelta = TimeDelta::minutes(5);

async fn on_trial(buyer: Buyer) -> (Shop, String) {
    let shop = Shop::open(Provider::Paypal).await;
    let plan = shop.plan_of("free-trial").await;
    let id = shop
        .subscribe_in_browser(&json!({ "plan_id": plan, "custom_id": MEMBER }))
        .await;
    shop.agree(&id, buyer);
    let is_on_trial = async || {
        let owned = shop.world.subscriptions().await;
        owned.first().is_some_and(|first| first.status == "trialing")
    };
    shop.until("on trial", is_on_trial).await;
    shop.rest().await;
    (shop, id)
}

impl Shop {
    /// Until so long after the trial's end.
    async fn wait_for_its_end(&self, after: TimeDelta) {
        let end = self.paid_until().await;
        self.world
            .advance(end + after - self.world.host.clock().now())
            .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_stays_pays_once_after_it_and_then_period_by_period() {
    let (shop, _) = on_trial(Buyer::Rich).await;
    let held = shop.world.subscriptions().await.remove(0);
    assert_eq!(
        (held.available_actions, held.cancel_at),
        (vec!["cancel".to_owned()], None)
    );
    shop.check_sales(0).await;
    shop.wait_for_its_end(-NOTICE).await;
    shop.world.events("subscription.trial_ending", 1).await;
    shop.rest().await;

    shop.wait_for_its_end(JUST_AFTER).await;
    shop.until_it_is("active").await;
    shop.world.events("order.paid", 1).await;
    shop.rest().await;
    shop.check_sales(1).await;
    assert_eq!(shop.world.renewals().await, []);
    shop.to_the_next_period().await;
    shop.until_renewed(1).await;
    shop.rest().await;
    shop.check_sales(2).await;
    shop.world.events("subscription.renewed", 1).await;
    shop.world.events("subscription.trial_ending", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_cancels_has_it_to_its_end_and_pays_nothing() {
    let (shop, id) = on_trial(Buyer::Rich).await;
    shop.wish(Change::Cancel(Cancel {})).await.unwrap();
    shop.rest().await;
    assert_eq!(shop.status_at_paypal(&id).await, "CANCELLED");
    let held = shop.world.subscriptions().await.remove(0);
    assert_eq!(held.status, "trialing");
    assert!(held.cancel_at.is_some());
    assert_eq!(held.cancel_at, held.current_period_end);
    // PayPal undoes no cancel.
    assert!(held.available_actions.is_empty(), "{held:?}");

    shop.wait_for_its_end(JUST_AFTER).await;
    shop.until_it_is("canceled").await;
    let told = shop.world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "requested");
    shop.world.events("order.paid", 0).await;
    shop.world.events("subscription.trial_ending", 0).await;
    shop.check_sales(0).await;
    let over = shop.world.subscriptions().await.remove(0);
    assert_eq!(over.subscription_id, held.subscription_id);
    assert!(over.receipts.is_empty(), "{over:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_cannot_pay_after_it_is_past_due_and_then_ends() {
    let (shop, _) = on_trial(Buyer::Empty).await;
    shop.wait_for_its_end(JUST_AFTER).await;
    shop.until_it_is("past_due").await;
    shop.world.events("subscription.past_due", 1).await;
    shop.rest().await;
    shop.world.advance(TimeDelta::days(15)).await;
    shop.until_it_is("canceled").await;
    let told = shop.world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "unpaid");
    shop.check_sales(0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn account_that_has_begun_a_trial_begins_none_for_another_member() {
    const ANOTHER: &str = "usr_0192f0c0a0007000800000000000000b";

    let (shop, _) = on_trial(Buyer::Rich).await;
    shop.door.close();
    // As another member's page has it: to the first one it is offered no more.
    let plan: String = sqlx::query_scalar("select paypal_plan_id from price join orders using (price_id)")
        .fetch_one(&shop.world.pool().await)
        .await
        .unwrap();
    let again = async |buyer| {
        let id = shop
            .subscribe_in_browser(&json!({ "plan_id": plan, "custom_id": ANOTHER }))
            .await;
        shop.agree(&id, buyer);
        id
    };
    let refused = again(Buyer::Rich).await;
    assert_eq!(
        shop.link_as(ANOTHER, &refused).await.unwrap_err().code,
        "TRIAL_ALREADY_USED"
    );
    assert_eq!(shop.status_at_paypal(&refused).await, "CANCELLED");
    let own = again(Buyer::Late).await;
    assert_eq!(shop.link_as(ANOTHER, &own).await.unwrap(), "trialing");
}
