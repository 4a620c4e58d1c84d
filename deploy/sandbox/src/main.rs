//! The sandbox as a program.

use std::process::ExitCode;

use kit::config::Env;
use sandbox::{Sandbox, config};
use tokio::signal::unix::{SignalKind, signal};

const BAD_CONFIG: u8 = 78;

#[tokio::main]
async fn main() -> ExitCode {
    let env = Env::from_process();
    let filter = env.get("LOG_LEVEL").unwrap_or("info").to_owned();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    let options = match config::read(&env) {
        Ok(options) => options,
        Err(faults) => {
            tracing::error!("the sandbox is not configured:\n{faults}");
            return ExitCode::from(BAD_CONFIG);
        }
    };
    match run(options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: sandbox::Options) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let sandbox = Sandbox::start(options).await?;
    tracing::info!("ready on {}/sandbox/", sandbox.base());
    let signalled = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    sandbox.stopped_by(signalled).await;
    Ok(())
}
