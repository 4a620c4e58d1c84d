use std::time::Duration;

use kit::bus::CloudEvent;
use proto::checkout::v1::{CreateSubscriptionRequest, CreateSurveyOrderRequest};
use proto::export::v1::CheckoutExport;
use sandbox::Action;
use serde_json::{Value, json};

use crate::privacy::export_member::export;
use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::test_env::{MEMBER, TestEnv};

const OTHER: &str = "usr_0192f0c0a0007000800000000000000b";
const ERASURE: &str = "ers_0192f0c0a00070008000000000000001";

async fn publish(env: &TestEnv, id: &str, subject: &str, data: Value) {
    let event = CloudEvent::new(id.to_owned(), subject, env.host.clock().now(), data);
    for _ in 0..100 {
        if env.host.context().bus.publish(&event).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the stream takes no events");
}

pub const UNERASED_CHECKOUTS: &str =
    "select count(*) from hosted_checkout where user_id not like 'erased\\_%' or email || full_name <> ''";

/// Erases the member and waits for the completion event.
pub async fn erase(env: &TestEnv) -> Vec<CloudEvent> {
    request_erasure(env, "r1").await;
    env.events("member_data.erased", 1).await
}

async fn request_erasure(env: &TestEnv, id: &str) {
    let data = json!({"erasureId": ERASURE, "userId": MEMBER, "services": ["checkout"]});
    publish(env, id, "stillpoint.auth.erasure.requested", data).await;
}

async fn buy_for(env: &TestEnv, user_id: &str) {
    let card = env.fake_provider.card(APPROVED).await;
    let submit = env.submit("web-monthly", &card).await;
    let request = CreateSubscriptionRequest {
        user_id: user_id.into(),
        ..submit
    };
    env.pay(request).await.unwrap();
}

async fn customers(env: &TestEnv) -> usize {
    env.fake_provider.list("customers?limit=100").await.len()
}

#[tokio::test]
async fn erasure_anonymises_orders_and_deletes_the_customer() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    buy_for(&env, OTHER).await;
    let reports = erase(&env).await;
    assert_eq!(
        reports[0].data,
        json!({"erasureId": ERASURE, "service": "checkout", "kept": ["bookkeeping"]})
    );

    assert!(env.subscriptions().await.is_empty());
    let theirs = "select count(*) from customer where email = 'buyer@example.com'";
    assert_eq!(env.count(theirs).await, 1, "the other is still known");
    let sold = "select count(*) from orders where state = 'paid' and amount_minor > 0";
    assert_eq!(env.count(sold).await, 2);
    let ended = "select count(*) from subscription where state = 'canceled' and user_id like 'erased_%'";
    assert_eq!(env.count(ended).await, 1);
    assert_eq!(customers(&env).await, 1);
    let live = env.fake_provider.subscriptions().await;
    assert_eq!(live.iter().filter(|it| it["status"] == "canceled").count(), 1);
    assert_eq!(export(&env, MEMBER).await, CheckoutExport::default());
    assert_eq!(export(&env, OTHER).await.orders.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn card_of_an_erased_members_trial_starts_no_other_trial() {
    let env = TestEnv::start().await;
    env.buy("web-annual", APPROVED).await.unwrap();
    erase(&env).await;

    let card = env.fake_provider.card(APPROVED).await;
    let request = CreateSubscriptionRequest {
        user_id: OTHER.into(),
        ..env.submit("web-annual", &card).await
    };
    assert_eq!(env.pay(request).await.unwrap_err().code, "TRIAL_ALREADY_USED");
    env.check_ledger().await;
}

#[tokio::test]
async fn erasure_closes_payments_awaiting_authentication() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    erase(&env).await;
    assert_eq!(
        env.count("select count(*) from payment where client_secret is not null")
            .await,
        0
    );
    assert_eq!(
        env.count("select count(*) from orders where state = 'open'")
            .await,
        0
    );
    assert!(env.fake_provider.captured_charges().await.is_empty());
    env.check_ledger().await;
}

#[tokio::test]
async fn unreported_charge_is_posted_before_its_customer_is_deleted() {
    let env = TestEnv::start_with([("CHECKOUT_RECONCILE_AFTER_MS", "600000")]).await;
    env.fake_provider
        .inject_fault("POST", "subscriptions", Action::DropAfterCommit {});
    let _ = env.buy("web-monthly", APPROVED).await;
    erase(&env).await;
    assert_eq!(
        env.count("select count(*) from orders where state = 'paid'")
            .await,
        1
    );
    assert_eq!(customers(&env).await, 0);
    env.check_ledger().await;
}

#[tokio::test]
async fn customer_with_a_lost_answer_is_found() {
    let env = TestEnv::start_with([("CHECKOUT_RECONCILE_AFTER_MS", "600000")]).await;
    env.fake_provider
        .inject_fault("POST", "customers", Action::DropAfterCommit {});
    let _ = env.buy("web-monthly", APPROVED).await;
    assert_eq!(customers(&env).await, 1);
    erase(&env).await;
    assert_eq!(customers(&env).await, 0);
    env.check_ledger().await;
}

#[tokio::test]
async fn late_webhooks_and_purchases_restore_nothing() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    let events = env.fake_provider.events().await;
    env.deliver(&events[0]).await;
    erase(&env).await;

    for event in env.fake_provider.events().await {
        env.deliver(&event).await;
    }
    let telling =
        "select count(*) from webhook_event where convert_from(body, 'UTF8') ~ 'buyer@|cus_|A Buyer'";
    assert_eq!(env.count(telling).await, 0);
    let card = env.fake_provider.card(APPROVED).await;
    let late = env.pay(env.submit("web-monthly", &card).await).await;
    assert_eq!(late.unwrap_err().code, "SESSION_EXPIRED");
    let named = "select count(*) from outbox where event::text like '%0000000a%'";
    assert_eq!(env.count(named).await, 0);
    env.check_ledger().await;
}

#[tokio::test]
async fn repeated_request_is_harmless() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    erase(&env).await;
    request_erasure(&env, "r2").await;
    env.events("member_data.erased", 2).await;
    assert_eq!(env.count("select count(*) from erasure_job").await, 0);
    env.check_ledger().await;
}

#[tokio::test]
async fn survey_order_belongs_to_the_sign_up_that_names_it() {
    let env = TestEnv::start().await;
    let request = CreateSurveyOrderRequest {
        lang: "tr".into(),
        ab_group: "b".into(),
        ..CreateSurveyOrderRequest::default()
    };
    let order = env.checkout.clone().create_survey_order(request).await.unwrap();
    let order_id = order.into_inner().order_id;
    let registered = |user_id: &str| json!({"userId": user_id, "orderId": order_id, "method": "form"});
    publish(&env, "u1", "stillpoint.auth.user.registered", registered(MEMBER)).await;
    // A later claim by another member is refused.
    publish(&env, "u2", "stillpoint.auth.user.registered", registered(OTHER)).await;
    let other_kind = json!({"userId": OTHER, "orderId": "md-1"});
    publish(&env, "u3", "stillpoint.auth.user.registered", other_kind).await;
    while env
        .count("select count(*) from inbox where consumer = 'checkout'")
        .await
        < 3
    {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(export(&env, MEMBER).await.survey_orders[0].order_id, order_id);
    assert!(export(&env, OTHER).await.survey_orders.is_empty());

    erase(&env).await;
    assert_eq!(env.count("select count(*) from survey_order").await, 0);
    let query = "select count(*) from outbox where event::text like '%order.created%'";
    assert_eq!(env.count(query).await, 0);
}
