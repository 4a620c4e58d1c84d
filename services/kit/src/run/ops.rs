//! The operations port: `/healthz`, `/readyz`, `/metrics`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Map, Value};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::Check;
use crate::telemetry;

const CHECK_LIMIT: Duration = Duration::from_secs(1);
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// Whether this process may receive requests.
#[derive(Default)]
pub(crate) struct Readiness {
    draining: AtomicBool,
    checks: Vec<Check>,
}

impl Readiness {
    pub fn new(checks: Vec<Check>) -> Self {
        Self {
            draining: AtomicBool::new(false),
            checks,
        }
    }

    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// The result of each check, and whether all succeeded.
    async fn ask(&self) -> (bool, Map<String, Value>) {
        let mut ready = !self.draining.load(Ordering::Relaxed);
        let mut words = Map::new();
        words.insert("draining".to_owned(), (!ready).into());
        for check in &self.checks {
            let content = tokio::time::timeout(CHECK_LIMIT, (check.is_ready)()).await == Ok(true);
            words.insert(check.name.to_owned(), content.into());
            ready &= content;
        }
        (ready, words)
    }
}

pub(super) async fn serve(listener: TcpListener, readiness: Arc<Readiness>, stop: CancellationToken) {
    let routes = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(readiness);
    let upkeep = tokio::spawn(keep_metrics_small(stop.clone()));
    let served = axum::serve(listener, routes)
        .with_graceful_shutdown(stop.cancelled_owned())
        .await;
    if let Err(error) = served {
        tracing::error!(%error, "operations server stopped");
    }
    upkeep.abort();
}

async fn ready(State(readiness): State<Arc<Readiness>>) -> Response {
    let (ready, words) = readiness.ask().await;
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(Value::Object(words))).into_response()
}

async fn metrics() -> Response {
    let Some(metrics) = telemetry::prometheus() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let content_type = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (content_type, metrics.render()).into_response()
}

/// The recorder buffers single observations until they are aggregated here.
async fn keep_metrics_small(stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Some(metrics) = telemetry::prometheus() {
            metrics.run_upkeep();
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(UPKEEP_EVERY) => {}
        }
    }
}
