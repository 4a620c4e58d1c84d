//! Mails about refunds, and the entitlements that refunds close.
use chrono::TimeDelta;
use kit::bus::CloudEvent;
use serde_json::{Value, json};

use crate::fixture::{Auth, ada, eventually, publish, publish_data};
use crate::mails::mails;

const PAID: &str = "stillpoint.checkout.order.paid";
const REFUNDED: &str = "stillpoint.checkout.refund.succeeded";
const RETURNED: &str = "stillpoint.checkout.refund.returned";

fn refund(user_id: &str) -> Value {
    let amount = json!({"amountMinor": "123450", "currency": "TRY"});
    json!({"refundId": "rfd_1", "orderId": "ord_1", "userId": user_id, "amount": amount, "reason": "excess"})
}

async fn applied(auth: &Auth, count: i64) {
    let query = "select count(*) from inbox where consumer = 'auth-refunds'";
    eventually(async || auth.count(query).await == count).await;
}

#[tokio::test]
async fn refund_sends_one_mail_with_the_amount() {
    let (auth, post) = Auth::with_post().await;
    let registered = auth.register(ada()).await.unwrap();
    let user_id = registered.user.unwrap().user_id;
    publish_data(&auth, "e-1", REFUNDED, refund(&user_id)).await;
    publish_data(&auth, "e-1", REFUNDED, refund(&user_id)).await;
    let mail = &mails(&post, 1).await[0];
    assert_eq!(mail.content.subject, "We have refunded your payment");
    assert!(
        mail.content.text.contains("TRY\u{a0}1,234.50"),
        "{}",
        mail.content.text
    );
    eventually(async || auth.count("select count(*) from mail_outbox").await == 0).await;
    assert_eq!(post.mails().len(), 1);
}

#[tokio::test]
async fn who_has_left_or_has_their_money_from_their_bank_is_not_written_to() {
    let (auth, post) = Auth::with_post().await;
    publish_data(
        &auth,
        "e-1",
        REFUNDED,
        refund("erased_0192f0c0a0007000800000000000000a"),
    )
    .await;
    publish_data(
        &auth,
        "e-2",
        REFUNDED,
        refund("usr_0192f0c0a0007000800000000000000a"),
    )
    .await;
    let registered = auth.register(ada()).await.unwrap();
    let mut disputed = refund(&registered.user.unwrap().user_id);
    disputed["reason"] = json!("disputed");
    publish_data(&auth, "e-3", REFUNDED, disputed).await;
    applied(&auth, 3).await;
    assert_eq!(auth.count("select count(*) from mail_outbox").await, 0);
    assert_eq!(auth.count("select count(*) from dead_letter").await, 0);
    assert!(post.mails().is_empty());
}

#[tokio::test]
async fn guest_mail_waits_until_checkout_answers() {
    let (auth, post) = Auth::with_post().await;
    publish_data(&auth, "e-1", REFUNDED, refund("")).await;
    let waiting = "select count(*) from mail_outbox where guest_order_id = 'ord_1' and template = 'purchase_refunded' and attempts > 0";
    eventually(async || auth.count(waiting).await == 1).await;
    assert!(post.mails().is_empty());
}

async fn member() -> (Auth, sandbox::Sandbox, String) {
    let (auth, post) = Auth::with_post().await;
    let registered = auth.register(ada()).await.unwrap();
    (auth, post, registered.user.unwrap().user_id)
}

async fn is_premium(auth: &Auth) -> bool {
    auth.count("select count(*) from account where is_premium_user")
        .await
        == 1
}

/// A lifetime order, paid.
fn lifetime(user_id: &str) -> Value {
    json!({
        "orderId": "ord_1", "userId": user_id, "product": "forever", "opens": ["premium"], "kind": "lifetime",
        "amount": {"amountMinor": "123450", "currency": "TRY"},
    })
}

