//! Renewals that PayPal charges by itself, and what a member can have of PayPal.

use std::collections::BTreeMap;

use checkout::domain::invariants::violations;
use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use proto::checkout::v1::LinkPaypalSubscriptionRequest;
use proto::checkout::v1::change_subscription_request::{
    Cancel, Card, Change, Pause, Plan, Reactivate, Resume,
};
use proto::common::v1::Tracking;
use sandbox::paypal::Buyer;
use sandbox::{Action, Fault};

use super::door::deliver;
use super::shop::Shop;
use crate::erase_member::erase;
use crate::life::Sold;
use crate::world::MEMBER;

const DAY: TimeDelta = TimeDelta::days(1);
const SUBSCRIPTIONS: &str = "/paypal/v1/billing/subscriptions/*";

async fn member() -> (Shop, String) {
    member_with(Buyer::Rich).await
}

async fn member_with(buyer: Buyer) -> (Shop, String) {
    let shop = Shop::open(Provider::Paypal).await;
    let id = shop.offer().await;
    shop.agree(&id, buyer);
    shop.until_active().await;
    shop.rest().await;
    (shop, id)
}

impl Shop {
    pub fn hand_over(&self, id: &str, buyer: Buyer) {
        let sandbox = self.world.twin.sandbox();
        sandbox
            .paypal()
            .hand_over(id, buyer, sandbox.now().timestamp())
            .unwrap();
    }

    async fn wishes(&self) -> Vec<String> {
        self.world.subscriptions().await[0].available_actions.clone()
    }

    fn pause(&self, days: i64) -> Change {
        let until = self.world.host.clock().now() + TimeDelta::days(days);
        Change::Pause(Pause {
            until: Some(until.into()),
        })
    }

