//! The wiring of analytics.
use std::sync::Arc;

use anyhow::Context as _;
use chrono::TimeDelta;
use kit::erasure;
use kit::periodic;
use kit::run::{AppContext, Service, Task};
use proto::analytics::v1::analytics_service_server::AnalyticsServiceServer;
use secrecy::ExposeSecret;
use sqlx::migrate::Migrator;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::consumers::{ERASURES, EVERYTHING, Recorder};
use crate::domain::privacy::Pseudonyms;
use crate::flows::{self, Context, MemberEraser};
use crate::rpc::AnalyticsRpc;

static MIGRATIONS: Migrator = sqlx::migrate!();

const ERASURE_SPEC: erasure::ErasureSpec = erasure::ErasureSpec {
    service: "analytics",
    subject: Some("stillpoint.analytics.member_data.erased"),
};

const MAKE_PARTITIONS_INTERVAL: TimeDelta = TimeDelta::hours(1);

pub async fn start(app: Arc<AppContext>, config: Config) -> anyhow::Result<Service> {
    let pool = app.database("analytics", &MIGRATIONS).await?;
    let context = Arc::new(Context {
        pool: pool.clone(),
        clock: app.clock.clone(),
        bus: app.bus.clone(),
        months_ahead: config.months_ahead,
        pseudonyms: Pseudonyms::new(config.hash_key.expose_secret().as_bytes())
            .context("ANALYTICS_HASH_KEY")?,
    });

    let making = run_make_partitions(Arc::clone(&context), app.shutdown.clone());
    let eraser = MemberEraser {
        context: Arc::clone(&context),
        service: ERASURE_SPEC.service,
    };
    Ok(Service::new()
        .grpc(AnalyticsServiceServer::new(AnalyticsRpc::new(context)))
        .task(app.relay("analytics", pool.clone()))
        .task(app.consume(EVERYTHING, pool.clone(), Recorder))
        .task(app.consume(
            ERASURES,
            pool.clone(),
            erasure::ErasureRequestHandler(app.clock.clone()),
        ))
        .task(app.erase(ERASURE_SPEC, pool.clone(), eraser))
        .task(Task::new("analytics.make_partitions", making))
        .ready("database", move || {
            let pool = pool.clone();
            Box::pin(async move { sqlx::query("select 1").execute(&pool).await.is_ok() })
        }))
}

/// A failure is harmless: events of a month without a partition go to the default partition.
async fn run_make_partitions(context: Arc<Context>, shutdown: CancellationToken) {
    let making = || flows::make_partitions(&context);
    periodic::every_by_clock(
        &context.clock,
        MAKE_PARTITIONS_INTERVAL,
        "making partitions",
        &shutdown,
        making,
    )
    .await;
}
