//! The wiring of the service.

use std::sync::Arc;

use kit::run::{AppContext, Service, Task};
use sqlx::migrate::Migrator;

use crate::config::Config;
use crate::flows::{Flows, publish_due};
use crate::rpc;

pub const NAME: &str = "content";

pub static MIGRATOR: Migrator = sqlx::migrate!();

pub async fn start(host: Arc<AppContext>, config: Config) -> anyhow::Result<Service> {
    let pool = host.database(NAME, &MIGRATOR).await?;
    let flows = Arc::new(Flows::new(pool.clone(), host.clock.clone()));
    if let Some(dir) = config.seed_dir {
        flows.publish_seed(dir).await?;
    }
    let publishing = publish_due(Arc::clone(&flows), host.shutdown.clone());
    Ok(Service::new()
        .grpc(rpc::reading(Arc::clone(&flows)))
        .grpc(rpc::editing(flows))
        .task(Task::new("content.publish_due", publishing))
        .task(host.relay(NAME, pool)))
}
