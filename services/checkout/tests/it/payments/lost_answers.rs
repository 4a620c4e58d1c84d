//! Lost answers of Stripe after it charged a saved card. No webhook and no page helps: the reconcilers
//! resolve the payment within a minute, with one charge.

use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{Change, Resume};
use proto::checkout::v1::create_intent_request::Purpose;
use sandbox::Action;

use crate::one_time::additions::member_with;
use crate::one_time::create_intent::{open, pay, wanted};
use crate::subscriptions::change_subscription::{bought, card, pause, plan, request_change};
use crate::subscriptions::dunning::overdue;
use crate::subscriptions::paid_trial::{charged, trial};
use crate::subscriptions::preview_plan::preview;
use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::{ONE_MINUTE, SubscriptionProbe, within};
use crate::support::test_env::TestEnv;

const LOST: Action = Action::DropAfterCommit {};

async fn check_taken(env: &TestEnv, times: usize) {
    assert!(env.fake_provider.is_fault_active());
    assert_eq!(env.charges().await, times);
    assert!(env.fake_provider.list("refunds?limit=100").await.is_empty());
    assert!(
        env.accounts()
            .await
            .iter()
            .all(|account| account.refunds.is_empty())
    );
    env.check_ledger().await;
}

async fn has_paid(env: &TestEnv, orders: usize) -> bool {
    let accounts = env.accounts().await;
    accounts.iter().filter(|account| account.order.is_paid()).count() == orders
}

#[tokio::test]
async fn saved_card_pays_for_one_session() {
    let env = member_with(APPROVED).await;
    let mut request = wanted(&env, Purpose::Addition, "addition-therapy").await;
    request.idempotency_key = "the-click".into();
    env.fake_provider.inject_fault("POST", "payment_intents", LOST);
    let unknown = open(&env, &request).await.unwrap_err();
    assert_eq!(unknown.code, "PROVIDER_UNAVAILABLE");
    within(&env, ONE_MINUTE, async || has_paid(&env, 1).await).await;
    // The retrying buyer gets the paid state.
    let again = open(&env, &request).await.unwrap();
    assert_eq!(again.payment_status, "succeeded");
    check_taken(&env, 1).await;
    env.events("order.paid", 1).await;
}

#[tokio::test]
async fn dearer_plan_is_charged_as_it_was_shown() {
    let env = bought().await;
    env.advance(TimeDelta::days(10)).await;
    let shown = preview(&env, "web-annual").await.unwrap();
    env.fake_provider
        .inject_fault("POST", "subscriptions/sub_*", LOST);
    let asked = request_change(&env, plan(&shown)).await.unwrap();
    assert_eq!(asked.pending_change, "plan");
    let is_changed = async || {
        let owned = &env.subscriptions().await[0];
        owned.pending_change.is_empty() && owned.price_id == shown.price_id && env.renewals().await.len() == 1
    };
    within(&env, ONE_MINUTE, is_changed).await;
    let captured = env.renewals().await[0].captured.minor;
    assert_eq!(Some(captured), shown.due_now.as_ref().map(|due| due.amount_minor));
    check_taken(&env, 2).await;
    let emitted = env.events("subscription.renewed", 1).await;
    assert_eq!(emitted[0].data["reason"], "change");
}

#[tokio::test]
async fn resuming_after_a_skipped_period_pays_for_one() {
    let env = bought().await;
    request_change(&env, pause(&env, 90)).await.unwrap();
    env.until_idle().await;
    env.advance(TimeDelta::days(37)).await;
    env.events("subscription.paused", 1).await;
    env.until_idle().await;
    env.fake_provider
        .inject_fault("POST", "subscriptions/sub_*", LOST);
    let asked = request_change(&env, Change::Resume(Resume {})).await.unwrap();
    assert_eq!(asked.pending_change, "resume");
    let is_resumed = async || {
        let owned = &env.subscriptions().await[0];
        owned.pending_change.is_empty() && owned.paused_until.is_none() && env.renewals().await.len() == 1
    };
    within(&env, ONE_MINUTE, is_resumed).await;
    check_taken(&env, 2).await;
    env.events("subscription.renewed", 1).await;
}

#[tokio::test]
async fn other_card_pays_the_overdue_invoice() {
    for path in [
        "invoices/*/pay",
        "subscriptions/sub_*",
        "payment_methods/*/attach",
    ] {
        let env = overdue("expired_card").await;
        env.fake_provider.inject_fault("POST", path, LOST);
        request_change(&env, card(&env, APPROVED).await).await.unwrap();
        let recovered = async || {
            let owned = &env.subscriptions().await[0];
            owned.pending_change.is_empty() && owned.status == "active" && env.renewals().await.len() == 1
        };
        within(&env, ONE_MINUTE, recovered).await;
        assert_eq!(env.subscriptions().await[0].card_last4, "4242", "{path}");
        check_taken(&env, 2).await;
        env.events("subscription.recovered", 1).await;
        env.events("subscription.renewed", 1).await;
    }
}

async fn until_trialing(env: &TestEnv) {
    let is_trialing = async || {
        let owned = env.subscriptions().await;
        owned.first().is_some_and(|first| first.status == "trialing")
    };
    within(env, ONE_MINUTE, is_trialing).await;
    assert_eq!(charged(env).await, [2_999]);
    assert_eq!(env.fake_provider.subscriptions().await.len(), 1);
    check_taken(env, 1).await;
    env.events("order.paid", 1).await;
    env.events("subscription.activated", 1).await;
}

#[tokio::test]
async fn trial_is_paid_after_a_lost_browser_answer() {
    let env = TestEnv::start().await;
    let opened = open(&env, &trial(&env).await).await.unwrap();
    let card = env.fake_provider.card(APPROVED).await;
    env.fake_provider
        .confirm_without_webhook(&opened.client_secret, &card)
        .await;
    until_trialing(&env).await;
}

#[tokio::test]
async fn paid_trial_starts_once() {
    for (method, path) in [
        ("GET", "payment_intents/*"),
        ("POST", "payment_methods/*/attach"),
        ("POST", "subscriptions"),
    ] {
        let env = TestEnv::start().await;
        let request = trial(&env).await;
        env.fake_provider.inject_fault(method, path, LOST);
        pay(&env, &request, APPROVED).await;
        until_trialing(&env).await;
    }
}
