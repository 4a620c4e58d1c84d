//! A service's own schema: created, migrated and opened with timeouts.

mod migrations;

use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret, SecretString};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, Postgres, Transaction};
use tracing::Instrument;

pub type Pool = sqlx::PgPool;

const MAX_CONNECTIONS: u32 = 10;
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
const IDLE_TIMEOUT: Duration = Duration::from_mins(5);
/// Idle time after which a connection is tested before use.
const MIN_IDLE_BEFORE_PING: Duration = Duration::from_secs(1);

/// Timeouts below usual deadlines of callers and above the duration of any query.
const SESSION: [(&str, &str); 4] = [
    ("statement_timeout", "10s"),
    ("lock_timeout", "5s"),
    ("idle_in_transaction_session_timeout", "30s"),
    // For storage on flash and mostly in memory: with the default for disks Postgres scans small tables
    // instead of using their indexes.
    ("random_page_cost", "1.1"),
];

/// How a service reaches its schema.
#[derive(Clone, Debug)]
pub(crate) struct SchemaAddress {
    /// For the role of the service.
    pub service: SecretString,
    /// For the role that owns the schema. Without it the schema is migrated through `service` if that role may, or else by
    /// another process.
    pub migrations: Option<SecretString>,
}

#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    #[error("the database address is not valid")]
    Url(#[source] sqlx::Error),
    #[error("`{0}` cannot name a schema: lower case letters, digits and underscores only")]
    SchemaName(&'static str),
    #[error("the database does not answer")]
    Connect(#[source] sqlx::Error),
    #[error("schema `{schema}` could not be migrated")]
    Migrate {
        schema: &'static str,
        source: MigrateError,
    },
    #[error("the migration history of schema `{schema}` cannot be read")]
    History {
        schema: &'static str,
        source: sqlx::Error,
    },
    #[error(
        "schema `{schema}` is not migrated, and this role may not do it: run `{schema} --migrate` or set \
         {}_MIGRATION_DATABASE_URL",
        .schema.to_ascii_uppercase()
    )]
    NotMigrated { schema: &'static str },
}

impl DatabaseError {
    /// Whether waiting may help: for the database, or for the process that migrates the schema.
    pub(crate) const fn is_temporary(&self) -> bool {
        matches!(self, Self::Connect(_) | Self::NotMigrated { .. })
    }
}

/// Opens a pool whose search path is this schema only. Before, the schema is created and migrated if the role of `url` may do that;
/// if not, the schema must be migrated already.
pub async fn open(url: &str, schema: &'static str, migrator: &Migrator) -> Result<Pool, DatabaseError> {
    let options = migrated(url, schema, migrator).await?;
    pool_of(MAX_CONNECTIONS)
        .connect_with(options.options(SESSION))
        .await
        .map_err(DatabaseError::Connect)
}

/// Migrates through the address of the owner, where there is one, and opens the pool of the service.
pub(crate) async fn open_at(
    address: &SchemaAddress,
    schema: &'static str,
    migrator: &Migrator,
) -> Result<Pool, DatabaseError> {
    if let Some(owner) = &address.migrations {
        migrated(owner.expose_secret(), schema, migrator).await?;
    }
    open(address.service.expose_secret(), schema, migrator).await
}

/// Migrates the schema, or checks that it is migrated. Returns how to connect to it.
pub(crate) async fn migrated(
    url: &str,
    schema: &'static str,
    migrator: &Migrator,
) -> Result<PgConnectOptions, DatabaseError> {
    if !is_plain_name(schema) {
        return Err(DatabaseError::SchemaName(schema));
    }
    let options = PgConnectOptions::from_str(url)
        .map_err(DatabaseError::Url)?
        .application_name(schema)
        .options([("search_path", schema)]);
    migrations::migrate_or_check(&options, schema, migrator).await?;
    Ok(options)
}

/// Begins a transaction. Services use this instead of `Pool::begin`.
///
/// sqlx 0.9 counts a transaction only once `begin` has been answered. If the caller is dropped before, by a deadline or a cancelled
/// call, the connection returns to the pool with an open transaction, and later statements on it are never committed. The
/// task here is not dropped with its caller.
#[expect(clippy::disallowed_methods, reason = "this is the one place that may")]
pub async fn begin(pool: &Pool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let pool = pool.clone();
    run_to_end(async move { pool.begin().await }).await
}

/// Begins a read-only transaction in which all statements see the same state.
pub async fn begin_snapshot(pool: &Pool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let pool = pool.clone();
    let begin = "begin isolation level repeatable read read only";
    run_to_end(async move { pool.begin_with(begin).await }).await
}

async fn run_to_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, sqlx::Error>> + Send + 'static,
) -> Result<T, sqlx::Error> {
    let task = tokio::spawn(work.in_current_span());
    task.await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
}

/// A connection outside of the pool, with its own settings.
pub fn dedicated_connection(pool: &Pool, settings: &[(&str, &str)]) -> Pool {
    let options = pool.connect_options().as_ref().clone();
    pool_of(1).connect_lazy_with(options.options(settings.iter().copied()))
}

fn pool_of(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(IDLE_TIMEOUT)
        // Testing a connection costs as much as a query: only idle ones are tested.
        .test_before_acquire(false)
        .before_acquire(|connection, last| {
            Box::pin(async move {
                if last.idle_for > MIN_IDLE_BEFORE_PING {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

fn is_plain_name(schema: &str) -> bool {
    !schema.is_empty()
        && schema
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Repeats `statement`, which deletes at most `$2` rows that expired before `$1`, until none are left. Small batches
/// hold locks only briefly.
pub async fn delete_in_batches(
    connection: &mut PgConnection,
    statement: &'static str,
    over_at: DateTime<Utc>,
    batch: i64,
) -> Result<(), sqlx::Error> {
    loop {
        let deleted = sqlx::query(statement)
            .bind(over_at)
            .bind(batch)
            .execute(&mut *connection)
            .await?;
        if deleted.rows_affected() < batch.unsigned_abs() {
            return Ok(());
        }
    }
}

/// The violated constraint, so that a store can convert it to an error of the domain.
pub fn violated_constraint(error: &sqlx::Error) -> Option<&str> {
    error.as_database_error()?.constraint()
}

/// True if the database is unreachable or dropped the connection; the outcome of the statement is unknown.
pub fn is_outage(error: &sqlx::Error) -> bool {
    matches!(
        error,
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed
    ) || error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code)
        .is_some_and(|code| code.starts_with("57P") || code.starts_with("08"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_become_schemas() {
        assert!(is_plain_name("partner_benefit"));
        for wrong in ["", "Content", "a;drop table b", "partner-benefit"] {
            assert!(!is_plain_name(wrong), "{wrong}");
        }
    }
}
