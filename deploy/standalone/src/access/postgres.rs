//! The roles of each service in Postgres: `checkout` reads and writes the rows of its schema, `checkout_migrations` owns the schema.
//! The statements are in `postgres/*.sql`.

mod scram;

use std::str::FromStr;

use anyhow::{Context, ensure};
use kit::config::{ConfigErrors, Env};
use kit::run::ServiceDefinition;
use secrecy::{ExposeSecret, SecretString};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use scram::Verifier;

const ADMIN: &str = "ADMIN_DATABASE_URL";
const SCHEMA: &str = include_str!("postgres/schema.sql");
const DATABASE: &str = include_str!("postgres/database.sql");

/// A role that may do more than log in, or that is a member of another role, would pass the limits of its schema.
const PRIVILEGED: &str = "
    select exists (
        select from pg_roles as role
        where role.rolname = $1
          and (role.rolsuper or role.rolcreaterole or role.rolcreatedb or role.rolreplication or role.rolbypassrls
               or exists (select from pg_auth_members where member = role.oid)))";

/// Postgres quotes name and verifier, and replies with the statement to execute.
const ROLE: &str = "
    select format(
        '%s role %I with login noinherit password %L',
        case when exists (select from pg_roles where rolname = $1::text) then 'alter' else 'create' end,
        $1::text,
        format('SCRAM-SHA-256$%s:%s$%s:%s', $2::int8, encode($3::bytea, 'base64'), encode($4::bytea, 'base64'),
               encode($5::bytea, 'base64')))";

/// The number of hash rounds that this server is configured with, and a salt.
const SCRAM: &str = "
    select coalesce(current_setting('scram_iterations', true), '4096')::int8, uuid_send(gen_random_uuid())";

struct Role {
    name: String,
    password: SecretString,
}

struct Schema {
    name: &'static str,
    service: Role,
    migrations: Role,
}

pub fn run(arguments: &[String], definitions: &[ServiceDefinition]) -> anyhow::Result<()> {
    ensure!(arguments.is_empty(), "`access postgres` takes no arguments");
    let env = Env::from_process();
    let admin = env
        .secret_value(ADMIN)?
        .with_context(|| format!("{ADMIN} is not set"))?;
    let schemas = schemas(&env, definitions)?;
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(apply(&admin, &schemas))
}

/// All missing passwords are reported at once.
fn schemas(env: &Env, definitions: &[ServiceDefinition]) -> Result<Vec<Schema>, ConfigErrors> {
    let mut reader = env.reader();
    let mut schemas = Vec::new();
    let mut errors = ConfigErrors::default();
    for definition in definitions.iter().filter(|definition| definition.has_schema()) {
        let name = definition.name();
        let upper = name.to_ascii_uppercase();
        let mut password = |variable: String| match env.secret_value(&variable) {
            Ok(Some(password)) if is_plain(&password) => password,
            Ok(Some(_)) => {
                reader.fail(&variable, "has characters other than printable ASCII");
                SecretString::default()
            }
            Ok(None) => {
                reader.fail(&variable, "must be set");
                SecretString::default()
            }
            Err(found) => {
                errors.merge(found);
                SecretString::default()
            }
        };
        schemas.push(Schema {
            name,
            service: Role {
                name: name.to_owned(),
                password: password(format!("{upper}_DATABASE_PASSWORD")),
            },
            migrations: Role {
                name: format!("{name}_migrations"),
                password: password(format!("{upper}_MIGRATION_PASSWORD")),
            },
        });
    }
    errors.merge(reader.done(()).err().unwrap_or_default());
    if errors.is_empty() {
        Ok(schemas)
    } else {
        Err(errors)
    }
}

/// Others would need normalization (RFC 4013) before they are hashed.
fn is_plain(password: &SecretString) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    password.expose_secret().bytes().all(is_plain)
}

async fn apply(admin: &SecretString, schemas: &[Schema]) -> anyhow::Result<()> {
    let options = PgConnectOptions::from_str(admin.expose_secret()).context(ADMIN)?;
    let mut connection = PgConnection::connect_with(&options).await.context(ADMIN)?;
    let database: String = sqlx::query_scalar("select current_database()::text")
        .fetch_one(&mut connection)
        .await?;
    for schema in schemas {
        for role in [&schema.service, &schema.migrations] {
            make_role(&mut connection, role)
                .await
                .with_context(|| format!("role {}", role.name))?;
        }
        let statements = SCHEMA
            .replace("{schema}", &quoted(schema.name))
            .replace("{service}", &quoted(&schema.service.name))
            .replace("{migrations}", &quoted(&schema.migrations.name))
            .replace("{database}", &quoted(&database));
        connection
            .execute(AssertSqlSafe(statements))
            .await
            .with_context(|| format!("schema {}", schema.name))?;
    }
    let statements = DATABASE.replace("{database}", &quoted(&database));
    connection.execute(AssertSqlSafe(statements)).await?;
    connection.close().await?;
    eprintln!(
        "{} schemas, each with a role for its service and a role for its migrations",
        schemas.len()
    );
    Ok(())
}

async fn make_role(connection: &mut PgConnection, role: &Role) -> anyhow::Result<()> {
    let is_privileged: bool = sqlx::query_scalar(PRIVILEGED)
        .bind(&role.name)
        .fetch_one(&mut *connection)
        .await?;
    ensure!(
        !is_privileged,
        "it exists with more rights than to log in, or as a member of another role; take them away"
    );
    let (iterations, salt): (i64, Vec<u8>) = sqlx::query_as(SCRAM).fetch_one(&mut *connection).await?;
    let verifier = Verifier::new(role.password.expose_secret(), salt, u32::try_from(iterations)?)?;
    let statement: String = sqlx::query_scalar(ROLE)
        .bind(&role.name)
        .bind(i64::from(verifier.iterations))
        .bind(verifier.salt)
        .bind(verifier.stored_key)
        .bind(verifier.server_key)
        .fetch_one(&mut *connection)
        .await?;
    connection.execute(AssertSqlSafe(statement)).await?;
    Ok(())
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
