//! Mails about subscriptions, and the entitlements that subscriptions open.
use chrono::TimeDelta;
use kit::bus::CloudEvent;
use serde_json::{Value, json};

use crate::fixture::{Auth, ada, eventually, paid, publish, publish_data};
use crate::mails::mails;

const CHECKOUT: &str = "stillpoint.checkout.";

fn amount() -> Value {
    json!({"amountMinor": "123450", "currency": "TRY"})
}

async fn member() -> (Auth, sandbox::Sandbox, String) {
    let (auth, post) = Auth::with_post().await;
    let registered = auth.register(ada()).await.unwrap();
    (auth, post, registered.user.unwrap().user_id)
}

async fn news(auth: &Auth, id: &str, what: &str, data: Value) {
    publish_data(auth, id, &format!("{CHECKOUT}{what}"), data).await;
}

async fn applied(auth: &Auth, count: i64) {
    let query = "select count(*) from inbox where consumer = 'auth-subscriptions'";
    eventually(async || auth.count(query).await == count).await;
}

#[tokio::test]
async fn every_payment_is_receipted_once() {
    let (auth, post, user_id) = member().await;
    let order = json!({"orderId": "ord_1", "userId": user_id, "paymentId": "pay_1", "amount": amount()});
    news(&auth, "e-1", "order.paid", order.clone()).await;
    news(&auth, "e-1", "order.paid", order).await;
    let renewed =
        json!({"subscriptionId": "sbn_1", "userId": user_id, "product": "premium", "amount": amount()});
    news(&auth, "e-2", "subscription.renewed", renewed).await;
    let mails = mails(&post, 2).await;
    for mail in &mails {
        assert_eq!(mail.content.subject, "Your receipt");
        assert!(mail.content.text.contains("TRY\u{a0}1,234.50"));
        assert!(
            mail.content.text.contains("/en/account/"),
            "{}",
            mail.content.text
        );
    }
    applied(&auth, 2).await;
}

#[tokio::test]
async fn reminders_name_the_day_and_the_amount() {
    let (auth, post, user_id) = member().await;
    let ending = json!({"subscriptionId": "sbn_1", "userId": user_id, "amount": amount(), "trialEnd": "2028-02-29T10:00:00Z"});
    news(&auth, "e-1", "subscription.trial_ending", ending).await;
    let mail = &mails(&post, 1).await[0];
    assert_eq!(mail.content.subject, "Your free trial ends on 29 February 2028");
    assert!(mail.content.text.contains("TRY\u{a0}1,234.50"));

    let overdue = json!({"subscriptionId": "sbn_1", "userId": user_id, "amount": amount(), "accessUntil": "2028-03-14T10:00:00Z"});
    news(&auth, "e-2", "subscription.past_due", overdue).await;
    let mail = &mails(&post, 2).await[1];
    assert!(
        mail.content.text.contains("14 March 2028"),
        "{}",
        mail.content.text
    );

    let ended = json!({"subscriptionId": "sbn_1", "userId": user_id, "product": "premium", "endedAt": "2028-03-14T10:00:00Z", "cause": "unpaid"});
    news(&auth, "e-3", "subscription.canceled", ended).await;
    assert_eq!(
        mails(&post, 3).await[2].content.subject,
        "Your subscription has ended"
    );
}

#[tokio::test]
async fn erased_and_anonymous_users_get_no_mail() {
    let (auth, post, _) = member().await;
    for (id, user_id) in [
        ("e-1", ""),
        ("e-2", "erased_1"),
        ("e-3", "usr_0192f0c0a0007000800000000000000a"),
    ] {
        news(
            &auth,
            id,
            "order.paid",
            json!({"userId": user_id, "amount": amount()}),
        )
        .await;
    }
    applied(&auth, 3).await;
    assert_eq!(auth.count("select count(*) from dead_letter").await, 0);
    assert!(post.mails().is_empty());
}

async fn is_coaching(auth: &Auth) -> bool {
    auth.count("select count(*) from account where is_coaching_user")
        .await
        == 1
}

fn of_coaching(user_id: &str) -> Value {
    json!({"subscriptionId": "sbn_1", "userId": user_id, "product": "plus", "opens": ["coaching"], "amount": amount()})
}

