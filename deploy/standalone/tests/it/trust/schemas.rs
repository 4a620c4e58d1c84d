//! Each service reaches the rows of its own schema, by its own role in Postgres, and nothing else.
use std::borrow::Cow;
use std::process::Command;

use kit::testing::TestHost;
use reqwest::Url;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio::sync::Mutex;

use crate::erasure::member::Member;
use crate::stack::all_services_host;
use crate::test_env::TestEnv;

const SCHEMAS: [&str; 5] = ["content", "auth", "checkout", "sessions", "analytics"];

/// Of Postgres: the role lacks a right.
const INSUFFICIENT_PRIVILEGE: &str = "42501";

/// Roles belong to the server, which all tests share.
static CREATION: Mutex<()> = Mutex::const_new(());

fn owner_of(schema: &str) -> String {
    format!("{schema}_migrations")
}

fn password_of(role: &str) -> String {
    format!("password of {role}")
}

fn address(host: &TestHost, role: &str) -> String {
    let mut url = Url::parse(host.database_url()).unwrap();
    url.set_username(role).unwrap();
    url.set_password(Some(&password_of(role))).unwrap();
    url.to_string()
}

/// `AUTH_DATABASE_URL`, `AUTH_MIGRATION_DATABASE_URL` and so on.
fn addresses(host: &TestHost) -> Vec<(String, String)> {
    let addresses = SCHEMAS.iter().flat_map(|schema| {
        let name = schema.to_uppercase();
        [
            (format!("{name}_DATABASE_URL"), address(host, schema)),
            (
                format!("{name}_MIGRATION_DATABASE_URL"),
                address(host, &owner_of(schema)),
            ),
        ]
    });
    addresses.collect()
}

fn standalone(arguments: &[&str], env: Vec<(String, String)>) {
    let output = Command::new(env!("CARGO_BIN_EXE_standalone"))
        .args(arguments)
        .env_clear()
        .envs(env)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}");
    assert!(!printed.contains("password"), "{printed}");
}

async fn create_roles(host: &TestHost) {
    let _one_at_a_time = CREATION.lock().await;
    let passwords = SCHEMAS.iter().flat_map(|schema| {
        let name = schema.to_uppercase();
        [
            (format!("{name}_DATABASE_PASSWORD"), password_of(schema)),
            (
                format!("{name}_MIGRATION_PASSWORD"),
                password_of(&owner_of(schema)),
            ),
        ]
    });
    let admin = ("ADMIN_DATABASE_URL".to_owned(), host.database_url().to_owned());
    let env: Vec<_> = passwords.chain([admin]).collect();
    // A second time changes nothing.
    for _ in 0..2 {
        standalone(&["access", "postgres"], env.clone());
    }
}

struct Role {
    name: String,
    connection: PgConnection,
}

impl Role {
    async fn connect(host: &TestHost, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            connection: PgConnection::connect(&address(host, name)).await.unwrap(),
        }
    }

    /// The code of Postgres's error.
    async fn refusal(&mut self, statement: &str) -> Option<String> {
        let outcome = self.connection.execute(AssertSqlSafe(statement.to_owned())).await;
        let error = outcome.err()?;
        let code = error
            .as_database_error()
            .and_then(sqlx::error::DatabaseError::code);
        Some(code.map_or_else(|| error.to_string(), Cow::into_owned))
    }

    async fn may(&mut self, statement: &str) {
        let refusal = self.refusal(statement).await;
        assert_eq!(refusal, None, "{}: {statement}", self.name);
    }

    async fn may_not(&mut self, statement: &str) {
        let refusal = self.refusal(statement).await;
        assert_eq!(
            refusal.as_deref(),
            Some(INSUFFICIENT_PRIVILEGE),
            "{}: {statement}",
            self.name
        );
    }
}

/// Everything that a role could try in a schema of another service.
fn attacks(schema: &str) -> Vec<String> {
    let own = [
        "select from {}.outbox",
        "insert into {}.inbox (consumer, event_id) values ('a', 'b')",
        "update {}.outbox set attempts = 0",
        "delete from {}.outbox",
        "truncate {}.outbox",
        "create table {}.intruder ()",
        "alter table {}.outbox add column intruder int",
        "drop table {}.outbox",
        "drop schema {} cascade",
        "alter schema {} rename to intruder",
        "select from {}.kit_migrations",
        "create function {}.intruder() returns int language sql as 'select 1'",
        "set role {}",
        "set role {}_migrations",
        "grant {}_migrations to current_user",
        "alter role {} password 'intruder'",
    ];
    own.iter().map(|attack| attack.replace("{}", schema)).collect()
}

/// In a schema of no service, or in none.
const OUTSIDE: [&str; 6] = [
    "create table public.intruder ()",
    "create temporary table intruder ()",
    "create schema intruder",
    "create role intruder",
    "select from pg_authid",
    "select pg_read_file('/etc/passwd')",
];

#[tokio::test(flavor = "multi_thread")]
async fn roles_reach_their_own_schema_only() {
    // As of an installation that had one role for all: the superuser has migrated the schemas.
    let host = all_services_host().await;
    create_roles(&host).await;
    for schema in SCHEMAS {
        for name in [schema.to_owned(), owner_of(schema)] {
            let mut role = Role::connect(&host, &name).await;
            for other in SCHEMAS.iter().filter(|other| **other != schema) {
                for attack in attacks(other) {
                    role.may_not(&attack).await;
                }
            }
            for attack in OUTSIDE {
                role.may_not(attack).await;
            }
        }
    }
    assert_eq!(foreign_rights(&host).await, Vec::<String>::new());
}

