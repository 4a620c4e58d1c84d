//! A service's own schema: created, migrated and opened with timeouts.

use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};
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

/// Kit's own tables are in each service's schema, with a separate migration history.
const OWN_HISTORY: &str = "kit_migrations";

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
}

/// Creates the schema unless it exists, migrates it and opens a pool whose search path is this schema only.
pub async fn open(url: &str, schema: &'static str, migrator: &Migrator) -> Result<Pool, DatabaseError> {
    let options = migrated(url, schema, migrator).await?;
    pool_of(MAX_CONNECTIONS)
        .connect_with(options.options(SESSION))
        .await
        .map_err(DatabaseError::Connect)
}

/// Creates the schema unless it exists and migrates it. Returns how to connect to it.
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
    migrate(&options, schema, migrator).await?;
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

/// On a separate connection without timeouts; closing it also releases the migration lock after a failure.
async fn migrate(
    options: &PgConnectOptions,
    schema: &'static str,
    migrator: &Migrator,
) -> Result<(), DatabaseError> {
    let failed = |source| DatabaseError::Migrate { schema, source };
    let mut own = sqlx::migrate!("./migrations");
    own.create_schema(schema);
    own.dangerous_set_table_name(OWN_HISTORY);

    let mut connection = PgConnection::connect_with(options)
        .await
        .map_err(DatabaseError::Connect)?;
    own.run_direct(None, &mut connection, false)
        .await
        .map_err(failed)?;
    migrator
        .run_direct(None, &mut connection, false)
        .await
        .map_err(failed)?;
    connection.close().await.map_err(DatabaseError::Connect)
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
