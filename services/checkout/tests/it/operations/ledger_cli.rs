//! The `ledger` command line, and the append-only ledger tables.
use std::process::Output;

use sqlx::Executor;

use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::SubscriptionProbe;
use crate::support::test_env::TestEnv;

/// The service must be able to go on meanwhile: it may hold what the command waits for.
pub async fn checkout(env: &TestEnv, arguments: &[&str]) -> Output {
    tokio::process::Command::new(env!("CARGO_BIN_EXE_checkout"))
        .args(arguments)
        .env("CHECKOUT_DATABASE_URL", env.host.database_url())
        .output()
        .await
        .unwrap()
}

/// What it prints, once it has ended with this code.
pub async fn said(env: &TestEnv, arguments: &[&str], code: i32) -> String {
    let output = checkout(env, arguments).await;
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    text
}

/// Every entry as `kind account amount`.
async fn entries(env: &TestEnv) -> Vec<String> {
    sqlx::query_scalar(
        "select kind || ' ' || account || ' ' || amount_minor
         from ledger_transaction join ledger_entry using (transaction_id) order by occurred_at, line",
    )
    .fetch_all(&env.pool().await)
    .await
    .unwrap()
}

#[tokio::test]
async fn payment_is_posted_to_the_ledger() {
    let env = TestEnv::start().await;
    let bought = env.buy("web-monthly", APPROVED).await.unwrap();
    let minor = env.accounts().await[0].order.amount.minor;
    assert_eq!(bought.payment_status, "succeeded");
    assert_eq!(
        entries(&env).await,
        [
            format!("capture receivable:stripe {minor}"),
            format!("capture revenue -{minor}")
        ]
    );
    env.check_ledger().await;
}

#[tokio::test]
async fn ledger_rejects_unbalanced_transactions_and_updates() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    let pool = env.pool().await;
    let one_sided = [
        "insert into ledger_entry select transaction_id, 3, 'suspense', 'EUR', 1 from ledger_transaction",
        "insert into ledger_entry select transaction_id, 3, 'suspense', currency, 1 from ledger_entry where line = 1",
        "insert into ledger_transaction
         select gen_random_uuid(), kind, 'capture/empty', order_id, payment_id, now() from ledger_transaction",
    ];
    for statement in one_sided {
        let refusal = pool.execute(statement).await.unwrap_err();
        let constraint = refusal.as_database_error().unwrap().constraint();
        assert_eq!(constraint, Some("ledger_transaction_balanced"), "{statement}");
    }
    let rewriting = [
        "update ledger_entry set amount_minor = amount_minor * 2",
        "delete from ledger_entry",
        "truncate ledger_entry",
        "update ledger_transaction set kind = 'refund'",
        "delete from ledger_transaction",
        "truncate ledger_transaction cascade",
    ];
    for statement in rewriting {
        let refusal = pool.execute(statement).await.unwrap_err();
        let constraint = refusal.as_database_error().unwrap().constraint();
        assert_eq!(constraint, Some("ledger_append_only"), "{statement}");
    }
    env.check_ledger().await;
}

#[tokio::test]
async fn same_posting_twice_is_rejected_by_its_key() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    let again = "insert into ledger_transaction
         select gen_random_uuid(), kind, natural_key, order_id, payment_id, now() from ledger_transaction";
    let refusal = env.pool().await.execute(again).await.unwrap_err();
    let constraint = refusal.as_database_error().unwrap().constraint();
    assert_eq!(constraint, Some("ledger_transaction_key"));
}

#[tokio::test]
async fn check_prints_balances_and_broken_invariants() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    let output = said(&env, &["ledger", "check"], 0).await;
    assert!(
        output.contains("receivable:stripe") && output.contains("0 rules broken"),
        "{output}"
    );

    // What is still being followed up would mend it.
    env.until_idle().await;
    let pool = env.pool().await;
    pool.execute("update subscription set activated_at = null")
        .await
        .unwrap();
    let output = said(&env, &["ledger", "check"], 1).await;
    assert!(output.contains("granted_access_was_announced"), "{output}");
    pool.execute("update subscription set activated_at = created_at")
        .await
        .unwrap();
}

#[tokio::test]
async fn stored_webhook_is_replayed() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    let events = env.fake_provider.events().await;
    let paid = events
        .iter()
        .find(|event| event["type"] == "invoice.paid")
        .unwrap();
    let id = paid["id"].as_str().unwrap();
    said(&env, &["webhooks", "replay", "stripe", id], 2).await;
    env.deliver(paid).await;
    let output = said(&env, &["webhooks", "replay", "stripe", id], 0).await;
    assert!(
        output.contains("pay_") && output.contains("looked into"),
        "{output}"
    );
    said(&env, &["webhooks", "replay", "unknown", id], 64).await;
}
