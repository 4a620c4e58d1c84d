//! The real binary, killed while it retries an overdue renewal: one charge, one posting and one event of each kind result.

use chrono::TimeDelta;
use sandbox::Action;

use crate::fake_provider::APPROVED;
use crate::fixture::{Fixture, until};

const RENEWED: &str = "select count(*) from payment where kind = 'renewal'";

/// A month later: Stripe declined the card, and the next attempt is due.
async fn overdue(fixture: &Fixture, action: Action) {
    let request = fixture.request(APPROVED).await;
    fixture.pay(request.clone()).await.unwrap().unwrap();
    fixture.check_paid_once(request).await;
    fixture
        .fake_provider
        .set_decline(Some("insufficient_funds"))
        .await;
    fixture.fake_provider.advance(TimeDelta::days(32)).await;
    run(fixture, "update billing_state set due_at = 'epoch'").await;
    until("we take over", async || {
        fixture
            .count("select count(*) from billing_state where auto_advance_disabled")
            .await
            == 1
    })
    .await;
    fixture.fake_provider.set_decline(None).await;
    fixture
        .fake_provider
        .inject_fault("POST", "invoices/*/pay", action);
    let due = "update billing_state set due_at = 'epoch', next_attempt_at = now() - interval '1 minute'";
    run(fixture, due).await;
}

async fn run(fixture: &Fixture, statement: &'static str) {
    sqlx::query(statement)
        .execute(&fixture.pool().await)
        .await
        .unwrap();
}

async fn check_recovered_once(fixture: &Fixture) {
    until("the renewal is known", async || fixture.count(RENEWED).await == 1).await;
    until("no attempt is in flight", async || {
        let owed = "select count(*) from billing_state where overdue_invoice_id is not null";
        fixture.count(owed).await == 0
    })
    .await;
    assert_eq!(fixture.fake_provider.captured_charges().await.len(), 2);
    for subject in ["renewed", "recovered", "past_due"] {
        let subject = format!("stillpoint.checkout.subscription.{subject}");
        fixture.host.events(&subject, 1).await;
        assert_eq!(fixture.count_on_stream(&subject).await, 1, "{subject}");
    }
    fixture.check_invariants().await;
}

#[tokio::test]
async fn killed_after_the_retry_was_charged_before_its_answer_arrived() {
    let mut fixture = Fixture::start().await;
    overdue(&fixture, Action::DelayAfterCommit { ms: 5000 }).await;
    until("Stripe has charged", async || {
        fixture.fake_provider.captured_charges().await.len() == 2
    })
    .await;
    fixture.kill();
    assert_eq!(fixture.count(RENEWED).await, 0);
    fixture.launch().await;
    check_recovered_once(&fixture).await;
}

#[tokio::test]
async fn killed_while_stripe_is_about_to_retry_the_card() {
    let mut fixture = Fixture::start().await;
    overdue(&fixture, Action::DelayBefore { ms: 4000 }).await;
    until("Stripe is asked", async || {
        fixture.fake_provider.is_fault_active()
    })
    .await;
    fixture.kill();
    let in_flight = "select count(*) from billing_state where attempt_key is not null";
    assert_eq!(fixture.count(in_flight).await, 1);
    fixture.launch().await;
    check_recovered_once(&fixture).await;
}
