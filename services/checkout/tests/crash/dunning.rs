//! The real binary, killed while it tries an overdue renewal again: it ends paid once, booked once and told once.


use chrono::TimeDelta;
use sandbox::Action;

use crate::fixture::{Scene, until};
use crate::fake_provider::APPROVED;

const RENEWED: &str = "select count(*) from payment where kind = 'renewal'";

/// A month later, as Stripe has it: the card said no, and the next try is due.
async fn overdue(scene: &Scene, action: Action) {
    let request = scene.request(APPROVED).await;
    scene.pay(request.clone()).await.unwrap().unwrap();
    scene.check_paid_once(request).await;
    scene.twin.set_refusal(Some("insufficient_funds")).await;
    scene.twin.advance(TimeDelta::days(32)).await;
    run(scene, "update billing_state set due_at = 'epoch'").await;
    until("we take over", async || {
        scene
            .count("select count(*) from billing_state where auto_advance_disabled")
            .await
            == 1
    })
    .await;
    scene.twin.set_refusal(None).await;
    scene.twin.sabotage("POST", "invoices/*/pay", action);
    let due = "update billing_state set due_at = 'epoch', next_attempt_at = now() - interval '1 minute'";
    run(scene, due).await;
}

async fn run(scene: &Scene, statement: &'static str) {
    sqlx::query(statement).execute(&scene.pool().await).await.unwrap();
}

async fn check_recovered_once(scene: &Scene) {
    until("the renewal is known", async || scene.count(RENEWED).await == 1).await;
    until("nothing is in the air", async || {
        let owed = "select count(*) from billing_state where overdue_invoice_id is not null";
        scene.count(owed).await == 0
    })
    .await;
    assert_eq!(scene.twin.captured_charges().await.len(), 2);
    for subject in ["renewed", "recovered", "past_due"] {
        let subject = format!("stillpoint.checkout.subscription.{subject}");
        scene.host.events(&subject, 1).await;
        assert_eq!(scene.on_stream(&subject).await, 1, "{subject}");
    }
    scene.check_rules().await;
}

#[tokio::test]
async fn killed_after_the_try_was_charged_before_its_answer_arrived() {
    let mut scene = Scene::start().await;
    overdue(&scene, Action::DelayAfterCommit { ms: 5000 }).await;
    until("Stripe has charged", async || {
        scene.twin.captured_charges().await.len() == 2
    })
    .await;
    scene.kill();
    assert_eq!(scene.count(RENEWED).await, 0);
    scene.launch().await;
    check_recovered_once(&scene).await;
}

#[tokio::test]
async fn killed_while_stripe_is_about_to_try_the_card() {
    let mut scene = Scene::start().await;
    overdue(&scene, Action::DelayBefore { ms: 4000 }).await;
    until("Stripe is asked", async || scene.twin.is_sabotaging()).await;
    scene.kill();
    let in_the_air = "select count(*) from billing_state where attempt_key is not null";
    assert_eq!(scene.count(in_the_air).await, 1);
    scene.launch().await;
    check_recovered_once(&scene).await;
}