/// With this refund the lifetime order is refunded in full.
fn full_refund(user_id: &str) -> Value {
    let mut refunded = refund(user_id);
    refunded["reason"] = json!("requested");
    refunded["closes"] = json!(["premium"]);
    refunded
}

fn returned(user_id: &str) -> Value {
    let mut returned = refund(user_id);
    returned["reason"] = json!("disputed");
    returned["opens"] = json!(["premium"]);
    returned
}

#[tokio::test]
async fn full_refund_closes_what_the_order_opened() {
    let (auth, _post, user_id) = member().await;
    publish_data(&auth, "e-1", PAID, lifetime(&user_id)).await;
    eventually(async || is_premium(&auth).await).await;
    // A part of it.
    publish_data(&auth, "e-2", REFUNDED, refund(&user_id)).await;
    applied(&auth, 1).await;
    assert!(is_premium(&auth).await);

    publish_data(&auth, "e-3", REFUNDED, full_refund(&user_id)).await;
    eventually(async || !is_premium(&auth).await).await;
    // Both events once more, under other ids.
    publish_data(&auth, "e-4", REFUNDED, full_refund(&user_id)).await;
    publish_data(&auth, "e-5", PAID, lifetime(&user_id)).await;
    applied(&auth, 3).await;
    let consumed = "select count(*) from inbox where consumer = 'auth-subscriptions'";
    eventually(async || auth.count(consumed).await == 2).await;
    assert!(!is_premium(&auth).await);
}

#[tokio::test]
async fn full_refund_keeps_what_another_order_opens() {
    let (auth, _post, user_id) = member().await;
    let mut other = lifetime(&user_id);
    other["orderId"] = json!("ord_2");
    publish_data(&auth, "e-1", PAID, lifetime(&user_id)).await;
    publish_data(&auth, "e-2", PAID, other).await;
    let granted = "select count(*) from entitlement_grant where is_open";
    eventually(async || auth.count(granted).await == 2).await;
    publish_data(&auth, "e-3", REFUNDED, full_refund(&user_id)).await;
    eventually(async || auth.count(granted).await == 1).await;
    assert!(is_premium(&auth).await);
}

#[tokio::test]
async fn won_dispute_opens_the_order_again() {
    let (auth, post, user_id) = member().await;
    publish_data(&auth, "e-1", PAID, lifetime(&user_id)).await;
    eventually(async || is_premium(&auth).await).await;
    mails(&post, 1).await;
    let mut disputed = full_refund(&user_id);
    disputed["reason"] = json!("disputed");
    publish_data(&auth, "e-2", REFUNDED, disputed).await;
    eventually(async || !is_premium(&auth).await).await;
    publish_data(&auth, "e-3", RETURNED, returned(&user_id)).await;
    eventually(async || is_premium(&auth).await).await;
    eventually(async || auth.count("select count(*) from mail_outbox").await == 0).await;
    assert_eq!(post.mails().len(), 1, "the bank notifies the buyer");
}

#[tokio::test]
async fn refund_that_arrives_before_its_payment_leaves_the_order_closed() {
    let (auth, _post, user_id) = member().await;
    publish_data(&auth, "e-1", REFUNDED, full_refund(&user_id)).await;
    applied(&auth, 1).await;
    publish_data(&auth, "e-2", PAID, lifetime(&user_id)).await;
    let consumed = "select count(*) from inbox where consumer = 'auth-subscriptions'";
    eventually(async || auth.count(consumed).await == 1).await;
    assert!(!is_premium(&auth).await);

    // A return before the refund changes nothing; a later one opens the order.
    let before = auth.test.clock().now() - TimeDelta::hours(1);
    let stale = CloudEvent::new("e-3".to_owned(), RETURNED, before, returned(&user_id));
    publish(&auth, &stale).await;
    applied(&auth, 2).await;
    assert!(!is_premium(&auth).await);
    publish_data(&auth, "e-4", RETURNED, returned(&user_id)).await;
    eventually(async || is_premium(&auth).await).await;
}
