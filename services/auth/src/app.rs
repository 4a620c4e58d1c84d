//! The wiring of auth.
use std::sync::Arc;

use chrono::TimeDelta;
use kit::run::{Host, Service, Task};
use proto::auth::v1::auth_service_server::AuthServiceServer;
use sqlx::migrate::Migrator;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::crypto::passwords::Passwords;
use crate::crypto::pseudonyms::Pseudonyms;
use crate::flows::{self, Context};
use crate::rpc::AuthRpc;

static MIGRATIONS: Migrator = sqlx::migrate!();

const FORGET_EVERY: TimeDelta = TimeDelta::minutes(1);

pub async fn start(host: Arc<Host>, config: Config) -> anyhow::Result<Service> {
    let pool = host.database("auth", &MIGRATIONS).await?;
    let context = Arc::new(Context {
        pool: pool.clone(),
        clock: host.clock.clone(),
        passwords: Passwords::new(config.hashing)?,
        pseudonyms: Pseudonyms::new(&config.email_hash_key)?,
        lifetime: config.lifetime,
        throttle: config.throttle,
    });

    let forgetting = forget_regularly(Arc::clone(&context), host.shutdown.clone());
    Ok(Service::new()
        .grpc(AuthServiceServer::new(AuthRpc::new(context)))
        .task(host.relay("auth", pool.clone()))
        .task(Task::new("auth.forget_expired", forgetting))
        .ready("database", move || {
            let pool = pool.clone();
            Box::pin(async move { sqlx::query("select 1").execute(&pool).await.is_ok() })
        }))
}

async fn forget_regularly(context: Arc<Context>, shutdown: CancellationToken) {
    while shutdown
        .run_until_cancelled(context.clock.sleep(FORGET_EVERY))
        .await
        .is_some()
    {
        if let Err(fault) = flows::forget_expired(&context).await {
            tracing::warn!(error = %fault, "expired sessions were not deleted; trying again in a minute");
        }
    }
}
