//! A service's schema is created, migrated and opened with timeouts, also by concurrent starts; its due queues are leased.

use std::pin::pin;
use std::time::Duration;

use chrono::TimeDelta;
use kit::database::{self, DatabaseError};
use kit::due_queue::DueQueue;
use kit::testing::TestHost;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row, SqlSafeStr};

use crate::support::*;

#[tokio::test(flavor = "multi_thread")]
async fn replicas_of_several_services_start_concurrently() {
    let context = TestHost::start().await;
    let (url, migrator) = (context.database_url(), migrator());
    let (a, b, c, d) = tokio::join!(
        database::open(url, "shop", &migrator),
        database::open(url, "shop", &migrator),
        database::open(url, "office", &migrator),
        database::open(url, "office", &migrator),
    );
    for (pool, schema) in [(a, "shop"), (b, "shop"), (c, "office"), (d, "office")] {
        let row = sqlx::query(
            "select current_schema()::text, current_setting('statement_timeout'), current_setting('application_name')",
        )
        .fetch_one(&pool.unwrap())
        .await
        .unwrap();
        let [current, limit, application] = [0, 1, 2].map(|column| row.get::<String, _>(column));
        assert_eq!(
            (current.as_str(), limit.as_str(), application.as_str()),
            (schema, "10s", schema)
        );
    }
}

#[tokio::test]
async fn migration_histories_of_kit_and_service_are_separate() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    open_shop(&context).await;
    let count =
        async |table: &'static str| -> i64 { sqlx::query_scalar(table).fetch_one(&pool).await.unwrap() };
    assert_eq!(count("select count(*) from _sqlx_migrations").await, 1);
    assert!(count("select count(*) from kit_migrations").await >= 1);
}

#[tokio::test]
async fn failed_migration_names_its_schema_and_releases_the_lock() {
    let context = TestHost::start().await;
    let broken = Migrator::with_migrations(vec![Migration::new(
        1,
        "broken".into(),
        MigrationType::Simple,
        "create table".into_sql_str(),
        false,
    )]);
    let outcome = database::open(context.database_url(), "shop", &broken).await;
    assert!(
        matches!(outcome, Err(DatabaseError::Migrate { schema: "shop", .. })),
        "{outcome:?}"
    );
    open_shop(&context).await;
}

/// A role of this test alone: roles belong to the server.
async fn create_role(context: &TestHost, admin: &mut PgConnection) -> (String, String) {
    let role = format!("reader_{}", std::process::id());
    let create = format!("create role {role} login password 's3cret'");
    sqlx::query(AssertSqlSafe(create)).execute(admin).await.unwrap();
    let mut url = reqwest::Url::parse(context.database_url()).unwrap();
    url.set_username(&role).unwrap();
    url.set_password(Some("s3cret")).unwrap();
    (role, url.to_string())
}

#[tokio::test]
async fn role_that_may_not_migrate_needs_a_migrated_schema() {
    let context = TestHost::start().await;
    let mut admin = PgConnection::connect(context.database_url()).await.unwrap();
    let (role, url) = create_role(&context, &mut admin).await;
    let open = async |migrator: &Migrator| database::open(&url, "shop", migrator).await;
    let is_missing = |outcome: &Result<_, DatabaseError>| {
        matches!(outcome, Err(DatabaseError::NotMigrated { schema: "shop" }))
    };

    let outcome = open(&migrator()).await;
    assert!(is_missing(&outcome), "no schema: {outcome:?}");
    open_shop(&context).await;
    let outcome = open(&migrator()).await;
    assert!(is_missing(&outcome), "no rights: {outcome:?}");
    for grant in ["usage on schema shop", "select on all tables in schema shop"] {
        let grant = format!("grant {grant} to {role}");
        sqlx::query(AssertSqlSafe(grant))
            .execute(&mut admin)
            .await
            .unwrap();
    }
    let pool = open(&migrator()).await.unwrap();
    let create = sqlx::query("create table intruder ()").execute(&pool).await;
    assert!(create.is_err());
    let newer = Migrator::with_migrations(vec![Migration::new(
        2,
        "newer".into(),
        MigrationType::Simple,
        "select 1".into_sql_str(),
        false,
    )]);
    let outcome = open(&newer).await;
    assert!(is_missing(&outcome), "a migration is missing: {outcome:?}");

    pool.close().await;
    for end in ["drop owned by", "drop role"] {
        let end = format!("{end} {role}");
        sqlx::query(AssertSqlSafe(end)).execute(&mut admin).await.unwrap();
    }
}