    async fn refused(&self, wish: Change) -> String {
        self.wish(wish).await.unwrap_err().code
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_period_is_booked_and_told_once() {
    let (shop, _) = member().await;
    let first_end = shop.paid_until().await;
    for month in 1..=3 {
        shop.to_the_next_period().await;
        shop.until_renewed(month).await;
        shop.rest().await;
        shop.check_sales(month + 1).await;
    }
    assert!(shop.paid_until().await > first_end + TimeDelta::days(85));
    let told = shop.world.events("subscription.renewed", 3).await;
    assert_eq!(told[0].data["reason"], "renewal");
    assert_eq!(told[0].data["product"], "premium");
    assert_eq!(told[0].data["userId"], MEMBER);
    for told in shop.door.heard().into_iter().rev() {
        deliver(&shop.world.checkout, told).await.unwrap();
    }
    shop.rest().await;
    shop.check_sales(4).await;
    shop.world.events("subscription.renewed", 3).await;
    shop.world.events("order.paid", 1).await;
    assert_eq!(shop.world.subscriptions().await[0].receipts.len(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renewals_that_nobody_tells_of_are_found() {
    let (shop, _) = member().await;
    shop.door.close();
    shop.to_the_next_period().await;
    shop.until_renewed(1).await;
    let fault = Fault::on("GET", SUBSCRIPTIONS, Action::DropBefore {});
    shop.world.twin.sandbox().faults().add(fault.times(0));
    shop.world.advance(TimeDelta::days(62)).await;
    shop.world.twin.end_sabotage();
    shop.until_renewed(3).await;
    shop.rest().await;
    shop.check_sales(4).await;
    shop.world.events("subscription.renewed", 3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sales_told_before_the_subscription_come_to_the_same() {
    let shop = Shop::open(Provider::Paypal).await;
    shop.door.close();
    let id = shop.offer().await;
    shop.agree(&id, Buyer::Rich);
    shop.world.advance(TimeDelta::days(32)).await;
    let of = |told: &[u8], kind: &str| String::from_utf8_lossy(told).contains(kind);
    let sales = || {
        let heard = shop.door.heard().into_iter();
        heard.filter(|told| of(&told.body, "PAYMENT.SALE.COMPLETED"))
    };
    shop.until("sold twice", async || sales().count() >= 2).await;
    let mut heard = shop.door.heard();
    heard.sort_by_key(|told| !of(&told.body, "PAYMENT.SALE.COMPLETED"));
    heard.reverse();
    let (activated, sold): (Vec<_>, Vec<_>) = heard
        .into_iter()
        .partition(|told| !of(&told.body, "PAYMENT.SALE.COMPLETED"));
    for told in sold.into_iter().chain(activated) {
        deliver(&shop.world.checkout, told.clone()).await.unwrap();
        deliver(&shop.world.checkout, told).await.unwrap();
    }
    shop.until_active().await;
    shop.until_renewed(shop.sales() - 1).await;
    shop.rest().await;
    shop.check_sales(shop.sales()).await;
    shop.world.events("order.paid", 1).await;
    shop.world.events("paypal_subscription.linked", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_fails_once_is_past_due_and_recovers() {
    let (shop, _) = member_with(Buyer::Late).await;
    shop.to_the_next_period().await;
    shop.until_it_is("past_due").await;
    shop.world.events("subscription.past_due", 1).await;
    let overdue = shop.world.subscriptions().await[0].overdue.clone().unwrap();
    assert_eq!(overdue.code, "payment_denied");
    assert_eq!(overdue.amount.unwrap().amount_minor, shop.price().await);
    assert_eq!(shop.wishes().await, ["cancel"]);
    shop.world.advance(TimeDelta::days(4)).await;
    shop.until_renewed(1).await;
    shop.until_it_is("active").await;
    shop.rest().await;
    shop.check_sales(2).await;
    shop.world.events("subscription.past_due", 1).await;
    shop.world.events("subscription.recovered", 1).await;
    shop.world.events("subscription.canceled", 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_never_paid_ends_with_the_grace() {
    let (shop, id) = member_with(Buyer::RunningDry).await;
    shop.to_the_next_period().await;
    shop.until_it_is("past_due").await;
    // From when the grace counts.
    shop.world.events("subscription.past_due", 1).await;
    shop.world.advance(TimeDelta::days(6)).await;
    shop.rest().await;
    assert_eq!(shop.status_at_paypal(&id).await, "SUSPENDED");
    assert_eq!(shop.status().await, "past_due", "there is access until then");
    shop.world.advance(TimeDelta::days(9)).await;
    shop.until_it_is("canceled").await;
    let told = shop.world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "unpaid");
    assert_eq!(shop.status_at_paypal(&id).await, "CANCELLED");
    shop.world.advance(TimeDelta::days(62)).await;
    shop.check_sales(1).await;
    shop.world.events("subscription.past_due", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_suspended_goes_on_once_it_is_paid() {
    let (shop, id) = member_with(Buyer::RunningDry).await;
    shop.to_the_next_period().await;
    shop.until_it_is("past_due").await;
    shop.world.advance(TimeDelta::days(6)).await;
    shop.rest().await;
    assert_eq!(shop.status_at_paypal(&id).await, "SUSPENDED");
    shop.hand_over(&id, Buyer::Rich);
    shop.world.advance(TimeDelta::days(2)).await;
    shop.until_it_is("active").await;
    let goes_on = async || shop.status_at_paypal(&id).await == "ACTIVE";
    shop.until("active at PayPal", goes_on).await;
    shop.rest().await;
    shop.check_sales(2).await;
    shop.world.events("subscription.recovered", 1).await;
    shop.to_the_next_period().await;
    shop.until_renewed(2).await;
    shop.rest().await;
    shop.check_sales(3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bank_that_takes_days_is_waited_for() {
    let shop = Shop::open(Provider::Paypal).await;
    let id = shop.offer().await;
    shop.agree(&id, Buyer::Slow);
    shop.world.advance(TimeDelta::days(4)).await;
    shop.until_active().await;
    shop.to_the_next_period().await;
    shop.world.advance(TimeDelta::days(1)).await;
    assert_eq!(shop.world.renewals().await.len(), 0, "not cleared yet");
    shop.world.advance(TimeDelta::days(3)).await;
    shop.until_renewed(1).await;
    shop.rest().await;
    shop.check_sales(2).await;
    shop.world.events("subscription.past_due", 0).await;
    shop.world.events("subscription.paused", 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_cancels_keeps_what_is_paid_and_cannot_undo_it() {
    let (shop, id) = member().await;
    assert_eq!(shop.wishes().await, ["cancel", "pause"]);
    let fault = Fault::on(
        "POST",
        &format!("{SUBSCRIPTIONS}/cancel"),
        Action::DropAfterCommit {},
    );
    shop.world.twin.sandbox().faults().add(fault);
    shop.wish(Change::Cancel(Cancel {})).await.unwrap();
    let is_known = async || shop.world.subscriptions().await[0].cancel_at.is_some();
    shop.until("known to end", is_known).await;
    assert_eq!(shop.status_at_paypal(&id).await, "CANCELLED");
    let held = shop.world.subscriptions().await.remove(0);
    assert_eq!(
        (held.status.as_str(), held.pending_change.as_str()),
        ("active", "")
    );
    assert!(held.available_actions.is_empty(), "{:?}", held.available_actions);
    assert_eq!(
        shop.refused(Change::Reactivate(Reactivate {})).await,
        "UNSUPPORTED_BY_PROVIDER"
    );
    shop.wish(Change::Cancel(Cancel {})).await.unwrap();

    shop.world.advance(TimeDelta::days(26)).await;
    assert_eq!(shop.status().await, "active", "it is paid for");
    shop.world.advance(TimeDelta::days(6)).await;
    shop.until_it_is("canceled").await;
    let told = shop.world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "requested");
    shop.check_sales(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_paypal_cannot_do_is_refused_by_its_name() {
    let (shop, id) = member().await;
    let card = Change::Card(Card {
        payment_method_id: "pm_1".into(),
    });
    assert_eq!(shop.refused(card).await, "UNSUPPORTED_BY_PROVIDER");
    let plan = Change::Plan(Plan {
        price_id: shop.world.subscriptions().await[0].price_id.clone(),
        prorated_at: Some(shop.world.host.clock().now().into()),
        due_now: shop.world.subscriptions().await[0].price.clone(),
    });
    assert_eq!(shop.refused(plan).await, "UNSUPPORTED_BY_PROVIDER");
    assert_eq!(shop.refused(shop.pause(200)).await, "PAUSE_TOO_LONG");
    assert_eq!(shop.status_at_paypal(&id).await, "ACTIVE");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_is_charged_nothing_and_ends_when_it_was_to() {
    let (shop, id) = member().await;
    let fault = Fault::on(
        "POST",
        &format!("{SUBSCRIPTIONS}/suspend"),
        Action::DropAfterCommit {},
    );
    shop.world.twin.sandbox().faults().add(fault);
    shop.wish(shop.pause(45)).await.unwrap();
    shop.until("paused", async || {
        shop.world.subscriptions().await[0].paused_until.is_some()
    })
    .await;
    assert_eq!(shop.status_at_paypal(&id).await, "SUSPENDED");
    assert_eq!(shop.wishes().await, ["cancel", "resume"]);
    shop.world.events("subscription.paused", 0).await;
    shop.world.advance(TimeDelta::days(32)).await;
    shop.rest().await;
    shop.world.events("subscription.paused", 1).await;
    shop.check_sales(1).await;
    assert_eq!(shop.status().await, "active");

    shop.world.advance(TimeDelta::days(14)).await;
    let goes_on = async || shop.status_at_paypal(&id).await == "ACTIVE";
    shop.until("active at PayPal", goes_on).await;
    shop.check_sales(1).await;
    let held = shop.world.subscriptions().await.remove(0);
    assert!(held.paused_until.is_some(), "until PayPal charges again");
    shop.world.advance(TimeDelta::days(20)).await;
    shop.until_renewed(1).await;
    shop.rest().await;
    shop.check_sales(2).await;
    assert_eq!(shop.world.subscriptions().await[0].paused_until, None);
    shop.world.events("subscription.paused", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_resumes_within_the_paid_time_has_lost_nothing() {
    let (shop, id) = member().await;
    shop.wish(shop.pause(60)).await.unwrap();
    shop.wish(shop.pause(40)).await.unwrap();
    shop.rest().await;
    let until = shop.world.subscriptions().await[0].paused_until.unwrap();
    let days = (until.seconds - shop.world.host.clock().now().timestamp()) / DAY.num_seconds();
    assert!((39..=40).contains(&days), "{days}");
    shop.wish(Change::Resume(Resume {})).await.unwrap();
    shop.rest().await;
    assert_eq!(shop.status_at_paypal(&id).await, "ACTIVE");
    assert_eq!(shop.world.subscriptions().await[0].paused_until, None);
    assert_eq!(shop.wishes().await, ["cancel", "pause"]);
    shop.to_the_next_period().await;
    shop.until_renewed(1).await;
    shop.world.events("subscription.paused", 0).await;
    shop.rest().await;
    shop.check_sales(2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renewal_goes_back_like_any_payment() {
    let (shop, _) = member().await;
    shop.to_the_next_period().await;
    shop.until_renewed(1).await;
    let sale = shop.world.renewals().await[0].provider_intent_id.clone().unwrap();
    shop.refund_at_paypal(&sale, "1.00").await;
    shop.until_refunds(&["succeeded"]).await;
    shop.world.events("refund.succeeded", 1).await;
    assert_eq!(shop.booked(Provider::Paypal).await, 2 * shop.price().await - 100);
    shop.world.events("subscription.renewed", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_buyers_bank_takes_back_is_booked_once() {
    let (shop, _) = member().await;
    shop.to_the_next_period().await;
    shop.until_renewed(1).await;
    let (price, accounts) = (shop.price().await, shop.world.accounts().await);
    let first = accounts[0].payments[0].provider_intent_id.clone().unwrap();
    shop.refund_at_paypal(&first, "1.00").await;
    shop.until_refunds(&["succeeded"]).await;
    // Nobody can say at that moment of which sale it is.
    let lost = Fault::on("GET", "/paypal/v1/payments/refund/*", Action::DropBefore {});
    shop.world.twin.sandbox().faults().add(lost.times(2));
    shop.reverse_at_paypal(&first);
    shop.until_refunds(&["succeeded"; 2]).await;
    assert_eq!(shop.booked(Provider::Paypal).await, price, "the renewal's");
    let told = shop.world.events("refund.succeeded", 2).await;
    assert_eq!(told[1].data["reason"], "disputed");
    let renewal = shop.world.renewals().await[0].provider_intent_id.clone().unwrap();
    shop.reverse_at_paypal(&renewal);
    shop.until_refunds(&["succeeded"; 3]).await;
    assert_eq!(shop.booked(Provider::Paypal).await, 0);
    assert_eq!(shop.world.subscriptions().await[0].status, "active");
    assert_eq!(violations(&shop.world.accounts().await), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_told_once_with_where_it_came_from() {
    let shop = Shop::open(Provider::Paypal).await;
    shop.door.close();
    let id = shop.offer().await;
    shop.agree(&id, Buyer::Rich);
    let request = LinkPaypalSubscriptionRequest {
        user_id: MEMBER.into(),
        email: "buyer@example.com".into(),
        full_name: "A Buyer".into(),
        subscription_id: id.clone(),
        country: "US".into(),
        language: "en".into(),
        tracking: Some(Tracking {
            parameters: BTreeMap::from([("utm_source".to_owned(), "letter".to_owned())])
                .into_iter()
                .collect(),
        }),
    };
    for _ in 0..2 {
        let mut checkout = shop.world.checkout.clone();
        checkout.link_paypal_subscription(request.clone()).await.unwrap();
    }
    for told in shop.door.heard() {
        deliver(&shop.world.checkout, told).await.unwrap();
    }
    shop.rest().await;
    let told = shop.world.events("paypal_subscription.linked", 1).await;
    let held = shop.world.subscriptions().await.remove(0);
    assert_eq!(told[0].data["subscriptionId"], held.subscription_id);
    assert_eq!(told[0].data["paypalSubscriptionId"], id);
    assert_eq!(told[0].data["userId"], MEMBER);
    assert_eq!(told[0].data["tracking"]["parameters"]["utm_source"], "letter");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_erased_is_charged_no_more() {
    let (shop, id) = member().await;
    erase(&shop.world).await;
    assert_eq!(shop.status_at_paypal(&id).await, "CANCELLED");
    shop.world.advance(TimeDelta::days(62)).await;
    shop.check_sales(1).await;
    shop.world.events("subscription.renewed", 0).await;
}
