//! A database of its own on the shared test server.

use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use uuid::Uuid;

#[derive(Debug)]
pub(super) struct TestDatabase {
    admin: PgConnectOptions,
    name: String,
    url: String,
}

#[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
impl TestDatabase {
    pub async fn create(server: &str) -> Self {
        let admin = PgConnectOptions::from_str(server).expect("TEST_DATABASE_URL is not an address");
        let name = format!("test_{}", unique().simple());
        let url = admin.clone().database(&name).to_url_lossy().to_string();
        execute(&admin, format!("create database {name}"))
            .await
            .expect("TEST_DATABASE_URL does not work");
        Self { admin, name, url }
    }

    pub fn url(&self) -> &str {
        &self.url
    }
}

/// The only thing put into a statement is the name, which is made above of letters and digits.
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
