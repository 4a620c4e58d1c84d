//! Renewals that PayPal charges, and the changes that PayPal supports.

use checkout::domain::invariants::violations;
use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{
    Cancel, Card, Change, Pause, Plan, Reactivate, Resume,
};
use sandbox::paypal::Buyer;
use sandbox::{Action, Fault};

use super::provider_setup::ProviderSetup;
use super::webhook_proxy::deliver;
use crate::privacy::erase_member::erase;
use crate::support::subscription_probe::SubscriptionProbe;
use crate::support::test_env::MEMBER;

const DAY: TimeDelta = TimeDelta::days(1);
const SUBSCRIPTIONS: &str = "/paypal/v1/billing/subscriptions/*";

async fn member() -> (ProviderSetup, String) {
    member_with(Buyer::Rich).await
}

async fn member_with(buyer: Buyer) -> (ProviderSetup, String) {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    let id = setup.offer().await;
    setup.agree(&id, buyer);
    setup.until_active().await;
    setup.rest().await;
    (setup, id)
}

impl ProviderSetup {
    pub fn hand_over(&self, id: &str, buyer: Buyer) {
        let sandbox = self.env.fake_provider.sandbox();
        sandbox
            .paypal()
            .set_buyer(id, buyer, sandbox.now().timestamp())
            .unwrap();
    }

    async fn available_actions(&self) -> Vec<String> {
        self.env.subscriptions().await[0].available_actions.clone()
    }

    fn pause(&self, days: i64) -> Change {
        let until = self.env.host.clock().now() + TimeDelta::days(days);
        Change::Pause(Pause {
            until: Some(until.into()),
        })
    }

