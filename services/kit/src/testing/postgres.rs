//! A database of its own on the shared test server.

use std::collections::BTreeMap;
use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::database;
use crate::run::ServiceDefinition;

/// The migrated databases of this process by the names of their services. A copy costs a fraction of the migrations.
static TEMPLATES: Mutex<BTreeMap<String, String>> = Mutex::const_new(BTreeMap::new());

#[derive(Debug)]
pub(super) struct TestDatabase {
    admin: PgConnectOptions,
    name: String,
    url: String,
}

#[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
impl TestDatabase {
    /// With the schemas of `services`, migrated.
    pub async fn create(server: &str, services: &[ServiceDefinition]) -> Self {
        let admin = PgConnectOptions::from_str(server).expect("TEST_DATABASE_URL is not an address");
        let name = format!("test_{}", unique().simple());
        let url = url_of(&admin, &name);
        let template = if services.is_empty() {
            "template1".to_owned()
        } else {
            template(&admin, services).await
        };
        execute(&admin, format!("create database {name} template {template}"))
            .await
            .expect("TEST_DATABASE_URL does not work");
        Self { admin, name, url }
    }

    pub fn url(&self) -> &str {
        &self.url
    }
}

fn url_of(admin: &PgConnectOptions, database: &str) -> String {
    admin.clone().database(database).to_url_lossy().to_string()
}

/// The migrated database of `services`, made by the first test that needs it.
#[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
async fn template(admin: &PgConnectOptions, services: &[ServiceDefinition]) -> String {
    let key = services
        .iter()
        .map(|service| service.name)
        .collect::<Vec<_>>()
        .join(" ");
    let mut templates = TEMPLATES.lock().await;
    if let Some(name) = templates.get(&key) {
        return name.clone();
    }
    let name = format!("template_{}", unique().simple());
    execute(admin, format!("create database {name}"))
        .await
        .expect("TEST_DATABASE_URL does not work");
    for service in services {
        let Some(migrations) = service.migrations else {
            continue;
        };
        database::migrated(&url_of(admin, &name), service.name, migrations)
            .await
            .expect("the migrations of a service");
    }
    templates.insert(key, name.clone());
    name
}

/// The only things put into a statement are names, which are made above of letters and digits.
async fn execute(admin: &PgConnectOptions, statement: String) -> Result<(), sqlx::Error> {
    let mut connection = PgConnection::connect_with(admin).await?;
    connection.execute(AssertSqlSafe(statement)).await?;
    connection.close().await
}

#[expect(
    clippy::disallowed_methods,
    reason = "a name for a throw-away database, not an id of ours"
)]
fn unique() -> Uuid {
    Uuid::new_v4()
}

impl Drop for TestDatabase {
    /// Drops the database in a detached thread. A connection of the test's pools may still be authenticating;
    /// Postgres waits for it, and it proceeds only once this test's runtime runs again. `with (force)` closes the
    /// pools' other connections. Databases that remain when the process ends go with the throw-away server.
    fn drop(&mut self) {
        let (admin, name) = (self.admin.clone(), std::mem::take(&mut self.name));
        std::thread::spawn(move || {
            let statement = format!("drop database if exists {name} with (force)");
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let dropped = runtime.map(|runtime| runtime.block_on(execute(&admin, statement)));
            if !matches!(dropped, Ok(Ok(()))) {
                tracing::debug!(database = name, ?dropped, "test database not dropped");
            }
        });
    }
}
