use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use futures::future::join_all;
use proto::checkout::v1 as wire;
use proto::checkout::v1::change_subscription_request::{Cancel, Change};
use sandbox::{Action, Fault};
use serde_json::json;

use super::door::deliver;
use super::lost::lose_answers;
use super::shop::Shop;
use crate::erase_member::{PAGES_OF_SOMEBODY, erase};
use crate::life::{A_MINUTE, within};
use crate::world::MEMBER;

const A_PAGE_IS_OFFERED_FOR: TimeDelta = TimeDelta::minutes(40);

/// What is asked to learn the outcome, and what gives money back.
pub fn calls(provider: Provider) -> (&'static str, &'static str, &'static str) {
    match provider {
        Provider::Paypal => (
            "GET",
            "/paypal/v1/billing/subscriptions/*",
            "/paypal/v2/payments/captures/*",
        ),
        Provider::Yookassa => ("GET", "/yookassa/v3/payments/*", "/yookassa/v3/refunds"),
        Provider::Platron => ("POST", "/platron/get_status.php", "/platron/revoke.php"),
        Provider::Stripe => ("POST", "/stripe/v1/subscriptions", "/stripe/v1/refunds"),
    }
}

pub async fn whoever_pays_has_a_subscription(provider: Provider) {
    let shop = Shop::open(provider).await;
    shop.buy().await;
    assert_eq!((shop.paid_orders().await, shop.refunds().await.len()), (1, 0));
    assert_eq!(shop.booked(provider).await, shop.price().await);
    for other in Provider::ALL.into_iter().filter(|other| *other != provider) {
        assert_eq!(shop.booked(other).await, 0);
    }
    let paid = shop.world.events("order.paid", 1).await.remove(0);
    let activated = shop.world.events("subscription.activated", 1).await.remove(0);
    for event in [&paid, &activated] {
        assert_eq!(event.data["provider"], provider.name(), "{}", event.r#type);
        let (lang, country) = (event.lang.as_deref(), event.country.as_deref());
        assert!(lang.is_some() && country.is_some(), "{lang:?} {country:?}");
    }
    assert!(paid.data["priceId"].as_str().unwrap().starts_with("prc_"));
    assert!(paid.data["paymentIntentId"].is_string(), "{}", paid.data);
}

pub async fn whoever_is_refused_has_none(provider: Provider) {
    let shop = Shop::open(provider).await;
    let handle = shop.offer().await;
    shop.fail(&handle).await;
    shop.until_told("FAILED").await;
    shop.world.advance(TimeDelta::minutes(5)).await;
    let owned = shop.world.subscriptions().await;
    assert!(owned.iter().all(|one| one.status == "incomplete"), "{owned:?}");
    assert_eq!((shop.paid_orders().await, shop.booked(provider).await), (0, 0));
    // They may try again.
    if provider != Provider::Paypal {
        shop.until_no_page_is_open().await;
        shop.buy().await;
        assert_eq!(shop.booked(provider).await, shop.price().await);
    }
}

pub async fn a_lost_answer_becomes_definite_and_is_charged_once(provider: Provider) {
    lose_answers(provider, 1, A_MINUTE).await;
    lose_answers(provider, 3, TimeDelta::minutes(5)).await;
}

pub async fn a_lost_webhook_is_made_up_for(provider: Provider) {
    let shop = Shop::open(provider).await;
    shop.door.close();
    let handle = shop.offer().await;
    shop.pay(provider, &handle);
    if provider == Provider::Paypal {
        assert_eq!(shop.link(&handle).await.unwrap(), "active");
        assert_eq!(shop.link(&handle).await.unwrap(), "active", "once more");
    }
    shop.until_active().await;
    assert_eq!(shop.paid_orders().await, 1);
    shop.world.events("order.paid", 1).await;
}

pub async fn a_webhook_twenty_times_at_once_counts_once(provider: Provider) {
    let shop = Shop::open(provider).await;
    shop.door.close();
    let handle = shop.offer().await;
    shop.pay(provider, &handle);
    shop.until_told("PAYMENT.SALE.COMPLETED").await;
    for told in shop.door.heard() {
        let answers = join_all((0..20).map(|_| deliver(&shop.world.checkout, told.clone()))).await;
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    }
    shop.until_active().await;
    assert_eq!((shop.paid_orders().await, shop.refunds().await.len()), (1, 0));
    shop.world.events("order.paid", 1).await;
    assert_eq!(shop.booked(provider).await, shop.price().await);
}

pub async fn webhooks_in_any_order_come_to_the_same(provider: Provider) {
    let shop = Shop::open(provider).await;
    shop.door.close();
    let handle = shop.offer().await;
    shop.pay(provider, &handle);
    shop.until_told("PAYMENT.SALE.COMPLETED").await;
    let mut told = shop.door.heard();
    told.reverse();
    for request in told.iter().chain(told.iter().rev()) {
        deliver(&shop.world.checkout, request.clone()).await.unwrap();
    }
    shop.until_active().await;
    assert_eq!((shop.paid_orders().await, shop.refunds().await.len()), (1, 0));
    shop.world.events("order.paid", 1).await;
}

pub async fn forged_webhooks_are_refused_and_not_kept(provider: Provider) {
    let shop = Shop::open(provider).await;
    shop.door.close();
    let handle = shop.offer().await;
    shop.pay(provider, &handle);
    shop.until_told("PAYMENT.SALE.COMPLETED").await;
    for mut told in shop.door.heard() {
        if provider == Provider::Yookassa {
            // Nobody signs them: one about nothing of ours is made up.
            told.body = br#"{"type":"notification","event":"payment.succeeded","object":{"id":"2c1","status":"succeeded"}}"#.to_vec();
        } else {
            let text = String::from_utf8(told.body).unwrap();
            told.body = text.replacen('1', "2", 1).into_bytes();
        }
        let failure = deliver(&shop.world.checkout, told).await.unwrap_err();
        assert_eq!(failure.code, "BAD_SIGNATURE");
    }
    let kept: i64 = sqlx::query_scalar("select count(*) from webhook_event")
        .fetch_one(&shop.world.pool().await)
        .await
        .unwrap();
    assert_eq!(kept, 0);
}

pub async fn money_goes_back_in_parts_and_whole(provider: Provider) {
    let shop = Shop::open(provider).await;
    let order = shop.buy().await;
    let price = shop.price().await;
    shop.refund(&order, Some("100"), "one").await;
    shop.until_refunds(&["succeeded"]).await;
    assert_eq!(shop.booked(provider).await, price - 100);
    shop.refund(&order, None, "two").await;
    shop.until_refunds(&["succeeded", "succeeded"]).await;
    assert_eq!(shop.booked(provider).await, 0);
    shop.world.events("refund.succeeded", 2).await;
}

pub async fn a_refund_whose_answer_is_lost_is_given_once(provider: Provider) {
    let shop = Shop::open(provider).await;
    let order = shop.buy().await;
    let price = shop.price().await;
    let (_, _, path) = calls(provider);
    let fault = Fault::on("POST", path, Action::DropAfterCommit {});
    shop.world.twin.sandbox().faults().add(fault);
    shop.door.close();
    shop.refund(&order, Some("100"), "one").await;
    let is_given = async || shop.refunds().await == ["succeeded"];
    within(&shop.world, A_MINUTE, is_given).await;
    assert!(shop.world.twin.is_sabotaging());
    assert_eq!(shop.booked(provider).await, price - 100);
    // All that is left, and not a cent of what went already.
    shop.refund(&order, None, "two").await;
    shop.until_refunds(&["succeeded", "succeeded"]).await;
    assert_eq!(shop.booked(provider).await, 0);
}

pub async fn what_is_canceled_lasts_as_long_as_it_is_paid_for(provider: Provider) {
    let shop = Shop::open(provider).await;
    shop.buy().await;
    if provider == Provider::Paypal {
        let accounts = shop.world.accounts().await;
        let id = accounts[0].payments[0].provider_subscription_id.clone().unwrap();
        shop.cancel_at_paypal(&id).await;
        shop.world.advance(TimeDelta::minutes(5)).await;
        assert_eq!(shop.world.subscriptions().await[0].status, "active");
    } else {
        shop.wish(Change::Cancel(Cancel {})).await.unwrap();
    }
    shop.world.advance(TimeDelta::days(27)).await;
    assert_eq!(shop.world.subscriptions().await[0].status, "active");
    shop.world.advance(TimeDelta::days(6)).await;
    let is_over = async || shop.world.subscriptions().await[0].status == "canceled";
    shop.until("canceled", is_over).await;
    assert_eq!(
        shop.booked(provider).await,
        shop.price().await,
        "nothing more was taken"
    );
}

pub async fn of_two_providers_paid_at_once_the_later_gives_it_back(provider: Provider) {
    let shop = Shop::open(provider).await;
    let other = match provider {
        Provider::Yookassa => Provider::Platron,
        Provider::Platron => Provider::Yookassa,
        Provider::Paypal => Provider::Stripe,
        Provider::Stripe => Provider::Paypal,
    };
    let handle = shop.offer().await;
    shop.begin(&handle).await;
    if other == Provider::Stripe {
        let card = shop.world.twin.card(crate::twin::APPROVED).await;
        let mut request = shop.world.submit("web-monthly", &card).await;
        request.price_id = shop.resolve("US", "en").await.offer.unwrap().price_id;
        shop.world.pay(request).await.unwrap();
    } else {
        let second = shop.offer_of(other).await;
        shop.pay(other, &second);
    }
    shop.until_active().await;
    shop.finish(&handle).await;
    shop.until_refunds(&["succeeded"]).await;

    assert_eq!(shop.paid_orders().await, 1);
    assert_eq!(
        (shop.booked(provider).await, shop.booked(other).await),
        (0, shop.price().await)
    );
    let events = shop.world.events("refund.succeeded", 1).await;
    assert_eq!(events[0].data["reason"], "surplus");
    assert_eq!(events[0].data["userId"], MEMBER);
    shop.world.events("order.paid", 1).await;
    assert_eq!(shop.world.subscriptions().await[0].status, "active");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_browser_says_of_paypal_counts_for_nothing() {
    let shop = Shop::open(Provider::Paypal).await;
    shop.door.close();
    let theirs = shop.offer().await;
    let code = |outcome: Result<String, kit::error::Failure>| outcome.unwrap_err().code;
    assert_eq!(code(shop.link("").await), "UNKNOWN_PAYPAL_SUBSCRIPTION");
    assert_eq!(code(shop.link("I-NOBODYS").await), "UNKNOWN_PAYPAL_SUBSCRIPTION");
    assert_eq!(code(shop.link(&theirs).await), "PAYPAL_NOT_APPROVED");
    shop.pay(Provider::Paypal, &theirs);
    let stranger = "usr_0192f0c0a0007000800000000000000b";
    assert_eq!(
        code(shop.link_as(stranger, &theirs).await),
        "UNKNOWN_PAYPAL_SUBSCRIPTION"
    );

    // A cheaper price than the plan's, written by the page: refused, and what was paid goes back.
    let shown = shop.resolve("US", "en").await;
    let cheap = json!({ "plan_id": shown.paypal_plan_id, "custom_id": MEMBER, "plan": { "billing_cycles": [
        { "sequence": 1, "pricing_scheme": { "fixed_price": { "value": "0.01", "currency_code": "USD" } } }] } });
    let cheap = shop.subscribe_in_browser(&cheap).await;
    shop.pay(Provider::Paypal, &cheap);
    assert_eq!(code(shop.link(&cheap).await), "UNKNOWN_PRICE");
    assert_eq!(shop.status_at_paypal(&cheap).await, "CANCELLED");
    assert!(shop.world.subscriptions().await.is_empty());

    assert_eq!(shop.link(&theirs).await.unwrap(), "active");
    assert_eq!(
        code(shop.link_as(stranger, &theirs).await),
        "UNKNOWN_PAYPAL_SUBSCRIPTION"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_a_russian_subscription_is_offered_no_other() {
    let shop = Shop::open(Provider::Platron).await;
    let first = shop.pages().await;
    assert!(!first.has_subscription && !first.yookassa_token.is_empty() && !first.platron_url.is_empty());
    assert_eq!(shop.pages().await, first, "the pages that are open already");
    shop.pay(Provider::Platron, &first.platron_url);
    shop.until_active().await;
    let then = shop.pages().await;
    assert!(then.has_subscription && then.yookassa_token.is_empty() && then.platron_url.is_empty());
    let refused = shop
        .world
        .buy("web-monthly", crate::twin::APPROVED)
        .await
        .unwrap_err();
    assert_eq!(refused.code, "SB101");
    // Elsewhere nobody is asked for such pages.
    assert!(shop.resolve("US", "en").await.russian.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_cannot_be_reached_is_told_from_who_does_not_sell_it() {
    let shop = Shop::open(Provider::Yookassa).await;
    let faults = shop.world.twin.sandbox().faults();
    faults.add(Fault::on("POST", "/yookassa/v3/payments", Action::DropBefore {}).times(0));
    let one_down = shop.pages().await;
    assert!(one_down.yookassa_token.is_empty() && !one_down.platron_url.is_empty());
    assert_eq!(one_down.unavailable, [wire::Provider::Yookassa as i32]);

    faults.add(Fault::on("POST", "/platron/*", Action::DropBefore {}).times(0));
    shop.world.advance(A_PAGE_IS_OFFERED_FOR).await;
    let both_down = shop.pages().await;
    assert!(both_down.yookassa_token.is_empty() && both_down.platron_url.is_empty());
    let both = [wire::Provider::Yookassa as i32, wire::Provider::Platron as i32];
    assert_eq!(both_down.unavailable, both);

    shop.world.twin.end_sabotage();
    let up = shop.pages().await;
    assert!(up.unavailable.is_empty() && !up.yookassa_token.is_empty() && !up.platron_url.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_notification_that_fails_again_and_again_is_kept_and_can_be_replayed() {
    let shop = Shop::open(Provider::Paypal).await;
    let handle = shop.offer().await;
    let path = "/paypal/v1/billing/subscriptions/*";
    let action = Action::Error {
        status: 500,
        body: None,
        kept: None,
    };
    shop.world
        .twin
        .sandbox()
        .faults()
        .add(Fault::on("GET", path, action).times(0));
    shop.pay(Provider::Paypal, &handle);
    let dead = async || shop.dead().await;
    shop.until("given up", async || !dead().await.is_empty()).await;
    assert_eq!(shop.paid_orders().await, 0);
    shop.world.twin.end_sabotage();
    for event_id in dead().await {
        shop.replay(&event_id).await;
    }
    shop.until_active().await;
    assert_eq!((shop.paid_orders().await, dead().await.len()), (1, 0));
}

pub async fn whoever_is_erased_is_forgotten(provider: Provider) {
    let shop = Shop::open(provider).await;
    shop.buy().await;
    let accounts = shop.world.accounts().await;
    let id = accounts[0].payments[0].provider_subscription_id.clone().unwrap();
    erase(&shop.world).await;
    assert_eq!(shop.world.count(PAGES_OF_SOMEBODY).await, 0);
    let told = "select count(*) from webhook_event where body <> '' and provider_subject_id is not null";
    assert_eq!(shop.world.count(told).await, 0);
    if provider == Provider::Paypal {
        assert_eq!(shop.status_at_paypal(&id).await, "CANCELLED");
    }
    // What the provider still tells is kept without a word of it.
    for told in shop.door.heard() {
        deliver(&shop.world.checkout, told).await.unwrap();
    }
    assert_eq!((shop.paid_orders().await, shop.refunds().await.len()), (1, 0));
}
