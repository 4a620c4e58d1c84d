//! The bookkeeper's command line, the ledger's own locks and what an older database is given.
use std::process::Output;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, Executor, PgConnection};

use crate::life::Sold;
use crate::twin::APPROVED;
use crate::world::World;

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
        assert_eq!(constraint, Some("ledger_is_kept"), "{statement}");
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

/// As a database was before there was a ledger: one order that was paid, and captured a second time.
const BEFORE: &str = "
    insert into customer values ('usr_1', 'a@example.com', 'A', null, now());
    insert into campaign (campaign_id, code, product, period_months, trial_days, created_at)
        values ('00000000-0000-7000-8000-000000000001', 'web', 'premium', 1, 0, now());
    insert into price (price_id, campaign_id, coupon_code, currency, amount_minor, list_minor, product, period_months,
            trial_days, lookup_key, created_at)
        select campaign_id, campaign_id, '', 'TRY', 5999, 5999, 'premium', 1, 0, 'key', now() from campaign;
    insert into orders (order_id, user_id, product, price_id, amount_minor, currency, trial_days, payment_source, country,
            language, tracking, state, created_at)
        select price_id, 'usr_1', 'premium', price_id, 5999, 'TRY', 0, '', 'TR', 'tr', '{}', 'open', now() from price;
    insert into subscription (subscription_id, order_id, user_id, product, state, period_end, activated_at, created_at)
        select order_id, order_id, user_id, product, 'active', now(), now(), now() from orders;
    insert into payment (payment_id, order_id, subscription_id, attempt, payment_method_id, idempotency_key, state,
            captured_minor, captured_currency, succeeded_at, created_at)
        select ('00000000-0000-7000-8000-00000000000' || n)::uuid, order_id, order_id, n, 'pm', n, 'succeeded', 5999,
            'TRY', now(), now() from orders, generate_series(1, 2) n;
    update orders set state = 'paid', paid_at = now(), paid_by = '00000000-0000-7000-8000-000000000001'";

#[tokio::test]
async fn what_was_captured_before_is_booked_and_what_was_too_much_goes_back() {
    let host = kit::testing::TestHost::start().await;
    let options = PgConnectOptions::from_str(host.database_url()).unwrap();
    let mut old = PgConnection::connect_with(&options.options([("search_path", "checkout")]))
        .await
        .unwrap();
    for script in [
        "create schema checkout",
        include_str!("../../migrations/0001_catalogue.sql"),
        include_str!("../../migrations/0002_purchases.sql"),
        include_str!("../../migrations/0004_erasure.sql")
            .split_once("-- Whose it became")
            .unwrap()
            .0,
        BEFORE,
        include_str!("../../migrations/0005_money.sql"),
    ] {
        sqlx::raw_sql(script).execute(&mut old).await.unwrap();
    }
    let booked: Vec<(String, String, i64)> = sqlx::query_as(
        "select natural_key, account, amount_minor from ledger_transaction join ledger_entry using (transaction_id)
         order by natural_key, line",
    )
    .fetch_all(&mut old)
    .await
    .unwrap();
    let line = |n: i32, account: &str, minor: i64| {
        (
            format!("capture/pay_0000000000007000800000000000000{n}"),
            account.to_owned(),
            minor,
        )
    };
    assert_eq!(
        booked,
        [
            line(1, "receivable:stripe", 5999),
            line(1, "revenue", -5999),
            line(2, "receivable:stripe", 5999),
            line(2, "suspense", -5999),
        ]
    );
    let returning: Vec<String> = sqlx::query_scalar(
        "select idempotency_key || ' ' || amount_minor || ' ' || payment_id
         from refund join refund_watch using (payment_id) where state = 'intended' and reason = 'surplus'",
    )
    .fetch_all(&mut old)
    .await
    .unwrap();
    assert_eq!(returning.len(), 1);
    assert!(
        returning[0].starts_with("rfd_")
            && returning[0].ends_with(" 5999 00000000-0000-7000-8000-000000000002")
    );
}
