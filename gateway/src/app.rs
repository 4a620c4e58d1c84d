//! The wiring: the listener, the cached router in front of the routes, and the background tasks.

mod access;

use std::sync::Arc;

use anyhow::Context;
use futures::stream::select;
use kit::run::{AppContext, Service, Task};
use tokio::net::TcpListener;

use crate::cache::purge;
use crate::config::Config;
use crate::openapi::documents::Documents;
use crate::server::cached_router::CachedRouter;
use crate::server::{self, router};
use crate::state::AppState;

pub use access::ACCESS;

pub async fn start(host: Arc<AppContext>, config: Config) -> anyhow::Result<Service> {
    let documents = Documents::new(&router::openapi()).context("describing the API")?;
    let app = AppState::new(&host, config, documents);
    let addr = app.config.http_addr;
    let listener = TcpListener::bind(addr)
        .await
        .with_context(|| format!("HTTP_ADDR: cannot listen on {addr}"))?;
    tracing::info!(%addr, "listening");

    let cached_router = CachedRouter::new(Arc::clone(&app), router::router(&app));
    let serving = server::serve(
        listener,
        cached_router,
        app.config.server.clone(),
        host.shutdown.clone(),
    );
    let [published, unpublished] = purge::FILTERS;
    let events = select(host.bus.watch(published).await, host.bus.watch(unpublished).await);
    let purging = server::until(
        host.shutdown.clone(),
        purge::run(events, Arc::clone(app.pages.tags())),
    );
    let purging_clients = server::until(
        host.shutdown.clone(),
        Arc::clone(&app.limits).purge_idle_clients(),
    );
    Ok(Service::new()
        .task(Task::new("http", serving))
        .task(Task::new("purge", purging))
        .task(Task::new("purge_idle_clients", purging_clients)))
}
