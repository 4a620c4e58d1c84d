//! The wiring of the service.

use std::sync::Arc;

use kit::run::{Host, Service};
use sqlx::migrate::Migrator;

use crate::config::Config;
use crate::flows::Flows;
use crate::rpc;

pub const NAME: &str = "content";

pub static MIGRATOR: Migrator = sqlx::migrate!();

pub async fn start(host: Arc<Host>, config: Config) -> anyhow::Result<Service> {
    let pool = host.database(NAME, &MIGRATOR).await?;
    let flows = Arc::new(Flows::new(pool.clone(), host.clock.clone()));
    if let Some(dir) = config.seed_dir {
        flows.publish_seed(dir).await?;
    }
    Ok(Service::new()
        .grpc(rpc::server(flows))
        .task(host.relay(NAME, pool)))
}
