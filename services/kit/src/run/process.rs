//! Lifecycle of a process, from reading settings to its exit code.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use secrecy::ExposeSecret;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::grpc::{GrpcServer, Port};
use super::ops::{self, Readiness};
use super::settings::{self, Settings};
use super::task_set::TaskSet;
use super::{AppContext, Service, ServiceDefinition, Start, Task};
use crate::bus::Bus;
use crate::cache::Cache;
use crate::clock::{self, Clock};
use crate::config::{ConfigErrors, Env};
use crate::database;
use crate::rpc::{CallerRules, LocalServices, ServerStack, ServiceDirectory};
use crate::telemetry;

/// From sysexits.h: something is wrong with the configuration.
const EXIT_CONFIG: u8 = 78;
const EXIT_USAGE: u8 = 64;
const EXIT_INTERRUPTED_TWICE: i32 = 130;

/// Wait for NATS at startup, so that a reachable NATS causes no warnings.
const NATS_GRACE: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, PartialEq, Eq)]
enum ProcessCommand {
    Run,
    CheckConfig,
    Migrate,
}

/// Runs the services until a signal. All configuration errors of all services are reported before anything is started.
#[expect(clippy::needless_pass_by_value, reason = "callers pass a literal")]
pub fn main(definitions: Vec<ServiceDefinition>) -> ExitCode {
    let command = match std::env::args().nth(1).as_deref() {
        None => ProcessCommand::Run,
        Some("--check-config") => ProcessCommand::CheckConfig,
        Some("--migrate") => ProcessCommand::Migrate,
        Some(other) => {
            print_error(format_args!(
                "unknown argument `{other}`; there are only --check-config and --migrate"
            ));
            return ExitCode::from(EXIT_USAGE);
        }
    };
    let env = Env::from_process().or_production();
    if command == ProcessCommand::Migrate {
        return migrate_all(&env, &definitions);
    }
    let (settings, starts) = match read_all(&env, &definitions) {
        Ok(read) => read,
        Err(errors) => return config_failure(&errors),
    };
    if command == ProcessCommand::CheckConfig {
        print_error(format_args!("the configuration is valid"));
        return ExitCode::SUCCESS;
    }
    exit_code(run(env, settings, starts))
}

/// Migrates the schemas and reads no other settings: a job before a deployment has only these.
fn migrate_all(env: &Env, definitions: &[ServiceDefinition]) -> ExitCode {
    let mut schemas = Vec::new();
    let mut errors = ConfigErrors::default();
    for definition in definitions {
        let Some(migrations) = definition.migrations else {
            continue;
        };
        match settings::migration_address(env, definition.name) {
            Ok(address) => schemas.push((definition.name, migrations, address)),
            Err(found) => errors.merge(found),
        }
    }
    if !errors.is_empty() {
        return config_failure(&errors);
    }
    exit_code(async move {
        install_tls_provider();
        for (name, migrations, address) in schemas {
            database::migrated(address.expose_secret(), name, migrations).await?;
            print_error(format_args!("migrated {name}"));
        }
        Ok(())
    })
}

fn config_failure(errors: &ConfigErrors) -> ExitCode {
    print_error(format_args!("the configuration is not valid:\n{errors}"));
    ExitCode::from(EXIT_CONFIG)
}

