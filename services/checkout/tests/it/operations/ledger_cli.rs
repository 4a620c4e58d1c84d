//! The `ledger` command line, and the append-only ledger tables.
use std::process::Output;

use sqlx::Executor;

use crate::support::subscription_probe::Sold;
use crate::support::fake_provider::APPROVED;
use crate::support::test_env::World;

/// The service must be able to go on meanwhile: it may hold what the command waits for.
pub async fn checkout(world: &World, arguments: &[&str]) -> Output {
    tokio::process::Command::new(env!("CARGO_BIN_EXE_checkout"))
        .args(arguments)
        .env("CHECKOUT_DATABASE_URL", world.host.database_url())
        .output()
        .await
        .unwrap()
}

/// What it prints, once it has ended with this code.
pub async fn said(world: &World, arguments: &[&str], code: i32) -> String {
    let output = checkout(world, arguments).await;
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    text
}

/// Every entry as `kind account amount`.
async fn entries(world: &World) -> Vec<String> {
    sqlx::query_scalar(
        "select kind || ' ' || account || ' ' || amount_minor
         from ledger_transaction join ledger_entry using (transaction_id) order by occurred_at, line",
    )
    .fetch_all(&world.pool().await)
    .await
    .unwrap()
}

#[tokio::test]
async fn what_is_paid_is_booked_with_it() {
    let world = World::start().await;
    let bought = world.buy("web-monthly", APPROVED).await.unwrap();
    let minor = world.accounts().await[0].order.amount.minor;
    assert_eq!(bought.payment_status, "succeeded");
    assert_eq!(
        entries(&world).await,
        [
            format!("capture receivable:stripe {minor}"),
            format!("capture revenue -{minor}")
        ]
    );
    world.check_books().await;
}

#[tokio::test]
async fn ledger_refuses_what_does_not_balance_and_whoever_rewrites_it() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    let pool = world.pool().await;
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
    world.check_books().await;
}

#[tokio::test]
async fn same_booking_twice_is_refused_by_its_key() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    let again = "insert into ledger_transaction
         select gen_random_uuid(), kind, natural_key, order_id, payment_id, now() from ledger_transaction";
    let refusal = world.pool().await.execute(again).await.unwrap_err();
    let constraint = refusal.as_database_error().unwrap().constraint();
    assert_eq!(constraint, Some("ledger_transaction_key"));
}

#[tokio::test]
async fn check_tells_what_accounts_hold_and_which_rules_are_broken() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    let told = said(&world, &["ledger", "check"], 0).await;
    assert!(
        told.contains("receivable:stripe") && told.contains("0 rules broken"),
        "{told}"
    );

    // What is still being followed up would mend it.
    world.at_rest().await;
    let pool = world.pool().await;
    pool.execute("update subscription set activated_at = null")
        .await
        .unwrap();
    let told = said(&world, &["ledger", "check"], 1).await;
    assert!(told.contains("granted_access_was_announced"), "{told}");
    pool.execute("update subscription set activated_at = created_at")
        .await
        .unwrap();
}

#[tokio::test]
async fn stored_notification_is_looked_into_again() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    let events = world.twin.events().await;
    let paid = events
        .iter()
        .find(|event| event["type"] == "invoice.paid")
        .unwrap();
    let id = paid["id"].as_str().unwrap();
    said(&world, &["webhooks", "replay", "stripe", id], 2).await;
    world.deliver(paid).await;
    let told = said(&world, &["webhooks", "replay", "stripe", id], 0).await;
    assert!(told.contains("pay_") && told.contains("looked into"), "{told}");
    said(&world, &["webhooks", "replay", "nobody", id], 64).await;
}
