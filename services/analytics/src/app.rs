//! The wiring of analytics.

mod access;

use std::sync::Arc;

use anyhow::Context as _;
use chrono::TimeDelta;
use kit::erasure::Erasure;
use kit::periodic;
use kit::run::{DatabaseService, Service, ServiceContext, Task};
use proto::analytics::v1::analytics_service_server::AnalyticsServiceServer;
use secrecy::ExposeSecret;
use sqlx::migrate::Migrator;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::consumers::{EVERYTHING, Recorder};
use crate::domain::privacy::Pseudonyms;
use crate::flows::{self, Context, MemberEraser};
use crate::rpc::AnalyticsRpc;

pub use access::ACCESS;

pub static MIGRATIONS: Migrator = sqlx::migrate!();

const MAKE_PARTITIONS_INTERVAL: TimeDelta = TimeDelta::hours(1);

pub async fn start(app: ServiceContext, config: Config) -> anyhow::Result<DatabaseService> {
    let context = Arc::new(Context {
        pool: app.pool.clone(),
        clock: app.clock.clone(),
        bus: app.bus.clone(),
        months_ahead: config.months_ahead,
        pseudonyms: Pseudonyms::new(config.hash_key.expose_secret().as_bytes())
            .context("ANALYTICS_HASH_KEY")?,
    });

    let making = run_make_partitions(Arc::clone(&context), app.shutdown.clone());
    let eraser = MemberEraser {
        context: Arc::clone(&context),
        service: app.name,
    };
    Ok(Service::new()
        .grpc(AnalyticsServiceServer::new(AnalyticsRpc::new(context)))
        .task(app.consume(EVERYTHING, Recorder))
        .task(Task::new("analytics.make_partitions", making))
        .erasure(Erasure::handler(eraser)))
}

/// A failure is harmless: events of a month without a partition go to the default partition.
async fn run_make_partitions(context: Arc<Context>, shutdown: CancellationToken) {
    let making = || flows::make_partitions(&context);
    periodic::every_by_clock(
        &context.clock,
        MAKE_PARTITIONS_INTERVAL,
        "make-partitions",
        &shutdown,
        making,
    )
    .await;
}
