//! The wiring of sessions.

mod access;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use chrono::TimeDelta;
use kit::erasure::Erasure;
use kit::periodic;
use kit::run::{DatabaseService, Service, ServiceContext, Task};
use proto::sessions::v1::sessions_service_server::SessionsServiceServer;
use sqlx::migrate::Migrator;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use crate::clients::chat_completions::{ChatCompletions, Settings};
use crate::config::{Ai, Config};
use crate::flows::{self, Context, MemberEraser, ReplyLimits, ReplyNotifiers};
use crate::rpc::SessionsRpc;

pub use access::ACCESS;

pub static MIGRATIONS: Migrator = sqlx::migrate!();

/// Reading a reply is cheap; generating one is limited by `SESSIONS_AI_TEXT_MAX_CONCURRENCY`.
const MAX_READERS: usize = 1024;

const PURGE_INTERVAL: TimeDelta = TimeDelta::minutes(10);

pub async fn start(app: ServiceContext, config: Config) -> anyhow::Result<DatabaseService> {
    let Config { ai, texts } = config;
    let chat_completions = model(ai).context("the model's HTTP client")?;
    let (jobs, incoming) = mpsc::unbounded_channel();
    let context = Arc::new(Context {
        pool: app.pool.clone(),
        clock: app.clock.clone(),
        model: Arc::new(chat_completions),
        jobs,
        generation_permits: Arc::new(Semaphore::new(texts.max_concurrency)),
        reader_permits: Arc::new(Semaphore::new(MAX_READERS)),
        notifiers: ReplyNotifiers::default(),
        limits: ReplyLimits {
            max_duration: texts.max_duration,
            lease: texts.lease,
            retention: texts.retention,
        },
    });

    let generating = flows::generate_replies(Arc::clone(&context), incoming, app.shutdown.clone());
    let closing = run_close_interrupted(Arc::clone(&context), texts.lease, app.shutdown.clone());
    let purging = run_purge_replies(Arc::clone(&context), app.shutdown.clone());
    Ok(Service::new()
        .grpc(SessionsServiceServer::new(SessionsRpc::new(context)))
        .task(Task::new("sessions.generate_replies", generating))
        .task(Task::new("sessions.close_interrupted", closing))
        .task(Task::new("sessions.purge_replies", purging))
        .erasure(Erasure::handler(MemberEraser)))
}

fn model(ai: Ai) -> Result<ChatCompletions, kit::http::ClientError> {
    ChatCompletions::new(Settings {
        api_base: ai.api_base,
        api_key: ai.api_key,
        model: ai.model,
        timeout: ai.timeout,
    })
}

/// In real time, because leases use the database's clock.
async fn run_close_interrupted(context: Arc<Context>, every: Duration, shutdown: CancellationToken) {
    let closing = || flows::close_interrupted(&context);
    periodic::every(every, "close-interrupted", &shutdown, closing).await;
}

async fn run_purge_replies(context: Arc<Context>, shutdown: CancellationToken) {
    let purging = || flows::purge_replies(&context);
    periodic::every_by_clock(
        &context.clock,
        PURGE_INTERVAL,
        "purge-replies",
        &shutdown,
        purging,
    )
    .await;
}
