//! A process of its own, and a collector of its spans.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use kit::testing::{TestHost, free_port};
use reqwest::Client;
use tokio::task::JoinHandle;

use super::{POLL, TIMEOUT};
use crate::erasure::residue::FILTER;
use crate::stack::TEST_SETTINGS;
use crate::trust::configuration::SEED_DIR;

/// Keeps the exported spans as they came.
pub struct Collector {
    pub url: String,
    received: Arc<Mutex<Vec<u8>>>,
    serving: JoinHandle<()>,
}

impl Collector {
    pub async fn start() -> Self {
        // An empty message, uncompressed.
        const RESPONSE: [u8; 5] = [0; 5];
        let received = Arc::<Mutex<Vec<u8>>>::default();
        let keeping = Arc::clone(&received);
        let keep = move |body: Bytes| {
            keeping.lock().unwrap().extend_from_slice(&body);
            async {
                (
                    [("content-type", "application/grpc"), ("grpc-status", "0")],
                    RESPONSE,
                )
            }
        };
        let routes = Router::new().fallback(keep).layer(DefaultBodyLimit::disable());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self {
            url,
            received,
            serving,
        }
    }

    pub fn received(&self) -> String {
        String::from_utf8_lossy(&self.received.lock().unwrap()).into_owned()
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// All of Stillpoint in a process of its own, with its output in a file.
pub struct Process {
    child: Child,
    output: PathBuf,
    pub origin: String,
    pub ops: String,
}

impl Process {
    pub fn start(host: &TestHost, settings: &[(&str, String)]) -> Self {
        let (http, ops) = (free_port(), format!("127.0.0.1:{}", free_port()));
        let origin = format!("http://127.0.0.1:{http}");
        let output = std::env::temp_dir().join(format!("sentinels-{}-{http}", std::process::id()));
        let file = File::create(&output).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_standalone"))
            .env_clear()
            .envs(TEST_SETTINGS)
            .env("STILLPOINT_ENV", "development")
            .env("HTTP_ADDR", format!("127.0.0.1:{http}"))
            .env("PUBLIC_URL", &origin)
            .env("OPS_ADDR", &ops)
            // A closed port: every page is an error, which is logged.
            .env("WEB_URL", "http://127.0.0.1:9")
            .env("DATABASE_URL", host.database_url())
            .env("NATS_URL", host.nats_url())
            .env("CHECKOUT_SEED_DIR", SEED_DIR)
            .env("LOG_LEVEL", FILTER)
            .env("SHUTDOWN_GRACE_SECS", "5")
            // No span is dropped.
            .env("OTEL_BSP_MAX_QUEUE_SIZE", "100000")
            .envs(settings.iter().map(|(name, value)| (*name, value)))
            .stdout(file.try_clone().unwrap())
            .stderr(file)
            .spawn()
            .unwrap();
        Self {
            child,
            output,
            origin,
            ops: format!("http://{ops}"),
        }
    }

    pub async fn until_ready(&self, client: &Client) {
        let url = format!("{}/api/country", self.origin);
        let starting = async {
            while client.get(&url).send().await.is_err() {
                tokio::time::sleep(POLL).await;
            }
        };
        let in_time = tokio::time::timeout(TIMEOUT, starting).await.is_ok();
        assert!(in_time, "it does not start:\n{}", self.printed());
    }

    /// Ends it as an orchestrator does, so that all spans are exported.
    pub async fn stop(&mut self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").arg(id).status().unwrap().success());
        let stopping = async {
            while self.child.try_wait().unwrap().is_none() {
                tokio::time::sleep(POLL).await;
            }
        };
        tokio::time::timeout(TIMEOUT, stopping).await.unwrap();
    }

    pub fn printed(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.output).unwrap()).into_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.output);
    }
}
