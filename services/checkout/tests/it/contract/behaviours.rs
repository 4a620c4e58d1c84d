use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use futures::future::join_all;
use proto::checkout::v1 as wire;
use proto::checkout::v1::change_subscription_request::{Cancel, Change};
use sandbox::{Action, Fault};
use serde_json::json;

use super::lost_answers::lose_answers;
use super::provider_setup::ProviderSetup;
use super::webhook_proxy::deliver;
use crate::privacy::erase_member::{UNERASED_CHECKOUTS, erase};
use crate::support::subscription_probe::{ONE_MINUTE, within};
use crate::support::test_env::MEMBER;

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

pub async fn successful_payment_activates_the_subscription(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    setup.buy().await;
    assert_eq!((setup.paid_orders().await, setup.refunds().await.len()), (1, 0));
    assert_eq!(setup.booked(provider).await, setup.price().await);
    for other in Provider::ALL.into_iter().filter(|other| *other != provider) {
        assert_eq!(setup.booked(other).await, 0);
    }
    let paid = setup.env.events("order.paid", 1).await.remove(0);
    let activated = setup.env.events("subscription.activated", 1).await.remove(0);
    for event in [&paid, &activated] {
        assert_eq!(event.data["provider"], provider.name(), "{}", event.r#type);
        let (lang, country) = (event.lang.as_deref(), event.country.as_deref());
        assert!(lang.is_some() && country.is_some(), "{lang:?} {country:?}");
    }
    assert!(paid.data["priceId"].as_str().unwrap().starts_with("prc_"));
    assert!(paid.data["paymentIntentId"].is_string(), "{}", paid.data);
}

pub async fn declined_payment_creates_no_subscription(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    let handle = setup.offer().await;
    setup.fail(&handle).await;
    setup.until_notified("FAILED").await;
    setup.env.advance(TimeDelta::minutes(5)).await;
    let owned = setup.env.subscriptions().await;
    assert!(owned.iter().all(|one| one.status == "incomplete"), "{owned:?}");
    assert_eq!((setup.paid_orders().await, setup.booked(provider).await), (0, 0));
    // They may try again.
    if provider != Provider::Paypal {
        setup.until_no_page_is_open().await;
        setup.buy().await;
        assert_eq!(setup.booked(provider).await, setup.price().await);
    }
}

pub async fn a_lost_answer_is_resolved_and_charged_once(provider: Provider) {
    lose_answers(provider, 1, ONE_MINUTE).await;
    lose_answers(provider, 3, TimeDelta::minutes(5)).await;
}

pub async fn a_lost_webhook_is_recovered(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    setup.proxy.close();
    let handle = setup.offer().await;
    setup.pay(provider, &handle);
    if provider == Provider::Paypal {
        assert_eq!(setup.link(&handle).await.unwrap(), "active");
        assert_eq!(setup.link(&handle).await.unwrap(), "active", "once more");
    }
    setup.until_active().await;
    assert_eq!(setup.paid_orders().await, 1);
    setup.env.events("order.paid", 1).await;
}

pub async fn a_webhook_twenty_times_at_once_counts_once(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    setup.proxy.close();
    let handle = setup.offer().await;
    setup.pay(provider, &handle);
    setup.until_notified("PAYMENT.SALE.COMPLETED").await;
    for notification in setup.proxy.received() {
        let answers = join_all((0..20).map(|_| deliver(&setup.env.checkout, notification.clone()))).await;
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    }
    setup.until_active().await;
    assert_eq!((setup.paid_orders().await, setup.refunds().await.len()), (1, 0));
    setup.env.events("order.paid", 1).await;
    assert_eq!(setup.booked(provider).await, setup.price().await);
}

pub async fn webhooks_in_any_order_come_to_the_same(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    setup.proxy.close();
    let handle = setup.offer().await;
    setup.pay(provider, &handle);
    setup.until_notified("PAYMENT.SALE.COMPLETED").await;
    let mut emitted = setup.proxy.received();
    emitted.reverse();
    for request in emitted.iter().chain(emitted.iter().rev()) {
        deliver(&setup.env.checkout, request.clone()).await.unwrap();
    }
    setup.until_active().await;
    assert_eq!((setup.paid_orders().await, setup.refunds().await.len()), (1, 0));
    setup.env.events("order.paid", 1).await;
}

pub async fn forged_webhooks_are_rejected_and_not_stored(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    setup.proxy.close();
    let handle = setup.offer().await;
    setup.pay(provider, &handle);
    setup.until_notified("PAYMENT.SALE.COMPLETED").await;
    for mut notification in setup.proxy.received() {
        if provider == Provider::Yookassa {
            // Unsigned: a webhook about an unknown object is forged.
            notification.body = br#"{"type":"notification","event":"payment.succeeded","object":{"id":"2c1","status":"succeeded"}}"#.to_vec();
        } else {
            let text = String::from_utf8(notification.body).unwrap();
            notification.body = text.replacen('1', "2", 1).into_bytes();
        }
        let failure = deliver(&setup.env.checkout, notification).await.unwrap_err();
        assert_eq!(failure.code, "BAD_SIGNATURE");
    }
    let kept: i64 = sqlx::query_scalar("select count(*) from webhook_event")
        .fetch_one(&setup.env.pool().await)
        .await
        .unwrap();
    assert_eq!(kept, 0);
}

pub async fn payments_are_refunded_in_parts_and_whole(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    let order = setup.buy().await;
    let price = setup.price().await;
    setup.refund(&order, Some("100"), "one").await;
    setup.until_refunds(&["succeeded"]).await;
    assert_eq!(setup.booked(provider).await, price - 100);
    setup.refund(&order, None, "two").await;
    setup.until_refunds(&["succeeded", "succeeded"]).await;
    assert_eq!(setup.booked(provider).await, 0);
    setup.env.events("refund.succeeded", 2).await;
}

pub async fn a_refund_with_a_lost_answer_is_made_once(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    let order = setup.buy().await;
    let price = setup.price().await;
    let (_, _, path) = calls(provider);
    let fault = Fault::on("POST", path, Action::DropAfterCommit {});
    setup.env.fake_provider.sandbox().faults().add(fault);
    setup.proxy.close();
    setup.refund(&order, Some("100"), "one").await;
    let is_given = async || setup.refunds().await == ["succeeded"];
    within(&setup.env, ONE_MINUTE, is_given).await;
    assert!(setup.env.fake_provider.is_fault_active());
    assert_eq!(setup.booked(provider).await, price - 100);
    // All that is left, and not a cent of what went already.
    setup.refund(&order, None, "two").await;
    setup.until_refunds(&["succeeded", "succeeded"]).await;
    assert_eq!(setup.booked(provider).await, 0);
}

pub async fn canceled_subscription_lasts_for_the_paid_period(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    setup.buy().await;
    if provider == Provider::Paypal {
        let accounts = setup.env.accounts().await;
        let id = accounts[0].payments[0].provider_subscription_id.clone().unwrap();
        setup.cancel_at_paypal(&id).await;
        setup.env.advance(TimeDelta::minutes(5)).await;
        assert_eq!(setup.env.subscriptions().await[0].status, "active");
    } else {
        setup.change(Change::Cancel(Cancel {})).await.unwrap();
    }
    setup.env.advance(TimeDelta::days(27)).await;
    assert_eq!(setup.env.subscriptions().await[0].status, "active");
    setup.env.advance(TimeDelta::days(6)).await;
    let is_over = async || setup.env.subscriptions().await[0].status == "canceled";
    setup.until("canceled", is_over).await;
    assert_eq!(
        setup.booked(provider).await,
        setup.price().await,
        "nothing more was captured"
    );
}

pub async fn second_of_two_paid_providers_is_refunded(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    let other = match provider {
        Provider::Yookassa => Provider::Platron,
        Provider::Platron => Provider::Yookassa,
        Provider::Paypal => Provider::Stripe,
        Provider::Stripe => Provider::Paypal,
    };
    let handle = setup.offer().await;
    setup.begin(&handle).await;
    if other == Provider::Stripe {
        let card = setup
            .env
            .fake_provider
            .card(crate::support::fake_provider::APPROVED)
            .await;
        let mut request = setup.env.submit("web-monthly", &card).await;
        request.price_id = setup.resolve("US", "en").await.offer.unwrap().price_id;
        setup.env.pay(request).await.unwrap();
    } else {
        let second = setup.offer_of(other).await;
        setup.pay(other, &second);
    }
    setup.until_active().await;
    setup.finish(&handle).await;
    setup.until_refunds(&["succeeded"]).await;

    assert_eq!(setup.paid_orders().await, 1);
    assert_eq!(
        (setup.booked(provider).await, setup.booked(other).await),
        (0, setup.price().await)
    );
    let events = setup.env.events("refund.succeeded", 1).await;
    assert_eq!(events[0].data["reason"], "excess");
    assert_eq!(events[0].data["userId"], MEMBER);
    setup.env.events("order.paid", 1).await;
    assert_eq!(setup.env.subscriptions().await[0].status, "active");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn browser_claims_about_paypal_are_not_trusted() {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    setup.proxy.close();
    let theirs = setup.offer().await;
    let code = |outcome: Result<String, kit::error::Failure>| outcome.unwrap_err().code;
    assert_eq!(code(setup.link("").await), "UNKNOWN_PAYPAL_SUBSCRIPTION");
    assert_eq!(code(setup.link("I-UNKNOWN").await), "UNKNOWN_PAYPAL_SUBSCRIPTION");
    assert_eq!(code(setup.link(&theirs).await), "PAYPAL_NOT_APPROVED");
    setup.pay(Provider::Paypal, &theirs);
    let stranger = "usr_0192f0c0a0007000800000000000000b";
    assert_eq!(
        code(setup.link_as(stranger, &theirs).await),
        "UNKNOWN_PAYPAL_SUBSCRIPTION"
    );

    // A cheaper price than the plan's, written by the page: refused, and what was paid goes back.
    let shown = setup.resolve("US", "en").await;
    let cheap = json!({ "plan_id": shown.paypal_plan_id, "custom_id": MEMBER, "plan": { "billing_cycles": [
        { "sequence": 1, "pricing_scheme": { "fixed_price": { "value": "0.01", "currency_code": "USD" } } }] } });
    let cheap = setup.subscribe_in_browser(&cheap).await;
    setup.pay(Provider::Paypal, &cheap);
    assert_eq!(code(setup.link(&cheap).await), "UNKNOWN_PRICE");
    assert_eq!(setup.status_at_paypal(&cheap).await, "CANCELLED");
    assert!(setup.env.subscriptions().await.is_empty());

    assert_eq!(setup.link(&theirs).await.unwrap(), "active");
    assert_eq!(
        code(setup.link_as(stranger, &theirs).await),
        "UNKNOWN_PAYPAL_SUBSCRIPTION"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_with_a_merchant_billed_subscription_is_offered_no_other() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    let first = setup.pages().await;
    assert!(!first.has_subscription && !first.yookassa_token.is_empty() && !first.platron_url.is_empty());
    assert_eq!(setup.pages().await, first, "the pages that are open already");
    setup.pay(Provider::Platron, &first.platron_url);
    setup.until_active().await;
    let then = setup.pages().await;
    assert!(then.has_subscription && then.yookassa_token.is_empty() && then.platron_url.is_empty());
    let refused = setup
        .env
        .buy("web-monthly", crate::support::fake_provider::APPROVED)
        .await
        .unwrap_err();
    assert_eq!(refused.code, "SB101");
    // Other countries get no such pages.
    assert!(setup.resolve("US", "en").await.russian.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unreachable_provider_differs_from_unsupported_price() {
    let setup = ProviderSetup::open(Provider::Yookassa).await;
    let faults = setup.env.fake_provider.sandbox().faults();
    faults.add(Fault::on("POST", "/yookassa/v3/payments", Action::DropBefore {}).times(0));
    let one_down = setup.pages().await;
    assert!(one_down.yookassa_token.is_empty() && !one_down.platron_url.is_empty());
    assert_eq!(one_down.unavailable, [wire::Provider::Yookassa as i32]);

    faults.add(Fault::on("POST", "/platron/*", Action::DropBefore {}).times(0));
    setup.env.advance(A_PAGE_IS_OFFERED_FOR).await;
    let both_down = setup.pages().await;
    assert!(both_down.yookassa_token.is_empty() && both_down.platron_url.is_empty());
    let both = [wire::Provider::Yookassa as i32, wire::Provider::Platron as i32];
    assert_eq!(both_down.unavailable, both);

    setup.env.fake_provider.clear_faults();
    let up = setup.pages().await;
    assert!(up.unavailable.is_empty() && !up.yookassa_token.is_empty() && !up.platron_url.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeatedly_failing_webhook_is_dead_lettered_and_can_be_replayed() {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    let handle = setup.offer().await;
    let path = "/paypal/v1/billing/subscriptions/*";
    let action = Action::Error {
        status: 500,
        body: None,
        stored: None,
    };
    setup
        .env
        .fake_provider
        .sandbox()
        .faults()
        .add(Fault::on("GET", path, action).times(0));
    setup.pay(Provider::Paypal, &handle);
    let dead = async || setup.dead().await;
    setup.until("given up", async || !dead().await.is_empty()).await;
    assert_eq!(setup.paid_orders().await, 0);
    setup.env.fake_provider.clear_faults();
    for event_id in dead().await {
        setup.replay(&event_id).await;
    }
    setup.until_active().await;
    assert_eq!((setup.paid_orders().await, dead().await.len()), (1, 0));
}

pub async fn erasure_removes_the_members_data(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    setup.buy().await;
    let accounts = setup.env.accounts().await;
    let id = accounts[0].payments[0].provider_subscription_id.clone().unwrap();
    erase(&setup.env).await;
    assert_eq!(setup.env.count(UNERASED_CHECKOUTS).await, 0);
    let query = "select count(*) from webhook_event where body <> '' and provider_object_id is not null";
    assert_eq!(setup.env.count(query).await, 0);
    if provider == Provider::Paypal {
        assert_eq!(setup.status_at_paypal(&id).await, "CANCELLED");
    }
    // Later webhooks are stored without a body.
    for notification in setup.proxy.received() {
        deliver(&setup.env.checkout, notification).await.unwrap();
    }
    assert_eq!((setup.paid_orders().await, setup.refunds().await.len()), (1, 0));
}
