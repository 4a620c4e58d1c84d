//! The wiring of the service.

mod access;

use std::sync::Arc;

use kit::erasure::Erasure;
use kit::run::{DatabaseService, Service, ServiceContext, Task};
use sqlx::migrate::Migrator;

use crate::config::Config;
use crate::flows::{Flows, publish_due};
use crate::rpc;

pub use access::ACCESS;

pub const NAME: &str = "content";

pub static MIGRATIONS: Migrator = sqlx::migrate!();

pub async fn start(app: ServiceContext, config: Config) -> anyhow::Result<DatabaseService> {
    let flows = Arc::new(Flows::new(app.pool.clone(), app.clock.clone()));
    if let Some(dir) = config.seed_dir {
        flows.publish_seed(dir).await?;
    }
    let publishing = publish_due(Arc::clone(&flows), app.shutdown.clone());
    Ok(Service::new()
        .grpc(rpc::reading(Arc::clone(&flows)))
        .grpc(rpc::editing(flows))
        .task(Task::new("content.publish_due", publishing))
        .erasure(Erasure::NothingStored(
            "editors write content, which names no member",
        )))
}
