//! The baselines of GraphQL, in a process of their own to separate their CPU from ours: bytes in memory, and
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

/// The argument that starts this program as the baseline.
pub const COMMAND: &str = "baseline";

/// The address of the database, inherited from the measuring process.
pub const DATABASE: &str = "ADMIN_DATABASE_URL";

/// As many as the service has.
const CONNECTIONS: u32 = 10;
const SELECT: &str =
    "select snapshot.document from content.page join content.snapshot on snapshot.id = page.snapshot_id
                      where page.url_path = $1 and page.locale = $2";

/// A running baseline; ends on drop.
pub struct Baseline {
    child: Child,
    ready: PathBuf,
    pub url: String,
}

impl Baseline {
    pub fn start(ready_answer: &[u8]) -> Result<Self> {
        let ready = env::temp_dir().join(format!("stillpoint-ready-{}.json", std::process::id()));
        fs::write(&ready, ready_answer)?;
        let port = process::free_port()?;
        let child = Command::new(env::current_exe()?)
            .args([COMMAND, &port.to_string()])
            .arg(&ready)
            .spawn()
            .context("the baseline could not be started")?;
        let mut baseline = Self {
            child,
            ready,
            url: format!("http://127.0.0.1:{port}"),
        };
        process::wait_until_open(&mut baseline.child, "the baseline", port)?;
        Ok(baseline)
    }

    pub fn cpu_millis(&self) -> u64 {
        process::usage(self.child.id()).cpu_millis
    }
}

impl Drop for Baseline {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.ready);
    }
}

struct Served {
    pool: PgPool,
    ready: Bytes,
}

/// The baseline's own process.
pub async fn serve(arguments: &[String]) -> Result<()> {
    let [port, ready] = arguments else {
        bail!("{COMMAND} needs a port and a file");
    };
    // Not an argument: all users of the machine can read those.
    let settings = kit::config::Env::from_process();
    let database_url = settings
        .get(DATABASE)
        .with_context(|| format!("{DATABASE} is not set"))?;
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        // Only the select is measured.
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
