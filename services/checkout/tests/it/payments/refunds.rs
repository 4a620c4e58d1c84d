use std::time::Duration;

use chrono::TimeDelta;
use futures::future::join_all;
use sandbox::Action;
use serde_json::Value;
use sqlx::Executor;

use crate::operations::ledger_cli::{checkout, said};
use crate::privacy::erase_member::erase;
use crate::privacy::export_member::export;
use crate::support::fake_provider::{APPROVED, DISPUTED};
use crate::support::subscription_probe::{ONE_MINUTE, within};
use crate::support::test_env::{MEMBER, TestEnv};

const LATER: TimeDelta = TimeDelta::minutes(5);

/// A paid month; returns the order's id.
async fn bought(env: &TestEnv) -> String {
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.accounts().await[0].order.order_id.to_string()
}

async fn price(env: &TestEnv) -> i64 {
    env.accounts().await[0].order.amount.minor
}

/// In alphabetical order.
async fn states(env: &TestEnv) -> Vec<&'static str> {
    let accounts = env.accounts().await;
    let refunds = accounts.iter().flat_map(|account| &account.refunds);
    let mut states: Vec<_> = refunds.map(|refund| refund.state.name()).collect();
    states.sort_unstable();
    states
}

async fn until_states(env: &TestEnv, wanted: &[&str]) {
    let reached = tokio::time::timeout(Duration::from_mins(1), async {
        while states(env).await != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(reached.await.is_ok(), "never {wanted:?}: {:?}", states(env).await);
}

/// As time goes by: what waits for its next look gets it.
async fn later_until_states(env: &TestEnv, wanted: &[&str]) {
    let reached = tokio::time::timeout(Duration::from_mins(1), async {
        while states(env).await != wanted {
            env.advance(LATER).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
    assert!(reached.await.is_ok(), "never {wanted:?}: {:?}", states(env).await);
}

async fn given(env: &TestEnv) -> Vec<i64> {
    let refunds = env.fake_provider.list("refunds?limit=100").await;
    let mut amounts: Vec<_> = refunds
        .iter()
        .map(|refund| refund["amount"].as_i64().unwrap())
        .collect();
    amounts.sort_unstable();
    amounts
}

#[tokio::test]
async fn partial_refund_and_rest_are_posted_and_emitted() {
    let env = TestEnv::start().await;
    let order = bought(&env).await;
    let price = price(&env).await;
    let output = said(&env, &["refund", &order, "1000", "--ticket", "T-1"], 0).await;
    assert!(
        output.starts_with("rfd_") && output.contains("intended"),
        "{output}"
    );
    until_states(&env, &["succeeded"]).await;
    said(&env, &["refund", &order, "--ticket", "T-2"], 0).await;
    until_states(&env, &["succeeded", "succeeded"]).await;

    assert_eq!(given(&env).await, [1000, price - 1000]);
    let events = env.events("refund.succeeded", 2).await;
    assert_eq!(events[0].data["amount"]["amountMinor"], "1000");
    assert_eq!(events[0].data["userId"], MEMBER);
    assert_eq!(events[0].data["reason"], "requested");
    assert_eq!(events[0].lang.as_deref(), Some("tr"));
    let export = export(&env, MEMBER).await;
    assert_eq!(export.orders[0].refunds.len(), 2);
    let output = said(&env, &["refund", &order, "1", "--ticket", "T-3"], 2).await;
    assert!(output.contains("all of it is given back"), "{output}");
    env.check_ledger().await;
}

#[tokio::test]
async fn same_ticket_refunds_once() {
    let env = TestEnv::start().await;
    let order = bought(&env).await;
    let arguments = ["refund", order.as_str(), "1000", "--ticket", "T-1"];
    let first = said(&env, &arguments, 0).await;
    until_states(&env, &["succeeded"]).await;
    let again = said(&env, &arguments, 0).await;
    assert_eq!(first.split(' ').next(), again.split(' ').next());
    said(&env, &["refund", &order, "2000", "--ticket", "T-1"], 2).await;
    assert_eq!(given(&env).await, [1000]);
    env.check_ledger().await;
}

#[tokio::test]
async fn erased_member_is_refunded_anonymously() {
    let env = TestEnv::start().await;
    let order = bought(&env).await;
    erase(&env).await;
    said(&env, &["refund", &order, "--ticket", "T-1"], 0).await;
    until_states(&env, &["succeeded"]).await;
    let events = env.events("refund.succeeded", 1).await;
    assert!(events[0].data["userId"].as_str().unwrap().starts_with("erased_"));
    env.check_ledger().await;
}

#[tokio::test]
async fn unrefundable_amounts_are_refused() {
    let env = TestEnv::start().await;
    let order = bought(&env).await;
    for amount in ["0", "99999999"] {
        said(&env, &["refund", &order, amount, "--ticket", "T-1"], 2).await;
    }
    let unknown = "ord_0192f0c0a0007000800000000000000a";
    said(&env, &["refund", unknown, "--ticket", "T-1"], 2).await;
    said(&env, &["refund", "everything", "--ticket", "T-1"], 64).await;
    assert_eq!(states(&env).await, Vec::<&str>::new());
    env.check_ledger().await;
}

async fn check_given_once(action: Action) {
    let env = TestEnv::start().await;
    let order = bought(&env).await;
    env.fake_provider.inject_fault("POST", "refunds", action);
    said(&env, &["refund", &order, "--ticket", "T-1"], 0).await;
    within(&env, ONE_MINUTE, async || states(&env).await == ["succeeded"]).await;
    assert!(env.fake_provider.is_fault_active());
    assert_eq!(given(&env).await, [price(&env).await]);
    assert_eq!(env.events("refund.succeeded", 1).await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn answer_lost_after_the_refund_refunds_once() {
    check_given_once(Action::DropAfterCommit {}).await;
}

#[tokio::test]
async fn request_lost_on_the_way_is_sent_again() {
    check_given_once(Action::DropBefore {}).await;
}

#[tokio::test]
async fn failure_cached_by_stripe_ends_when_its_keys_expire() {
    let env = TestEnv::start().await;
    let order = bought(&env).await;
    let failing = Action::Error {
        status: 500,
        body: None,
        stored: None,
    };
    env.fake_provider.inject_fault("POST", "refunds", failing);
    said(&env, &["refund", &order, "--ticket", "T-1"], 0).await;
    until_states(&env, &["unknown"]).await;
    assert_eq!(given(&env).await, Vec::<i64>::new());
    env.advance(TimeDelta::hours(25)).await;
    later_until_states(&env, &["succeeded"]).await;
    assert_eq!(given(&env).await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn declined_intent_ends_and_another_can_be_opened() {
    let env = TestEnv::start().await;
    let order = bought(&env).await;
    let refusing = Action::Error {
        status: 400,
        body: Some(
            serde_json::json!({"error": {"type": "invalid_request_error", "code": "balance_insufficient"}}),
        ),
        stored: None,
    };
    env.fake_provider.inject_fault("POST", "refunds", refusing);
    said(&env, &["refund", &order, "--ticket", "T-1"], 0).await;
    until_states(&env, &["failed"]).await;
    said(&env, &["refund", &order, "--ticket", "T-2"], 0).await;
    until_states(&env, &["failed", "succeeded"]).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn refund_made_in_the_dashboard_is_posted_and_emitted() {
    let env = TestEnv::start().await;
    bought(&env).await;
    let charge = env.fake_provider.captured_charges().await.remove(0);
    env.fake_provider
        .refund_by_hand(charge["payment_intent"].as_str().unwrap(), 700)
        .await;
    let emitted: Vec<Value> = env.fake_provider.events().await;
    for kind in ["refund.created", "charge.refunded", "charge.refunded"] {
        let event = emitted.iter().find(|event| event["type"] == kind).unwrap();
        env.deliver(event).await;
    }
    until_states(&env, &["succeeded"]).await;
    let events = env.events("refund.succeeded", 1).await;
    assert_eq!(events[0].data["reason"], "at_provider");
    env.check_ledger().await;
}

/// Stripe's webhooks of a dispute: late, each twice.
async fn hear_of_disputes(env: &TestEnv) {
    let emitted = env.fake_provider.events().await;
    let kind = |event: &Value| event["type"].as_str().unwrap_or_default().to_owned();
    for event in emitted
        .iter()
        .filter(|event| kind(event).starts_with("charge.dispute."))
    {
        env.deliver(event).await;
        env.deliver(event).await;
    }
}

#[tokio::test]
async fn dispute_is_posted_and_reversed_when_won() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", DISPUTED).await.unwrap();
    hear_of_disputes(&env).await;
    until_states(&env, &["succeeded"]).await;
    let events = env.events("refund.succeeded", 1).await;
    assert_eq!(events[0].data["reason"], "disputed");
    let price = price(&env).await;
    assert_eq!(events[0].data["amount"]["amountMinor"], price.to_string());
    assert_eq!(env.fake_provider.moved_by_disputes().await, -price);
    env.check_ledger().await;

    let dispute = env.fake_provider.list("disputes").await.remove(0);
    env.fake_provider
        .win_dispute(dispute["id"].as_str().unwrap())
        .await;
    hear_of_disputes(&env).await;
    until_states(&env, &["returned"]).await;
    assert_eq!(env.fake_provider.moved_by_disputes().await, 0);
    assert_eq!(env.events("refund.succeeded", 1).await.len(), 1);
    assert_eq!(env.subscriptions().await[0].status, "active");
    env.check_ledger().await;
}

#[tokio::test]
async fn dispute_after_a_partial_refund_is_posted_whole() {
    let env = TestEnv::start().await;
    let order = bought(&env).await;
    said(&env, &["refund", &order, "1000", "--ticket", "T-1"], 0).await;
    until_states(&env, &["succeeded"]).await;
    env.fake_provider.dispute_all().await;
    hear_of_disputes(&env).await;
    until_states(&env, &["succeeded", "succeeded"]).await;
    env.check_ledger().await;
    let output = said(&env, &["refund", &order, "--ticket", "T-2"], 2).await;
    assert!(output.contains("all of it is given back"), "{output}");
}

#[tokio::test]
async fn dispute_before_its_payment_is_posted() {
    let env = TestEnv::start().await;
    let late = Action::DelayAfterCommit { ms: 1_500 };
    env.fake_provider.inject_fault("POST", "subscriptions", late);
    let result = async {
        while env.fake_provider.list("disputes").await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        hear_of_disputes(&env).await;
    };
    let (bought, ()) = tokio::join!(env.buy("web-monthly", DISPUTED), result);
    bought.unwrap();
    later_until_states(&env, &["succeeded"]).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn planned_refund_yields_to_a_dashboard_refund() {
    let env = TestEnv::start().await;
    let order = bought(&env).await;
    let charge = env.fake_provider.captured_charges().await.remove(0);
    let intent = charge["payment_intent"].as_str().unwrap();
    env.fake_provider.refund_by_hand(intent, price(&env).await).await;
    said(&env, &["refund", &order, "1000", "--ticket", "T-1"], 0).await;
    until_states(&env, &["failed"]).await;
    later_until_states(&env, &["failed", "succeeded"]).await;
    assert_eq!(given(&env).await, [price(&env).await]);
    env.check_ledger().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_refunds_never_exceed_the_capture() {
    let env = TestEnv::start().await;
    bought(&env).await;
    let pool = env.pool().await;
    let most = price(&env).await * 3 / 5;
    let insert = format!(
        "insert into refund (refund_id, order_id, payment_id, amount_minor, currency, reason, idempotency_key, keyed_at,
             state, created_at, provider)
         select gen_random_uuid(), order_id, payment_id, {most}, captured_currency, 'requested', gen_random_uuid(), now(),
             'intended', now(), provider from payment"
    );
    let inserted = join_all((0..8).map(|_| pool.execute(sqlx::AssertSqlSafe(insert.clone())))).await;
    let refused: Vec<_> = inserted.iter().filter_map(|done| done.as_ref().err()).collect();
    assert_eq!(refused.len(), 7);
    for refusal in refused {
        let constraint = refusal.as_database_error().unwrap().constraint();
        assert_eq!(constraint, Some("refund_within_capture"), "{refusal}");
    }
    pool.execute("insert into refund_reconciliation select payment_id, '-infinity' from refund")
        .await
        .unwrap();
    until_states(&env, &["succeeded"]).await;
    assert_eq!(given(&env).await, [most]);
    env.check_ledger().await;
}

#[tokio::test]
async fn concurrent_operator_refunds_stay_within_the_capture() {
    let env = TestEnv::start().await;
    let order = bought(&env).await;
    let most = (price(&env).await * 3 / 5).to_string();
    let attempts = ["T-1", "T-2", "T-3"].map(async |ticket| {
        let ended = checkout(&env, &["refund", &order, &most, "--ticket", ticket]).await;
        ended.status.code().unwrap()
    });
    let codes = join_all(attempts).await;
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    until_states(&env, &["succeeded"]).await;
    env.check_ledger().await;
}
