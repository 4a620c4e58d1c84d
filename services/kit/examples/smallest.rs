//! The smallest service: two settings, a background task, a readiness check. Kit's tests run it as a process.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use kit::config::{ConfigErrors, Env};
use kit::run::{AppContext, Service, Task};
use tracing::Instrument;

struct Config {
    /// `GREETING_EVERY_SECS`
    every: Duration,
    /// `CLUMSY`: panic at once, for a test.
    clumsy: bool,
}

impl Config {
    fn read(env: &Env) -> Result<Self, ConfigErrors> {
        let mut reader = env.reader();
        let config = Self {
            every: reader.secs("GREETING_EVERY_SECS", Duration::from_secs(1)),
            clumsy: reader.parse("CLUMSY", false),
        };
        reader.done(config)
    }
}

async fn start(context: Arc<AppContext>, config: Config) -> anyhow::Result<Service> {
    let shutdown = context.shutdown.clone();
    let greet = async move {
        assert!(!config.clumsy, "clumsy");
        while !shutdown.is_cancelled() {
            async { tracing::info!(greeting = "hello", "greeted") }
                .instrument(tracing::info_span!("greet"))
                .await;
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = tokio::time::sleep(config.every) => {}
            }
        }
        tracing::info!("said goodbye");
    };
    Ok(Service::new()
        .task(Task::new("greet", greet))
        .ready("voice", || async { true }.boxed()))
}

fn main() -> ExitCode {
    kit::run::main(vec![kit::run::define_service("smallest", Config::read, start)])
}
