//! The real binary, killed at the worst moments of a payment and started again: the order ends paid exactly
//! once, with one charge at Stripe and one activation on the stream.

use std::process::Command;

use sandbox::Action;

use crate::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::fixture::{Fixture, until};

#[tokio::test]
async fn killed_after_the_intent_before_stripe_was_asked_to_charge() {
    let mut fixture = Fixture::start().await;
    fixture
        .fake_provider
        .inject_fault("POST", "customers", Action::DelayBefore { ms: 3000 });
    let request = fixture.request(APPROVED).await;
    let pending = fixture.pay(request.clone());
    until("Stripe is asked for a customer", async || {
        fixture.fake_provider.is_fault_active()
    })
    .await;
    assert_eq!(
        fixture
            .count("select count(*) from payment where state = 'intended'")
            .await,
        1
    );
    fixture.kill();
    assert!(pending.await.unwrap().is_err());
    assert_eq!(fixture.fake_provider.captured_charges().await.len(), 0);

    fixture.launch().await;
    fixture.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_while_stripe_is_about_to_charge() {
    let mut fixture = Fixture::start().await;
    fixture
        .fake_provider
        .inject_fault("POST", "subscriptions", Action::DelayBefore { ms: 4000 });
    let request = fixture.request(APPROVED).await;
    let pending = fixture.pay(request.clone());
    until("Stripe is asked to charge", async || {
        fixture.fake_provider.is_fault_active()
    })
    .await;
    fixture.kill();
    assert!(pending.await.unwrap().is_err());

    fixture.launch().await;
    fixture.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_after_stripe_charged_before_its_answer_arrived() {
    let mut fixture = Fixture::start().await;
    fixture
        .fake_provider
        .inject_fault("POST", "subscriptions", Action::DelayAfterCommit { ms: 5000 });
    let request = fixture.request(APPROVED).await;
    let pending = fixture.pay(request.clone());
    fixture.until_charged().await;
    fixture.kill();
    assert!(pending.await.unwrap().is_err());
    assert_eq!(
        fixture
            .count("select count(*) from orders where state = 'paid'")
            .await,
        0
    );

    fixture.launch().await;
    fixture.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_between_stripes_answer_and_our_commit() {
    let mut fixture = Fixture::start().await;
    fixture
        .fake_provider
        .inject_fault("POST", "subscriptions", Action::DelayAfterCommit { ms: 3000 });
    let request = fixture.request(APPROVED).await;
    let mut blocker = kit::database::begin(&fixture.pool().await).await.unwrap();
    let pending = fixture.pay(request.clone());
    until("Stripe is asked to charge", async || {
        fixture.fake_provider.is_fault_active()
    })
    .await;
    sqlx::query("lock table orders in exclusive mode")
        .execute(&mut *blocker)
        .await
        .unwrap();
    fixture.until_charged().await;
    until("the settlement waits for the lock", async || {
        fixture
            .count(
                "select count(*) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock' and query like '%for update'",
            )
            .await
            > 0
    })
    .await;
    fixture.kill();
    assert!(pending.await.unwrap().is_err());
    blocker.rollback().await.unwrap();
    assert_eq!(
        fixture
            .count("select count(*) from orders where state = 'paid'")
            .await,
        0
    );

    fixture.launch().await;
    fixture.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_after_3d_secure_with_the_webhook_never_coming() {
    let mut fixture = Fixture::start().await;
    let request = fixture.request(ASKS_FOR_3DS).await;
    let asked = fixture.pay(request.clone()).await.unwrap().unwrap();
    assert_eq!(asked.payment_status, "requires_action");
    fixture.kill();
    fixture
        .fake_provider
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    fixture.until_charged().await;

    fixture.launch().await;
    fixture.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_after_stripe_refunded_before_its_answer_arrived() {
    let mut fixture = Fixture::start().await;
    let request = fixture.request(APPROVED).await;
    fixture.pay(request.clone()).await.unwrap().unwrap();
    fixture
        .fake_provider
        .inject_fault("POST", "refunds", Action::DelayAfterCommit { ms: 5000 });
    let order = "select 'ord_' || replace(order_id::text, '-', '') from orders";
    let order: String = sqlx::query_scalar(order)
        .fetch_one(&fixture.pool().await)
        .await
        .unwrap();
    let asked = Command::new(env!("CARGO_BIN_EXE_checkout"))
        .args(["refund", order.as_str(), "--ticket", "T-1"])
        .env("CHECKOUT_DATABASE_URL", fixture.host.database_url())
        .status();
    assert!(asked.unwrap().success());
    until("Stripe has given back", async || {
        fixture.fake_provider.list("refunds?limit=100").await.len() == 1
    })
    .await;
    fixture.kill();
    fixture.check_invariants().await;
    let given = "select count(*) from refund where state = 'succeeded'";
    assert_eq!(fixture.count(given).await, 0);

    fixture.launch().await;
    until("the refund is known to be given", async || {
        fixture.count(given).await == 1
    })
    .await;
    assert_eq!(fixture.fake_provider.list("refunds?limit=100").await.len(), 1);
    fixture
        .host
        .events("stillpoint.checkout.refund.succeeded", 1)
        .await;
    fixture.check_paid_once(request).await;
}
