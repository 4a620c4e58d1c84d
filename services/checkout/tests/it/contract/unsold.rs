//! What PayPal took and nobody sold.

use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use proto::checkout::v1::create_intent_request::Purpose;
use sandbox::paypal::Buyer;
use serde_json::json;

use super::door::deliver;
use super::shop::Shop;
use crate::intents::{deliver_all, pay, wanted};
use crate::twin::APPROVED;
use crate::world::MEMBER;

impl Shop {
    /// Takes in all that PayPal has told of so far.
    async fn hear(&self) {
        for told in self.door.heard() {
            deliver(&self.world.checkout, told).await.unwrap();
        }
    }

    async fn offer_by(&self, plan: &str) -> String {
        self.subscribe_in_browser(&json!({ "plan_id": plan, "custom_id": MEMBER }))
            .await
    }

    async fn until_given_back(&self) {
        let is_given_back = async || {
            let books = self.world.twin.sandbox().paypal().books();
            books.sales.len() == 1 && books.sales.newest_first().all(|sale| sale.refunded == sale.minor)
        };
        self.until("given back", is_given_back).await;
        let told = &self.world.events("refund.succeeded", 1).await[0].data;
        assert_eq!(
            (&told["reason"], &told["userId"]),
            (&json!("surplus"), &json!(MEMBER))
        );
        assert_eq!((self.sales(), self.booked(Provider::Paypal).await), (1, 0));
        assert_eq!(self.refunds().await.len(), 1);
        self.world.check_books().await;
    }
}

/// Somebody has paid, and nobody has told us: PayPal's id of it.
pub async fn paid_unheard() -> (Shop, String) {
    let shop = Shop::open(Provider::Paypal).await;
    shop.door.close();
    let id = shop.offer().await;
    shop.pay(Provider::Paypal, &id);
    shop.until_told("PAYMENT.SALE.COMPLETED").await;
    (shop, id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_paid_and_ended_before_it_was_ours_goes_back() {
    let (shop, id) = paid_unheard().await;
    shop.cancel_at_paypal(&id).await;

    // The page that comes back hears something definite, as often as it asks.
    assert_eq!(shop.link(&id).await.unwrap_err().code, "PAYPAL_ENDED");
    shop.until_given_back().await;
    assert_eq!(shop.link(&id).await.unwrap_err().code, "PAYPAL_ENDED");
    shop.hear().await;
    shop.until_given_back().await;
    assert!(shop.world.subscriptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_brought_to_us_and_ended_goes_back() {
    let (shop, id) = paid_unheard().await;
    shop.cancel_at_paypal(&id).await;
    shop.hear().await;
    shop.until_given_back().await;
    assert!(shop.world.subscriptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_bank_sends_after_it_was_refused_goes_back() {
    let shop = Shop::open(Provider::Paypal).await;
    let id = shop.offer().await;
    shop.world.buy("web-annual", APPROVED).await.unwrap();
    let on_trial = shop.world.subscriptions().await;
    assert_eq!(on_trial[0].status, "trialing");
    shop.agree(&id, Buyer::Slow);
    assert_eq!(shop.link(&id).await.unwrap_err().code, "ALREADY_SUBSCRIBED");
    shop.world.advance(TimeDelta::days(4)).await;
    shop.until_given_back().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_price_of_long_ago_is_not_sold_by_the_plan_that_is_still_there() {
    let shop = Shop::open(Provider::Paypal).await;
    let plan = shop.plan_of("web-monthly").await;
    sqlx::query("update price set retired_at = $2 where paypal_plan_id = $1")
        .bind(&plan)
        .bind(shop.world.twin.sandbox().now())
        .execute(&shop.world.pool().await)
        .await
        .unwrap();
    // Whoever has just seen it may still pay it.
    shop.world.advance(TimeDelta::minutes(29)).await;
    let seen = shop.offer_by(&plan).await;
    shop.world.advance(TimeDelta::minutes(2)).await;
    let late = shop.offer_by(&plan).await;
    shop.door.close();
    shop.pay(Provider::Paypal, &late);
    assert_eq!(shop.link(&late).await.unwrap_err().code, "UNKNOWN_PRICE");
    shop.until_given_back().await;
    shop.pay(Provider::Paypal, &seen);
    assert_eq!(shop.link(&seen).await.unwrap(), "active");
}

/// The page and its price were there before lifetime was bought in another tab.
async fn opened_before_it_was_owned(provider: Provider) -> (Shop, String) {
    let shop = Shop::open(provider).await;
    let handle = shop.offer().await;
    let lifetime = wanted(&shop.world, Purpose::Payment, "lifetime").await;
    pay(&shop.world, &lifetime, APPROVED).await;
    deliver_all(&shop.world).await;
    shop.world.events("order.paid", 1).await;
    (shop, handle)
}

async fn is_given_back_to_an_owner_for_good(provider: Provider) {
    let (shop, handle) = opened_before_it_was_owned(provider).await;
    shop.pay(provider, &handle);
    shop.until_refunds(&["succeeded"]).await;
    assert!(shop.world.subscriptions().await.is_empty());
    shop.world.check_books().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_owner_for_good_pays_at_paypal_goes_back() {
    is_given_back_to_an_owner_for_good(Provider::Paypal).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_owner_for_good_pays_at_yookassa_goes_back() {
    is_given_back_to_an_owner_for_good(Provider::Yookassa).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn platron_asks_and_takes_nothing_from_an_owner_for_good() {
    let (shop, page) = opened_before_it_was_owned(Provider::Platron).await;
    shop.pay(Provider::Platron, &page);
    shop.until_no_page_is_open().await;
    assert!(shop.refunds().await.is_empty());
    assert!(shop.world.subscriptions().await.is_empty());
    shop.world.check_books().await;
}
