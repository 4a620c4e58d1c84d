//! Migrations of a schema by a role that may run them; a check of the migration history by other roles.

use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::DatabaseError;

/// Kit's own tables are in each service's schema, with a separate migration history.
const OWN_HISTORY: &str = "kit_migrations";
const SERVICE_HISTORY: &str = "_sqlx_migrations";

const UNDEFINED_TABLE: &str = "42P01";

/// On a separate connection without timeouts; closing it also releases the migration lock after a failure.
pub(super) async fn migrate_or_check(
    options: &PgConnectOptions,
    schema: &'static str,
    migrator: &Migrator,
) -> Result<(), DatabaseError> {
    let unreadable = |source| DatabaseError::History { schema, source };
    let mut connection = PgConnection::connect_with(options)
        .await
        .map_err(DatabaseError::Connect)?;
    let rights = rights(&mut connection, schema).await.map_err(unreadable)?;
    if rights.may_migrate {
        migrate(&mut connection, schema, migrator, &rights).await?;
        protect_histories(&mut connection).await.map_err(unreadable)?;
    } else {
        let is_migrated = is_migrated(&mut connection, migrator).await.map_err(unreadable)?;
        if !is_migrated {
            return Err(DatabaseError::NotMigrated { schema });
        }
    }
    connection.close().await.map_err(DatabaseError::Connect)
}

struct Rights {
    schema_exists: bool,
    may_migrate: bool,
}

/// A role may migrate if it may create tables in the schema, or the schema itself.
async fn rights(connection: &mut PgConnection, schema: &str) -> Result<Rights, sqlx::Error> {
    let (schema_exists, may_migrate): (bool, bool) = sqlx::query_as(
        "select to_regnamespace($1) is not null,
                coalesce(has_schema_privilege(to_regnamespace($1)::oid, 'create'),
                         has_database_privilege(current_database(), 'create'))",
    )
    .bind(schema)
    .fetch_one(connection)
    .await?;
    Ok(Rights {
        schema_exists,
        may_migrate,
    })
}

async fn migrate(
    connection: &mut PgConnection,
    schema: &'static str,
    migrator: &Migrator,
    rights: &Rights,
) -> Result<(), DatabaseError> {
    let failed = |source| DatabaseError::Migrate { schema, source };
    let mut own = own_migrations();
    if !rights.schema_exists {
        // Postgres checks the right to create a schema even where the schema exists.
        own.create_schema(schema);
    }
    own.run_direct(None, &mut *connection, false)
        .await
        .map_err(failed)?;
    migrator.run_direct(None, connection, false).await.map_err(failed)
}

fn own_migrations() -> Migrator {
    let mut own = sqlx::migrate!("./migrations");
    own.dangerous_set_table_name(OWN_HISTORY);
    own
}

/// Only the owner of the schema writes the histories; the role of the service reads them.
async fn protect_histories(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    // Replicas start at the same time. The lock ends with the connection.
    sqlx::query("select pg_advisory_lock(hashtextextended('kit_migrations ' || current_schema(), 0))")
        .execute(&mut *connection)
        .await?;
    let statements: Vec<String> = sqlx::query_scalar(
        "select distinct format('revoke insert, update, delete, truncate on %s from %I', history.oid::regclass, role.rolname)
         from pg_class as history
         cross join lateral aclexplode(history.relacl) as granted
         join pg_roles as role on role.oid = granted.grantee
         where history.oid in (to_regclass($1), to_regclass($2))
           and granted.grantee <> history.relowner
           and granted.privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')",
    )
    .bind(OWN_HISTORY)
    .bind(SERVICE_HISTORY)
    .fetch_all(&mut *connection)
    .await?;
    for statement in statements {
        sqlx::query(AssertSqlSafe(statement))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn is_migrated(connection: &mut PgConnection, migrator: &Migrator) -> Result<bool, sqlx::Error> {
    let own = own_migrations();
    for (migrations, history) in [(&own, OWN_HISTORY), (migrator, SERVICE_HISTORY)] {
        if !is_applied(connection, migrations, history).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Later migrations than ours are accepted: during a rolling update old processes restart on the new schema.
async fn is_applied(
    connection: &mut PgConnection,
    migrations: &Migrator,
    history: &str,
) -> Result<bool, sqlx::Error> {
    let statement = format!("select version, checksum from {history} where success");
    let applied: Vec<(i64, Vec<u8>)> = match sqlx::query_as(AssertSqlSafe(statement))
        .fetch_all(connection)
        .await
    {
        Ok(applied) => applied,
        Err(error) if is_undefined_table(&error) => return Ok(false),
        Err(error) => return Err(error),
    };
    let mut ups = migrations
        .iter()
        .filter(|migration| !migration.migration_type.is_down_migration());
    Ok(ups.all(|migration| {
        applied
            .iter()
            .any(|(version, checksum)| *version == migration.version && **checksum == *migration.checksum)
    }))
}

/// Also of a schema that does not exist, or that this role may not use.
fn is_undefined_table(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code)
        .is_some_and(|code| code == UNDEFINED_TABLE)
}