#[tokio::test]
async fn violated_constraint_has_its_name() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let insert = "insert into inbox (consumer, event_id) values ('a', 'b')";
    sqlx::query(insert).execute(&pool).await.unwrap();
    let error = sqlx::query(insert).execute(&pool).await.unwrap_err();
    assert_eq!(database::violated_constraint(&error), Some("inbox_pkey"));
    assert!(!database::is_outage(&error));
    assert_eq!(database::violated_constraint(&sqlx::Error::RowNotFound), None);
}

#[tokio::test]
async fn hanging_query_times_out() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let mut holder = database::begin(&pool).await.unwrap();
    sqlx::query("lock table inbox")
        .execute(&mut *holder)
        .await
        .unwrap();
    let waiting = tokio::time::timeout(
        Duration::from_secs(20),
        sqlx::query("select count(*) from inbox").execute(&pool),
    );
    assert!(waiting.await.unwrap().is_err());
}

/// A connection in an open transaction would swallow the statements of its next user.
#[tokio::test]
async fn begin_that_is_dropped_leaves_no_open_transaction() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let mut watcher = PgConnection::connect(context.database_url()).await.unwrap();
    for polls in 0..20 {
        {
            let mut beginning = pin!(database::begin(&pool));
            for _ in 0..polls {
                if futures::poll!(&mut beginning).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        eventually("no transaction is open", async || {
            let count: i64 = sqlx::query_scalar(OPEN_TRANSACTIONS)
                .fetch_one(&mut watcher)
                .await
                .unwrap();
            count == 0
        })
        .await;
    }
}

const OPEN_TRANSACTIONS: &str = "select count(*) from pg_stat_activity
    where datname = current_database() and application_name = 'shop' and state like 'idle in transaction%'";

const QUEUE: DueQueue = kit::due_queue! {
    table: "erasure_job",
    key: "erasure_id",
    due_at: "next_attempt_at",
    attempts: "attempts",
    only: "user_id <> 'held'",
    returning: "erasure_id, attempts",
};

#[tokio::test]
async fn leased_rows_are_due_again_when_their_lease_ends() {
    let context = TestHost::start().await;
    let (pool, now) = (open_shop(&context).await, context.clock().now());
    let minute = TimeDelta::minutes(1);
    sqlx::query(
        "insert into erasure_job (erasure_id, user_id, services, next_attempt_at)
         select name, name, '{}', $1 - age * interval '1 second'
         from (values ('first', 2), ('second', 1), ('later', -1), ('held', 1)) job (name, age)",
    )
    .bind(now)
    .execute(&pool)
    .await
    .unwrap();
    let lease = async |at, limit| -> Vec<(String, i32)> {
        let mut leased = QUEUE.lease(&pool, at, minute, limit).await.unwrap();
        leased.sort();
        leased
    };
    let row = |name: &str, attempts| (name.to_owned(), attempts);
    assert_eq!(lease(now, 1).await, [row("first", 1)]);
    assert_eq!(lease(now, 9).await, [row("second", 1)]);
    assert_eq!(lease(now, 9).await, []);

    QUEUE.postpone(&pool, "first", now + minute * 3).await.unwrap();
    sqlx::query("update erasure_job set next_attempt_at = '-infinity' where erasure_id = 'second'")
        .execute(&pool)
        .await
        .unwrap();
    // Scheduled now while it was leased: it stays due.
    QUEUE.postpone(&pool, "second", now + minute * 3).await.unwrap();
    assert_eq!(lease(now, 9).await, [row("second", 2)]);
    assert_eq!(lease(now + minute, 9).await, [row("later", 1), row("second", 3)]);
    assert_eq!(lease(now + minute * 3, 1).await.len(), 1);
}
