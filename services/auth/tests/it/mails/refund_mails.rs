//! Mails about refunds.
use serde_json::{Value, json};

use crate::fixture::{Auth, ada, eventually, publish_data};
use crate::mails::mails;

const REFUNDED: &str = "stillpoint.checkout.refund.succeeded";

fn refund(user_id: &str) -> Value {
    let amount = json!({"amountMinor": "123450", "currency": "TRY"});
    json!({"refundId": "rfd_1", "orderId": "ord_1", "userId": user_id, "amount": amount, "reason": "surplus"})
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