#[tokio::test]
async fn what_ends_or_pauses_closes_what_it_opened_and_a_renewal_opens_it_again() {
    let (auth, _post, user_id) = member().await;
    let activated = "subscription.activated";
    news(&auth, "e-1", activated, of_coaching(&user_id)).await;
    eventually(async || is_coaching(&auth).await).await;
    news(&auth, "e-2", "subscription.paused", of_coaching(&user_id)).await;
    eventually(async || !is_coaching(&auth).await).await;
    news(&auth, "e-3", "subscription.renewed", of_coaching(&user_id)).await;
    eventually(async || is_coaching(&auth).await).await;
    news(&auth, "e-4", "subscription.canceled", of_coaching(&user_id)).await;
    eventually(async || !is_coaching(&auth).await).await;
}

#[tokio::test]
async fn another_subscription_keeps_open_what_it_opens_as_well() {
    let (auth, _post, user_id) = member().await;
    news(&auth, "e-1", "subscription.activated", of_coaching(&user_id)).await;
    let mut other = of_coaching(&user_id);
    other["subscriptionId"] = json!("sbn_2");
    other["opens"] = json!(["coaching", "therapy"]);
    news(&auth, "e-2", "subscription.activated", other).await;
    let granted = "select count(*) from entitlement_grant where is_open";
    eventually(async || auth.count(granted).await == 2).await;
    news(&auth, "e-3", "subscription.canceled", of_coaching(&user_id)).await;
    applied(&auth, 1).await;
    assert!(is_coaching(&auth).await);
}

#[tokio::test]
async fn the_name_of_a_product_opens_nothing() {
    let (auth, _post, user_id) = member().await;
    let mut named = of_coaching(&user_id);
    named["product"] = json!("coaching");
    named["opens"] = json!([]);
    news(&auth, "e-1", "subscription.activated", named.clone()).await;
    news(&auth, "e-2", "subscription.renewed", named).await;
    let consumed = "select count(*) from inbox";
    eventually(async || auth.count(consumed).await == 2).await;
    assert!(!is_coaching(&auth).await);
    assert_eq!(auth.count("select count(*) from entitlement_grant").await, 0);
}

#[tokio::test]
async fn what_is_paid_once_opens_for_good_until_its_buyer_withdraws() {
    let (auth, _post, user_id) = member().await;
    let session = json!({
        "orderId": "ord_1", "userId": user_id, "product": "an hour", "opens": ["coaching"], "kind": "addition",
        "amount": amount(),
    });
    news(&auth, "e-1", "order.paid", session.clone()).await;
    eventually(async || is_coaching(&auth).await).await;
    let lifetime = json!({
        "orderId": "ord_2", "userId": user_id, "product": "forever", "opens": ["premium"], "kind": "lifetime",
        "amount": amount(),
    });
    news(&auth, "e-2", "order.paid", lifetime).await;
    let premium = "select count(*) from account where is_premium_user and is_coaching_user";
    eventually(async || auth.count(premium).await == 1).await;

    let withdrawn = json!({"withdrawalId": "wdr_1", "orderId": "ord_1", "userId": user_id});
    news(&auth, "e-3", "withdrawal.accepted", withdrawn).await;
    eventually(async || !is_coaching(&auth).await).await;
    assert_eq!(
        auth.count("select count(*) from account where is_premium_user")
            .await,
        1
    );
    // The payment arrives once more, under another id.
    news(&auth, "e-4", "order.paid", session).await;
    applied(&auth, 3).await;
    assert!(!is_coaching(&auth).await);
}

#[tokio::test]
async fn news_of_the_end_may_come_before_those_of_the_beginning() {
    let (auth, _post, user_id) = member().await;
    news(&auth, "e-1", "subscription.canceled", of_coaching(&user_id)).await;
    applied(&auth, 1).await;
    news(&auth, "e-2", "subscription.activated", of_coaching(&user_id)).await;
    paid(&auth, "e-3", &user_id, &["premium"]).await;
    let consumed = "select count(*) from inbox where consumer = 'auth'";
    eventually(async || auth.count(consumed).await == 2).await;
    assert!(!is_coaching(&auth).await);
}

#[tokio::test]
async fn late_news_of_a_renewal_open_nothing_that_has_ended_since() {
    let (auth, _post, user_id) = member().await;
    news(&auth, "e-1", "subscription.activated", of_coaching(&user_id)).await;
    eventually(async || is_coaching(&auth).await).await;
    let renewed_at = auth.test.clock().now();
    auth.test.clock().advance(TimeDelta::days(1));
    news(&auth, "e-2", "subscription.canceled", of_coaching(&user_id)).await;
    applied(&auth, 1).await;
    let subject = format!("{CHECKOUT}subscription.renewed");
    let late = CloudEvent::new("e-3".to_owned(), &subject, renewed_at, of_coaching(&user_id));
    publish(&auth, &late).await;
    applied(&auth, 2).await;
    assert!(!is_coaching(&auth).await);
}