/// All rights of all roles on all tables and sequences of other schemas.
async fn foreign_rights(host: &TestHost) -> Vec<String> {
    let mut admin = PgConnection::connect(host.database_url()).await.unwrap();
    let schemas: Vec<String> = SCHEMAS.iter().map(|schema| (*schema).to_owned()).collect();
    sqlx::query_scalar(
        "select format('%s on %s', role.rolname, relation.oid::regclass)
         from unnest($1::text[]) as service (name)
         join pg_roles as role on role.rolname in (service.name, service.name || '_migrations')
         cross join pg_class as relation
         join pg_namespace as schema on schema.oid = relation.relnamespace
         where schema.nspname = any ($1) and schema.nspname <> service.name and relation.relkind in ('r', 'p', 'S', 'v')
           and (has_schema_privilege(role.oid, schema.oid, 'usage, create')
                or has_table_privilege(role.oid, relation.oid, 'select, insert, update, delete, truncate, trigger'))",
    )
    .bind(schemas)
    .fetch_all(&mut admin)
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn service_writes_rows_and_its_owner_changes_tables() {
    let host = all_services_host().await;
    create_roles(&host).await;
    for schema in SCHEMAS {
        let of_schema = |statement: &str| statement.replace("{}", schema);
        let mut owner = Role::connect(&host, &owner_of(schema)).await;
        owner
            .may(&of_schema(
                "create table {}.added (id bigint generated always as identity, name text)",
            ))
            .await;
        owner
            .may(&of_schema("alter table {}.outbox add column added int"))
            .await;

        let mut service = Role::connect(&host, schema).await;
        for statement in [
            "insert into {}.added (name) values ('a')",
            "update {}.added set name = 'b'",
            "select from {}.added where name = 'b'",
            "delete from {}.added",
            "select from {}.outbox",
            "insert into {}.inbox (consumer, event_id) values ('a', 'b')",
            "select from {}.kit_migrations",
            "select from {}._sqlx_migrations",
            "listen wake_up",
        ] {
            service.may(&of_schema(statement)).await;
        }
        for statement in [
            "create table {}.intruder ()",
            "alter table {}.added add column intruder int",
            "drop table {}.added",
            "truncate {}.added",
            "drop schema {} cascade",
            "create function {}.intruder() returns int language sql as 'select 1'",
            "delete from {}.kit_migrations",
            "update {}._sqlx_migrations set success = false",
            "set role {}_migrations",
        ] {
            service.may_not(&of_schema(statement)).await;
        }
        owner.may(&of_schema("drop table {}.added")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_services_work_by_their_own_roles() {
    let host = TestHost::start().await;
    create_roles(&host).await;
    let own = addresses(&host);
    let env = TestEnv::start_on(host.with_env(own)).await;
    Member::use_everything(&env, "rolecheck").await;
    // The member's browser events are in the partition of this month, which analytics has created.
    env.eventually(
        "select count(*) from pg_inherits where inhparent = 'analytics.event'::regclass",
        5,
    )
    .await;
    env.eventually(
        "select count(*) from (select from analytics.event_2026_11 limit 1) as found",
        1,
    )
    .await;

    // Nothing is owned by a service, or by the superuser.
    let owners = "select count(*) from pg_class as relation
         join pg_namespace as schema on schema.oid = relation.relnamespace
         where schema.nspname in ('content', 'auth', 'checkout', 'sessions', 'analytics')
           and relation.relowner <> (schema.nspname || '_migrations')::regrole";
    assert_eq!(env.count(owners).await, 0);
    let superuser = "select count(*) from pg_stat_activity
         where datname = current_database() and usename = session_user
           and application_name in ('content', 'auth', 'checkout', 'sessions', 'analytics')";
    assert_eq!(env.count(superuser).await, 0);
    let mut analytics = Role::connect(&env.stack.host, "analytics").await;
    analytics.may_not("drop table analytics.event_2026_11").await;
    assert!(
        analytics
            .refusal("select analytics.make_event_partition('2026-11-02')")
            .await
            .is_some()
    );
    for name in [owner_of("auth"), "auth".to_owned()] {
        let mut auth = Role::connect(&env.stack.host, &name).await;
        auth.may_not("select analytics.make_event_partition('2027-11-01')")
            .await;
    }
    assert_eq!(foreign_rights(&env.stack.host).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn service_that_may_not_migrate_waits_for_the_job() {
    let host = TestHost::start().await;
    create_roles(&host).await;
    let own = addresses(&host);
    let (migrations, services): (Vec<_>, Vec<_>) = own
        .into_iter()
        .partition(|(name, _)| name.contains("_MIGRATION_"));
    let host = host.with_env(services);
    let job = tokio::task::spawn_blocking(move || standalone(&["--migrate"], migrations));
    host.run(content::definition()).await;
    job.await.unwrap();
    let mut owner = Role::connect(&host, "content").await;
    owner.may("select from content.page").await;
}
