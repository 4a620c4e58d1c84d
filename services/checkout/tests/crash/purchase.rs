//! The real binary, killed with SIGKILL at the worst moments of a payment and started again: the order ends paid exactly
//! once, with one charge at Stripe and one activation on the stream.


use std::process::Command;

use sandbox::Action;

use crate::fixture::{Scene, until};
use crate::fake_provider::{APPROVED, ASKS_FOR_3DS};

#[tokio::test]
async fn killed_after_the_intent_before_stripe_was_asked_to_charge() {
    let mut scene = Scene::start().await;
    scene
        .twin
        .sabotage("POST", "customers", Action::DelayBefore { ms: 3000 });
    let request = scene.request(APPROVED).await;
    let pending = scene.pay(request.clone());
    until("Stripe is asked for a customer", async || {
        scene.twin.is_sabotaging()
    })
    .await;
    assert_eq!(
        scene
            .count("select count(*) from payment where state = 'intended'")
            .await,
        1
    );
    scene.kill();
    assert!(pending.await.unwrap().is_err());
    assert_eq!(scene.twin.captured_charges().await.len(), 0);

    scene.launch().await;
    scene.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_while_stripe_is_about_to_charge() {
    let mut scene = Scene::start().await;
    scene
        .twin
        .sabotage("POST", "subscriptions", Action::DelayBefore { ms: 4000 });
    let request = scene.request(APPROVED).await;
    let pending = scene.pay(request.clone());
    until("Stripe is asked to charge", async || scene.twin.is_sabotaging()).await;
    scene.kill();
    assert!(pending.await.unwrap().is_err());

    scene.launch().await;
    scene.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_after_stripe_charged_before_its_answer_arrived() {
    let mut scene = Scene::start().await;
    scene
        .twin
        .sabotage("POST", "subscriptions", Action::DelayAfterCommit { ms: 5000 });
    let request = scene.request(APPROVED).await;
    let pending = scene.pay(request.clone());
    scene.until_charged().await;
    scene.kill();
    assert!(pending.await.unwrap().is_err());
    assert_eq!(
        scene
            .count("select count(*) from orders where state = 'paid'")
            .await,
        0
    );

    scene.launch().await;
    scene.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_between_stripes_answer_and_our_commit() {
    let mut scene = Scene::start().await;
    scene
        .twin
        .sabotage("POST", "subscriptions", Action::DelayAfterCommit { ms: 3000 });
    let request = scene.request(APPROVED).await;
    let mut blocker = scene.pool().await.begin().await.unwrap();
    let pending = scene.pay(request.clone());
    until("Stripe is asked to charge", async || scene.twin.is_sabotaging()).await;
    sqlx::query("lock table orders in exclusive mode")
        .execute(&mut *blocker)
        .await
        .unwrap();
    scene.until_charged().await;
    until("the settlement waits for the lock", async || {
        scene
            .count(
                "select count(*) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock' and query like '%for update'",
            )
            .await
            > 0
    })
    .await;
    scene.kill();
    assert!(pending.await.unwrap().is_err());
    blocker.rollback().await.unwrap();
    assert_eq!(
        scene
            .count("select count(*) from orders where state = 'paid'")
            .await,
        0
    );

    scene.launch().await;
    scene.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_after_3d_secure_with_the_webhook_never_coming() {
    let mut scene = Scene::start().await;
    let request = scene.request(ASKS_FOR_3DS).await;
    let asked = scene.pay(request.clone()).await.unwrap().unwrap();
    assert_eq!(asked.payment_status, "requires_action");
    scene.kill();
    scene
        .twin
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    scene.until_charged().await;

    scene.launch().await;
    scene.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_after_stripe_gave_back_before_its_answer_arrived() {
    let mut scene = Scene::start().await;
    let request = scene.request(APPROVED).await;
    scene.pay(request.clone()).await.unwrap().unwrap();
    scene
        .twin
        .sabotage("POST", "refunds", Action::DelayAfterCommit { ms: 5000 });
    let order = "select 'ord_' || replace(order_id::text, '-', '') from orders";
    let order: String = sqlx::query_scalar(order)
        .fetch_one(&scene.pool().await)
        .await
        .unwrap();
    let asked = Command::new(env!("CARGO_BIN_EXE_checkout"))
        .args(["refund", order.as_str(), "--ticket", "T-1"])
        .env("CHECKOUT_DATABASE_URL", scene.host.database_url())
        .status();
    assert!(asked.unwrap().success());
    until("Stripe has given back", async || {
        scene.twin.list("refunds?limit=100").await.len() == 1
    })
    .await;
    scene.kill();
    scene.check_rules().await;
    let given = "select count(*) from refund where state = 'succeeded'";
    assert_eq!(scene.count(given).await, 0);

    scene.launch().await;
    until("the refund is known to be given", async || {
        scene.count(given).await == 1
    })
    .await;
    assert_eq!(scene.twin.list("refunds?limit=100").await.len(), 1);
    scene.host.events("stillpoint.checkout.refund.succeeded", 1).await;
    scene.check_paid_once(request).await;
}
