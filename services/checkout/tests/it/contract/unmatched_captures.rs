//! Captures of PayPal that match no order.

use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use proto::checkout::v1::create_intent_request::Purpose;
use sandbox::paypal::Buyer;
use serde_json::json;

use super::provider_setup::ProviderSetup;
use super::webhook_proxy::deliver;
use crate::one_time::create_intent::{deliver_all, pay, wanted};
use crate::support::fake_provider::APPROVED;
use crate::support::test_env::MEMBER;

impl ProviderSetup {
    /// Delivers all of PayPal's webhooks so far.
    async fn hear(&self) {
        for notification in self.proxy.received() {
            deliver(&self.env.checkout, notification).await.unwrap();
        }
    }

    async fn offer_by(&self, plan: &str) -> String {
        self.subscribe_in_browser(&json!({ "plan_id": plan, "custom_id": MEMBER }))
            .await
    }

    async fn until_given_back(&self) {
        let is_given_back = async || {
            let books = self.env.fake_provider.sandbox().paypal().state();
            books.sales.len() == 1 && books.sales.newest_first().all(|sale| sale.refunded == sale.minor)
        };
        self.until("given back", is_given_back).await;
        let emitted = &self.env.events("refund.succeeded", 1).await[0].data;
        assert_eq!(
            (&emitted["reason"], &emitted["userId"]),
            (&json!("excess"), &json!(MEMBER))
        );
        assert_eq!((self.sales(), self.booked(Provider::Paypal).await), (1, 0));
        assert_eq!(self.refunds().await.len(), 1);
        self.env.check_ledger().await;
    }
}

/// A payment at PayPal without a webhook; PayPal's id of it.
pub async fn paid_without_webhook() -> (ProviderSetup, String) {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    setup.proxy.close();
    let id = setup.offer().await;
    setup.pay(Provider::Paypal, &id);
    setup.until_notified("PAYMENT.SALE.COMPLETED").await;
    (setup, id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payment_of_a_subscription_ended_before_linking_is_refunded() {
    let (setup, id) = paid_without_webhook().await;
    setup.cancel_at_paypal(&id).await;

    // The returning page gets a definite answer, as often as it asks.
    assert_eq!(setup.link(&id).await.unwrap_err().code, "PAYPAL_ENDED");
    setup.until_given_back().await;
    assert_eq!(setup.link(&id).await.unwrap_err().code, "PAYPAL_ENDED");
    setup.hear().await;
    setup.until_given_back().await;
    assert!(setup.env.subscriptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn capture_of_an_unlinked_canceled_subscription_is_refunded() {
    let (setup, id) = paid_without_webhook().await;
    setup.cancel_at_paypal(&id).await;
    setup.hear().await;
    setup.until_given_back().await;
    assert!(setup.env.subscriptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_capture_after_a_refused_link_is_refunded() {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    let id = setup.offer().await;
    setup.env.buy("web-annual", APPROVED).await.unwrap();
    let on_trial = setup.env.subscriptions().await;
    assert_eq!(on_trial[0].status, "trialing");
    setup.agree(&id, Buyer::Slow);
    assert_eq!(setup.link(&id).await.unwrap_err().code, "ALREADY_SUBSCRIBED");
    setup.env.advance(TimeDelta::days(4)).await;
    setup.until_given_back().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retired_price_is_not_sold_by_its_paypal_plan() {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    let plan = setup.plan_of("web-monthly").await;
    sqlx::query("update price set retired_at = $2 where paypal_plan_id = $1")
        .bind(&plan)
        .bind(setup.env.fake_provider.sandbox().now())
        .execute(&setup.env.pool().await)
        .await
        .unwrap();
    // A buyer who has just loaded the price can still pay it.
    setup.env.advance(TimeDelta::minutes(29)).await;
    let seen = setup.offer_by(&plan).await;
    setup.env.advance(TimeDelta::minutes(2)).await;
    let late = setup.offer_by(&plan).await;
    setup.proxy.close();
    setup.pay(Provider::Paypal, &late);
    assert_eq!(setup.link(&late).await.unwrap_err().code, "UNKNOWN_PRICE");
    setup.until_given_back().await;
    setup.pay(Provider::Paypal, &seen);
    assert_eq!(setup.link(&seen).await.unwrap(), "active");
}

/// The page and its price were there before lifetime was bought in another tab.
async fn opened_before_it_was_owned(provider: Provider) -> (ProviderSetup, String) {
    let setup = ProviderSetup::open(provider).await;
    let handle = setup.offer().await;
    let lifetime = wanted(&setup.env, Purpose::Payment, "lifetime").await;
    pay(&setup.env, &lifetime, APPROVED).await;
    deliver_all(&setup.env).await;
    setup.env.events("order.paid", 1).await;
    (setup, handle)
}

async fn is_given_back_to_an_owner_for_good(provider: Provider) {
    let (setup, handle) = opened_before_it_was_owned(provider).await;
    setup.pay(provider, &handle);
    setup.until_refunds(&["succeeded"]).await;
    assert!(setup.env.subscriptions().await.is_empty());
    setup.env.check_ledger().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lifetime_owners_payment_at_paypal_is_refunded() {
    is_given_back_to_an_owner_for_good(Provider::Paypal).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lifetime_owners_payment_at_yookassa_is_refunded() {
    is_given_back_to_an_owner_for_good(Provider::Yookassa).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn platron_check_rejects_a_lifetime_owner() {
    let (setup, page) = opened_before_it_was_owned(Provider::Platron).await;
    setup.pay(Provider::Platron, &page);
    setup.until_no_page_is_open().await;
    assert!(setup.refunds().await.is_empty());
    assert!(setup.env.subscriptions().await.is_empty());
    setup.env.check_ledger().await;
}