    async fn refused(&self, change: Change) -> String {
        self.change(change).await.unwrap_err().code
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_period_is_posted_and_emitted_once() {
    let (setup, _) = member().await;
    let first_end = setup.paid_until().await;
    for month in 1..=3 {
        setup.to_the_next_period().await;
        setup.until_renewed(month).await;
        setup.rest().await;
        setup.check_sales(month + 1).await;
    }
    assert!(setup.paid_until().await > first_end + TimeDelta::days(85));
    let emitted = setup.env.events("subscription.renewed", 3).await;
    assert_eq!(emitted[0].data["reason"], "renewal");
    assert_eq!(emitted[0].data["product"], "premium");
    assert_eq!(emitted[0].data["userId"], MEMBER);
    for notification in setup.proxy.received().into_iter().rev() {
        deliver(&setup.env.checkout, notification).await.unwrap();
    }
    setup.rest().await;
    setup.check_sales(4).await;
    setup.env.events("subscription.renewed", 3).await;
    setup.env.events("order.paid", 1).await;
    assert_eq!(setup.env.subscriptions().await[0].receipts.len(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renewals_without_a_webhook_are_found() {
    let (setup, _) = member().await;
    setup.proxy.close();
    setup.to_the_next_period().await;
    setup.until_renewed(1).await;
    let fault = Fault::on("GET", SUBSCRIPTIONS, Action::DropBefore {});
    setup.env.fake_provider.sandbox().faults().add(fault.times(0));
    setup.env.advance(TimeDelta::days(62)).await;
    setup.env.fake_provider.clear_faults();
    setup.until_renewed(3).await;
    setup.rest().await;
    setup.check_sales(4).await;
    setup.env.events("subscription.renewed", 3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sale_webhooks_before_the_subscription_have_the_same_result() {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    setup.proxy.close();
    let id = setup.offer().await;
    setup.agree(&id, Buyer::Rich);
    setup.env.advance(TimeDelta::days(32)).await;
    let of = |sent: &[u8], kind: &str| String::from_utf8_lossy(sent).contains(kind);
    let sales = || {
        let received = setup.proxy.received().into_iter();
        received.filter(|sent| of(&sent.body, "PAYMENT.SALE.COMPLETED"))
    };
    setup.until("sold twice", async || sales().count() >= 2).await;
    let mut received = setup.proxy.received();
    received.sort_by_key(|sent| !of(&sent.body, "PAYMENT.SALE.COMPLETED"));
    received.reverse();
    let (activated, sold): (Vec<_>, Vec<_>) = received
        .into_iter()
        .partition(|sent| !of(&sent.body, "PAYMENT.SALE.COMPLETED"));
    for notification in sold.into_iter().chain(activated) {
        deliver(&setup.env.checkout, notification.clone()).await.unwrap();
        deliver(&setup.env.checkout, notification).await.unwrap();
    }
    setup.until_active().await;
    setup.until_renewed(setup.sales() - 1).await;
    setup.rest().await;
    setup.check_sales(setup.sales()).await;
    setup.env.events("order.paid", 1).await;
    setup.env.events("paypal_subscription.linked", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_payment_is_past_due_and_recovers() {
    let (setup, _) = member_with(Buyer::Late).await;
    setup.to_the_next_period().await;
    setup.until_it_is("past_due").await;
    setup.env.events("subscription.past_due", 1).await;
    let overdue = setup.env.subscriptions().await[0].overdue.clone().unwrap();
    assert_eq!(overdue.code, "payment_denied");
    assert_eq!(overdue.amount.unwrap().amount_minor, setup.price().await);
    assert_eq!(setup.available_actions().await, ["cancel"]);
    setup.env.advance(TimeDelta::days(4)).await;
    setup.until_renewed(1).await;
    setup.until_it_is("active").await;
    setup.rest().await;
    setup.check_sales(2).await;
    setup.env.events("subscription.past_due", 1).await;
    setup.env.events("subscription.recovered", 1).await;
    setup.env.events("subscription.canceled", 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unpaid_renewal_ends_with_the_grace() {
    let (setup, id) = member_with(Buyer::RunningDry).await;
    setup.to_the_next_period().await;
    setup.until_it_is("past_due").await;
    // From when the grace counts.
    setup.env.events("subscription.past_due", 1).await;
    setup.env.advance(TimeDelta::days(6)).await;
    setup.rest().await;
    assert_eq!(setup.status_at_paypal(&id).await, "SUSPENDED");
    assert_eq!(setup.status().await, "past_due", "there is access until then");
    setup.env.advance(TimeDelta::days(9)).await;
    setup.until_it_is("canceled").await;
    let emitted = setup.env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "unpaid");
    assert_eq!(setup.status_at_paypal(&id).await, "CANCELLED");
    setup.env.advance(TimeDelta::days(62)).await;
    setup.check_sales(1).await;
    setup.env.events("subscription.past_due", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn suspended_subscription_resumes_when_paid() {
    let (setup, id) = member_with(Buyer::RunningDry).await;
    setup.to_the_next_period().await;
    setup.until_it_is("past_due").await;
    setup.env.advance(TimeDelta::days(6)).await;
    setup.rest().await;
    assert_eq!(setup.status_at_paypal(&id).await, "SUSPENDED");
    setup.hand_over(&id, Buyer::Rich);
    setup.env.advance(TimeDelta::days(2)).await;
    setup.until_it_is("active").await;
    let goes_on = async || setup.status_at_paypal(&id).await == "ACTIVE";
    setup.until("active at PayPal", goes_on).await;
    setup.rest().await;
    setup.check_sales(2).await;
    setup.env.events("subscription.recovered", 1).await;
    setup.to_the_next_period().await;
    setup.until_renewed(2).await;
    setup.rest().await;
    setup.check_sales(3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renewal_clearing_for_days_is_not_past_due() {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    let id = setup.offer().await;
    setup.agree(&id, Buyer::Slow);
    setup.env.advance(TimeDelta::days(4)).await;
    setup.until_active().await;
    setup.to_the_next_period().await;
    setup.env.advance(TimeDelta::days(1)).await;
    assert_eq!(setup.env.renewals().await.len(), 0, "not cleared yet");
    setup.env.advance(TimeDelta::days(3)).await;
    setup.until_renewed(1).await;
    setup.rest().await;
    setup.check_sales(2).await;
    setup.env.events("subscription.past_due", 0).await;
    setup.env.events("subscription.paused", 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn canceled_subscription_lasts_for_the_paid_period_and_cannot_be_reactivated() {
    let (setup, id) = member().await;
    assert_eq!(setup.available_actions().await, ["cancel", "pause"]);
    let fault = Fault::on(
        "POST",
        &format!("{SUBSCRIPTIONS}/cancel"),
        Action::DropAfterCommit {},
    );
    setup.env.fake_provider.sandbox().faults().add(fault);
    setup.change(Change::Cancel(Cancel {})).await.unwrap();
    let is_known = async || setup.env.subscriptions().await[0].cancel_at.is_some();
    setup.until("known to end", is_known).await;
    assert_eq!(setup.status_at_paypal(&id).await, "CANCELLED");
    let held = setup.env.subscriptions().await.remove(0);
    assert_eq!(
        (held.status.as_str(), held.pending_change.as_str()),
        ("active", "")
    );
    assert!(held.available_actions.is_empty(), "{:?}", held.available_actions);
    assert_eq!(
        setup.refused(Change::Reactivate(Reactivate {})).await,
        "UNSUPPORTED_BY_PROVIDER"
    );
    setup.change(Change::Cancel(Cancel {})).await.unwrap();

    setup.env.advance(TimeDelta::days(26)).await;
    assert_eq!(setup.status().await, "active", "it is paid for");
    setup.env.advance(TimeDelta::days(6)).await;
    setup.until_it_is("canceled").await;
    let emitted = setup.env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "requested");
    setup.check_sales(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_unsupported_by_paypal_are_refused() {
    let (setup, id) = member().await;
    let card = Change::Card(Card {
        payment_method_id: "pm_1".into(),
    });
    assert_eq!(setup.refused(card).await, "UNSUPPORTED_BY_PROVIDER");
    let plan = Change::Plan(Plan {
        price_id: setup.env.subscriptions().await[0].price_id.clone(),
        prorated_at: Some(setup.env.host.clock().now().into()),
        due_now: setup.env.subscriptions().await[0].price.clone(),
    });
    assert_eq!(setup.refused(plan).await, "UNSUPPORTED_BY_PROVIDER");
    assert_eq!(setup.refused(setup.pause(200)).await, "PAUSE_TOO_LONG");
    assert_eq!(setup.status_at_paypal(&id).await, "ACTIVE");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pause_is_not_charged_and_ends_on_time() {
    let (setup, id) = member().await;
    let fault = Fault::on(
        "POST",
        &format!("{SUBSCRIPTIONS}/suspend"),
        Action::DropAfterCommit {},
    );
    setup.env.fake_provider.sandbox().faults().add(fault);
    setup.change(setup.pause(45)).await.unwrap();
    setup
        .until("paused", async || {
            setup.env.subscriptions().await[0].paused_until.is_some()
        })
        .await;
    assert_eq!(setup.status_at_paypal(&id).await, "SUSPENDED");
    assert_eq!(setup.available_actions().await, ["cancel", "resume"]);
    setup.env.events("subscription.paused", 0).await;
    setup.env.advance(TimeDelta::days(32)).await;
    setup.rest().await;
    setup.env.events("subscription.paused", 1).await;
    setup.check_sales(1).await;
    assert_eq!(setup.status().await, "active");

    setup.env.advance(TimeDelta::days(14)).await;
    let goes_on = async || setup.status_at_paypal(&id).await == "ACTIVE";
    setup.until("active at PayPal", goes_on).await;
    setup.check_sales(1).await;
    let held = setup.env.subscriptions().await.remove(0);
    assert!(held.paused_until.is_some(), "until PayPal charges again");
    setup.env.advance(TimeDelta::days(20)).await;
    setup.until_renewed(1).await;
    setup.rest().await;
    setup.check_sales(2).await;
    assert_eq!(setup.env.subscriptions().await[0].paused_until, None);
    setup.env.events("subscription.paused", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resuming_within_the_paid_period_loses_nothing() {
    let (setup, id) = member().await;
    setup.change(setup.pause(60)).await.unwrap();
    setup.change(setup.pause(40)).await.unwrap();
    setup.rest().await;
    let until = setup.env.subscriptions().await[0].paused_until.unwrap();
    let days = (until.seconds - setup.env.host.clock().now().timestamp()) / DAY.num_seconds();
    assert!((39..=40).contains(&days), "{days}");
    setup.change(Change::Resume(Resume {})).await.unwrap();
    setup.rest().await;
    assert_eq!(setup.status_at_paypal(&id).await, "ACTIVE");
    assert_eq!(setup.env.subscriptions().await[0].paused_until, None);
    assert_eq!(setup.available_actions().await, ["cancel", "pause"]);
    setup.to_the_next_period().await;
    setup.until_renewed(1).await;
    setup.env.events("subscription.paused", 0).await;
    setup.rest().await;
    setup.check_sales(2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renewal_is_refundable() {
    let (setup, _) = member().await;
    setup.to_the_next_period().await;
    setup.until_renewed(1).await;
    let sale = setup.env.renewals().await[0].provider_intent_id.clone().unwrap();
    setup.refund_at_paypal(&sale, "1.00").await;
    setup.until_refunds(&["succeeded"]).await;
    setup.env.events("refund.succeeded", 1).await;
    assert_eq!(
        setup.booked(Provider::Paypal).await,
        2 * setup.price().await - 100
    );
    setup.env.events("subscription.renewed", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reversal_is_posted_once() {
    let (setup, _) = member().await;
    setup.to_the_next_period().await;
    setup.until_renewed(1).await;
    let (price, accounts) = (setup.price().await, setup.env.accounts().await);
    let first = accounts[0].payments[0].provider_intent_id.clone().unwrap();
    setup.refund_at_paypal(&first, "1.00").await;
    setup.until_refunds(&["succeeded"]).await;
    // Its sale cannot be determined at that moment.
    let lost = Fault::on("GET", "/paypal/v1/payments/refund/*", Action::DropBefore {});
    setup.env.fake_provider.sandbox().faults().add(lost.times(2));
    setup.reverse_at_paypal(&first);
    setup.until_refunds(&["succeeded"; 2]).await;
    assert_eq!(setup.booked(Provider::Paypal).await, price, "the renewal's");
    let emitted = setup.env.events("refund.succeeded", 2).await;
    assert_eq!(emitted[1].data["reason"], "disputed");
    let renewal = setup.env.renewals().await[0].provider_intent_id.clone().unwrap();
    setup.reverse_at_paypal(&renewal);
    setup.until_refunds(&["succeeded"; 3]).await;
    assert_eq!(setup.booked(Provider::Paypal).await, 0);
    assert_eq!(setup.env.subscriptions().await[0].status, "active");
    assert_eq!(violations(&setup.env.accounts().await), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn erased_member_is_not_charged() {
    let (setup, id) = member().await;
    erase(&setup.env).await;
    assert_eq!(setup.status_at_paypal(&id).await, "CANCELLED");
    setup.env.advance(TimeDelta::days(62)).await;
    setup.check_sales(1).await;
    setup.env.events("subscription.renewed", 0).await;
}
