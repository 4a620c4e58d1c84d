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
        let database = Self { admin, name, url };
        database
            .execute(format!("create database {}", database.name))
            .await
            .expect("TEST_DATABASE_URL does not work");
        database
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// The only thing put into a statement is the name, which is made above of letters and digits.
    async fn execute(&self, statement: String) -> Result<(), sqlx::Error> {
        let mut connection = PgConnection::connect_with(&self.admin).await?;
        connection.execute(AssertSqlSafe(statement)).await?;
        connection.close().await
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a name for a throw-away database, not an id of ours"
)]
fn unique() -> Uuid {
    Uuid::new_v4()
}

impl Drop for TestDatabase {
    /// On a thread of its own, because the test's runtime cannot wait inside a drop. With force: the test's pools are
    /// still open, and without it Postgres waits five seconds for them and then refuses.
    fn drop(&mut self) {
        let statement = format!("drop database if exists {} with (force)", self.name);
        let dropping = std::thread::scope(|scope| {
            scope
                .spawn(|| {
                    let runtime = tokio::runtime::Builder::new_current_thread()
                        .enable_all()
                        .build()?;
                    runtime
                        .block_on(self.execute(statement))
                        .map_err(std::io::Error::other)
                })
                .join()
        });
        if let Ok(Err(error)) = dropping {
            tracing::debug!(%error, database = self.name, "a test database was left behind");
        }
    }
}
