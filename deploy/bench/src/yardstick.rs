//! The yardsticks of GraphQL, in a process of their own so that their CPU can be told from ours: bytes that are ready, and
//! one prepared select of the same document, both straight through axum.

use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Arc;
use std::{env, fs};

use anyhow::{Context as _, Result, bail};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use reqwest::StatusCode;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;

use crate::process;

/// How the program calls itself for this.
pub const VERB: &str = "yardstick";

/// As the service has.
const CONNECTIONS: u32 = 10;
const SELECT: &str =
    "select snapshot.document from content.page join content.snapshot on snapshot.id = page.snapshot_id
                      where page.url_path = $1 and page.locale = $2";

/// A running yardstick; ends on drop.
pub struct Yardstick {
    child: Child,
    ready: PathBuf,
    pub url: String,
}

impl Yardstick {
    pub fn start(database_url: &str, ready_answer: &[u8]) -> Result<Self> {
        let ready = env::temp_dir().join(format!("stillpoint-ready-{}.json", std::process::id()));
        fs::write(&ready, ready_answer)?;
        let port = process::free_port()?;
        let child = Command::new(env::current_exe()?)
            .args([VERB, &port.to_string(), database_url])
            .arg(&ready)
            .spawn()
            .context("the yardstick could not be started")?;
        let mut yardstick = Self {
            child,
            ready,
            url: format!("http://127.0.0.1:{port}"),
        };
        process::wait_until_open(&mut yardstick.child, "the yardstick", port)?;
        Ok(yardstick)
    }

    pub fn cpu_millis(&self) -> u64 {
        process::usage(self.child.id()).cpu_millis
    }
}

impl Drop for Yardstick {
    fn drop(&mut self) {
        // Gone already, or it goes now: it keeps nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.ready);
    }
}

struct Served {
    pool: PgPool,
    ready: Bytes,
}

/// The other process.
pub async fn serve(arguments: &[String]) -> Result<()> {
    let [port, database_url, ready] = arguments else {
        bail!("{VERB} wants a port, a database and a file");
    };
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        // Nothing but the select is to be measured.
        .test_before_acquire(false)
        .connect(database_url)
        .await?;
    let ready = fs::read(ready)?.into();
    let routes = Router::new()
        .route("/ready", post(ready_bytes))
        .route("/select", get(one_select))
        .with_state(Arc::new(Served { pool, ready }));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    Ok(axum::serve(listener, routes).await?)
}

async fn ready_bytes(State(served): State<Arc<Served>>, _body: Bytes) -> Response {
    let headers = [("content-type", "application/json")];
    (headers, served.ready.clone()).into_response()
}

async fn one_select(State(served): State<Arc<Served>>) -> Response {
    let found: sqlx::Result<String> = sqlx::query_scalar(SELECT)
        .bind("/")
        .bind("en")
        .fetch_one(&served.pool)
        .await;
    match found {
        Ok(document) => ([("content-type", "application/json")], document).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