fn exit_code(work: impl Future<Output = anyhow::Result<()>>) -> ExitCode {
    let outcome = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("starting the runtime")
        .and_then(|runtime| runtime.block_on(work));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "stopped");
            print_error(format_args!("stopped: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// A service whose settings are valid.
struct Named {
    name: &'static str,
    rules: CallerRules,
    start: Start,
}

/// A service that has started.
struct Started {
    name: &'static str,
    rules: CallerRules,
    service: Service,
}

fn read_all(env: &Env, definitions: &[ServiceDefinition]) -> Result<(Settings, Vec<Named>), ConfigErrors> {
    let names: Vec<_> = definitions.iter().map(|definition| definition.name).collect();
    let mut errors = ConfigErrors::default();
    let settings = Settings::read(env, &names).map_err(|found| errors.merge(found));
    errors.merge(settings::missing_certificates(env, definitions));
    let mut starts = Vec::new();
    for definition in definitions {
        match definition.read(env) {
            Ok(start) => starts.push(Named {
                name: definition.name,
                rules: CallerRules::new(definition.access.callers),
                start,
            }),
            Err(found) => errors.merge(found),
        }
    }
    match settings {
        Ok(settings) if errors.is_empty() => Ok((settings, starts)),
        _ => Err(errors),
    }
}

/// Writes to stderr, for messages before logging is set up and for interactive starts.
fn print_error(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

async fn run(env: Env, settings: Settings, starts: Vec<Named>) -> anyhow::Result<()> {
    install_tls_provider();
    let flush = telemetry::init(&settings.telemetry)?;
    let outcome = serve(env, settings, starts).await;
    // Exporting blocks.
    tokio::task::spawn_blocking(move || flush.now()).await?;
    outcome
}

/// Both `reqwest` and `redis` panic on their first TLS connection without one.
pub(crate) fn install_tls_provider() {
    // An error means that it is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

async fn serve(env: Env, settings: Settings, starts: Vec<Named>) -> anyhow::Result<()> {
    let shutdown = CancellationToken::new();
    let mut stop = StopSignal::listen()?;
    let ops_listener = bind(settings.ops_addr, "OPS_ADDR").await?;
    let context = Arc::new(open_context(env, &settings, &starts, shutdown.clone()).await?);
    let is_single_service = starts.len() == 1;

    let mut tasks = TaskSet::default();
    let started = tokio::select! {
        started = start_all(&context, starts) => started?,
        () = stop.received() => return Ok(()),
    };
    let mut checks = Vec::new();
    for mut started in started {
        started.service.tasks.drain(..).for_each(|task| tasks.start(task));
        checks.append(&mut started.service.checks);
        if is_single_service && !started.service.grpc_names.is_empty() {
            tasks.start(grpc_task(&context, &settings, &started).await?);
        }
    }
    let readiness = Arc::new(Readiness::new(checks));
    let ops_stop = CancellationToken::new();
    let ops = tokio::spawn(ops::serve(ops_listener, readiness.clone(), ops_stop.clone()));
    tracing::info!(ops = %settings.ops_addr, "ready");

    let fatal = tokio::select! {
        () = stop.received() => None,
        panicked = tasks.first_panic() => Some(panicked),
    };
    tracing::info!(grace_secs = settings.grace.as_secs(), "stopping");
    readiness.drain();
    shutdown.cancel();
    stop.exit_on_next_signal();
    if !tasks.finish_within(settings.grace).await {
        tracing::warn!("tasks did not finish within SHUTDOWN_GRACE_SECS; they are aborted");
    }
    ops_stop.cancel();
    ops.await?;
    fatal.map_or(Ok(()), |panicked| Err(panicked.into()))
}

async fn open_context(
    env: Env,
    settings: &Settings,
    starts: &[Named],
    shutdown: CancellationToken,
) -> anyhow::Result<AppContext> {
    let names: BTreeSet<_> = starts.iter().map(|named| named.name).collect();
    let bus = Bus::connect_with_files(
        settings.nats_url.expose_secret(),
        &settings.nats_files,
        settings.telemetry.service,
        shutdown.clone(),
    )
    .await
    .context("NATS_URL")?;
    if !bus.connected_within(NATS_GRACE).await {
        tracing::warn!("NATS not reachable; starting without it");
    }
    let clock = Clock::system();
    if let Some(bucket) = settings.clock_bucket.clone() {
        tokio::spawn(clock::follow(
            clock.clone(),
            bus.client().clone(),
            bucket,
            shutdown.clone(),
        ));
    }
    if let Some(tls) = settings.tls.clone() {
        tokio::spawn(tls.follow(shutdown.clone()));
    }
    Ok(AppContext {
        clock,
        cache: Cache::connect(settings.redis_url.as_ref().map(ExposeSecret::expose_secret))
            .context("REDIS_URL")?,
        directory: ServiceDirectory::new(env.clone(), LocalServices::Only(names), settings.tls.clone()),
        env,
        bus,
        shutdown,
    })
}

async fn start_all(context: &Arc<AppContext>, starts: Vec<Named>) -> anyhow::Result<Vec<Started>> {
    let mut started = Vec::new();
    for Named { name, rules, start } in starts {
        let service = start(Arc::new(context.as_caller(name)))
            .await
            .with_context(|| format!("starting {name}"))?;
        let stack = ServerStack::new(name, rules, service.routes.clone());
        context.directory.register_local(name, stack);
        started.push(Started { name, rules, service });
    }
    Ok(started)
}

async fn grpc_task(context: &AppContext, settings: &Settings, started: &Started) -> anyhow::Result<Task> {
    let listener = bind(settings.grpc_addr, "GRPC_ADDR").await?;
    tracing::info!(grpc = %listener.local_addr()?, service = started.name, "listening");
    let tls = settings.tls.clone();
    if tls.is_none() {
        tracing::warn!("without GRPC_CERT_FILE all gRPC calls are denied");
    }
    let port = Port {
        listener,
        rules: started.rules,
        tls,
    };
    let server = GrpcServer::new(context, started.name, &started.service, port).await?;
    Ok(Task::new("grpc", server.run(context.shutdown.clone())))
}

async fn bind(addr: std::net::SocketAddr, variable: &'static str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(addr).await.with_context(|| {
        format!("{addr} cannot be listened on; is something else there? Set {variable} to another address")
    })
}

/// SIGTERM from an orchestrator, SIGINT from a terminal.
struct StopSignal {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl StopSignal {
    fn listen() -> anyhow::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn received(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// A second signal skips the drain.
    fn exit_on_next_signal(mut self) {
        tokio::spawn(async move {
            self.received().await;
            std::process::exit(EXIT_INTERRUPTED_TWICE);
        });
    }
}
