//! The wiring of sessions.
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use chrono::TimeDelta;
use kit::erasure;
use kit::periodic;
use kit::run::{AppContext, Service, Task};
use proto::sessions::v1::sessions_service_server::SessionsServiceServer;
use sqlx::migrate::Migrator;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use crate::clients::chat_completions::{ChatCompletions, Settings};
use crate::config::{Ai, Config};
use crate::consumers::ERASURES;
use crate::flows::{self, Bells, Context, MemberEraser, Rules};
use crate::rpc::SessionsRpc;

static MIGRATIONS: Migrator = sqlx::migrate!();

/// Listening costs little beside writing.
const SEATS: usize = 1024;

const REPORT: erasure::ErasureSpec = erasure::ErasureSpec {
    service: "sessions",
    subject: Some("stillpoint.sessions.member_data.erased"),
};

const FORGET_EVERY: TimeDelta = TimeDelta::minutes(10);

pub async fn start(host: Arc<AppContext>, config: Config) -> anyhow::Result<Service> {
    let Config { ai, texts } = config;
    let pool = host.database("sessions", &MIGRATIONS).await?;
    let writer = model(ai).context("the client of the model")?;
    let (commissions, incoming) = mpsc::unbounded_channel();
    let context = Arc::new(Context {
        pool: pool.clone(),
        clock: host.clock.clone(),
        writer: Arc::new(writer),
        commissions,
        slots: Arc::new(Semaphore::new(texts.at_once)),
        seats: Arc::new(Semaphore::new(SEATS)),
        bells: Bells::default(),
        rules: Rules {
            longest: texts.longest,
            lease: texts.lease,
            kept: texts.kept,
        },
    });

    let composing = flows::compose_replies(Arc::clone(&context), incoming, host.shutdown.clone());
    let closing = close_regularly(Arc::clone(&context), texts.lease, host.shutdown.clone());
    let forgetting = forget_regularly(Arc::clone(&context), host.shutdown.clone());
    Ok(Service::new()
        .grpc(SessionsServiceServer::new(SessionsRpc::new(context)))
        .task(host.relay("sessions", pool.clone()))
        .task(host.consume(
            ERASURES,
            pool.clone(),
            erasure::ErasureRequestHandler(host.clock.clone()),
        ))
        .task(host.erase(REPORT, pool.clone(), MemberEraser))
        .task(Task::new("sessions.compose_replies", composing))
        .task(Task::new("sessions.close_interrupted", closing))
        .task(Task::new("sessions.forget_replies", forgetting))
        .ready("database", move || {
            let pool = pool.clone();
            Box::pin(async move { sqlx::query("select 1").execute(&pool).await.is_ok() })
        }))
}

fn model(ai: Ai) -> Result<ChatCompletions, reqwest::Error> {
    ChatCompletions::new(Settings {
        api_base: ai.api_base,
        api_key: ai.api_key,
        model: ai.model,
        timeout: ai.timeout,
    })
}

/// In real time, as the lease is.
async fn close_regularly(context: Arc<Context>, every: Duration, shutdown: CancellationToken) {
    let closing = || flows::close_interrupted(&context);
    periodic::every(every, "closing interrupted replies", &shutdown, closing).await;
}

async fn forget_regularly(context: Arc<Context>, shutdown: CancellationToken) {
    let (pace, forgetting) = ((&context.clock, FORGET_EVERY), || flows::forget_replies(&context));
    periodic::every_by_clock(pace, "deleting old replies", &shutdown, forgetting).await;
}
