//! Services and processes: `main(vec![content::definition()])` runs one service, several definitions run in one process.

mod access;
mod grpc;
mod ops;
mod process;
mod settings;
mod task_set;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use futures::FutureExt;
use futures::future::BoxFuture;
use http::Request;
use sqlx::migrate::Migrator;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::service::Routes;

pub use access::Access;
pub(crate) use grpc::{GrpcServer, Port};
pub(crate) use process::install_tls_provider;
pub use process::main;
pub(crate) use task_set::TaskSet;

use crate::bus::Bus;
use crate::cache::Cache;
use crate::clock::Clock;
use crate::config::{ConfigErrors, Env};
use crate::consumer::{Consumer, ConsumerSpec, Handler};
use crate::database::{self, Pool};
use crate::erasure::{self, Erasure, ErasureHandler, Report};
use crate::outbox::Relay;
use crate::reconciler::{Reconciler, reconcile};
pub use crate::rpc::Caller;
use crate::rpc::ServiceDirectory;

/// How long startup waits for the database.
const DATABASE_START_TIMEOUT: Duration = Duration::from_secs(30);
const DATABASE_RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Process-wide handles for the services in it.
#[derive(Clone, Debug)]
pub struct AppContext {
    pub env: Env,
    pub clock: Clock,
    pub bus: Bus,
    pub cache: Cache,
    pub directory: ServiceDirectory,
    /// Cancelled when the process is to stop.
    pub shutdown: CancellationToken,
}

impl AppContext {
    /// The pool of `schema`, migrated. Its address is `<SCHEMA>_DATABASE_URL`, else `DATABASE_URL`; that of the role that migrates
    /// is `<SCHEMA>_MIGRATION_DATABASE_URL`.
    pub async fn database(&self, schema: &'static str, migrator: &Migrator) -> anyhow::Result<Pool> {
        let address = settings::schema_address(&self.env, schema)?;
        let give_up_at = Instant::now() + DATABASE_START_TIMEOUT;
        loop {
            match database::open_at(&address, schema, migrator).await {
                Ok(pool) => return Ok(pool),
                Err(error) if error.is_temporary() && Instant::now() < give_up_at => {
                    let error = format!("{:#}", anyhow::Error::new(error));
                    tracing::warn!(error, schema, "database not ready; retrying");
                    tokio::select! {
                        () = self.shutdown.cancelled() => anyhow::bail!("stopped while waiting for the database"),
                        () = tokio::time::sleep(DATABASE_RETRY_INTERVAL) => {}
                    }
                }
                Err(error) => return Err(error).with_context(|| format!("opening schema `{schema}`")),
            }
        }
    }

    /// The context of the service `name`, which its calls name as their caller.
    pub(crate) fn as_caller(&self, name: &str) -> Self {
        Self {
            directory: self.directory.as_caller(name),
            ..self.clone()
        }
    }

    /// Starts a round of `reconciler` every `period`.
    pub fn reconcile<R: Reconciler + 'static>(&self, reconciler: R, period: Duration) -> Task {
        Task::new(R::NAME, reconcile(reconciler, period, self.shutdown.clone()))
    }
}

/// The handles of a service with a schema of its own.
#[derive(Clone, Debug)]
pub struct ServiceContext {
    /// Of the service and its schema.
    pub name: &'static str,
    pub pool: Pool,
    app: Arc<AppContext>,
}

impl Deref for ServiceContext {
    type Target = AppContext;

    fn deref(&self) -> &AppContext {
        &self.app
    }
}

impl ServiceContext {
    pub const fn new(name: &'static str, pool: Pool, app: Arc<AppContext>) -> Self {
        Self { name, pool, app }
    }

    /// Applies the events of `spec`, each exactly once.
    pub fn consume(&self, spec: ConsumerSpec, handler: impl Handler) -> Task {
        let name = spec.name;
        let (bus, clock) = (self.bus.clone(), self.clock.clone());
        let consumer = Consumer::new(spec, bus, clock, self.pool.clone(), handler);
        Task::new(name, consumer.run(self.shutdown.clone()))
    }

    fn erasure_tasks(&self, erasure: Erasure) -> Vec<Task> {
        match erasure {
            Erasure::Handler(handler) => vec![
                self.erasure_requests(),
                self.erasure_worker(Report::MemberDataErased, handler),
            ],
            Erasure::OwnRequests(handler) => vec![self.erasure_worker(Report::Omitted, handler)],
            Erasure::NothingStored(reason) => {
                tracing::debug!(service = self.name, reason, "no erasures");
                Vec::new()
            }
        }
    }

    /// Stores the requests of erasures as jobs.
    fn erasure_requests(&self) -> Task {
        // Once per start: names of consumers are static.
        let consumer = format!("{}-erasure", self.name).leak();
        let requests = erasure::requests(consumer);
        self.consume(requests, erasure::ErasureRequestHandler(self.clock.clone()))
    }

    fn erasure_worker(&self, report: Report, handler: Box<dyn ErasureHandler>) -> Task {
        let (pool, clock) = (self.pool.clone(), self.clock.clone());
        let worker = erasure::Worker::new(self.name, report, pool, clock, handler);
        self.reconcile(worker, erasure::POLL_INTERVAL)
    }

    /// Adds what every service with a schema has: its erasure, the relay of its outbox, and readiness while the database is
    /// reachable.
    #[must_use]
    pub fn complete(self, DatabaseService { service, erasure }: DatabaseService) -> Service {
        let erasing = self.erasure_tasks(erasure);
        let relay = Relay::new(self.name, self.pool.clone(), self.bus.clone());
        let relay = Task::new("relay", relay.run(self.shutdown.clone()));
        let pool = self.pool;
        service.tasks(erasing).task(relay).ready("database", move || {
            let pool = pool.clone();
            Box::pin(async move { sqlx::query("select 1").execute(&pool).await.is_ok() })
        })
    }
}

/// A started service: gRPC routes, background tasks, readiness checks.
#[derive(Default)]
pub struct Service {
    pub(crate) routes: Routes,
    pub(crate) grpc_names: Vec<&'static str>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) checks: Vec<Check>,
}

pub(crate) struct Check {
    pub name: &'static str,
    pub is_ready: Arc<dyn Fn() -> BoxFuture<'static, bool> + Send + Sync>,
}

impl Service {
    pub fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn grpc<S>(mut self, service: S) -> Self
    where
        S: tower::Service<Request<Body>, Error = std::convert::Infallible>
            + NamedService
            + Clone
            + Send
            + Sync
            + 'static,
        S::Response: axum::response::IntoResponse,
        S::Future: Send + 'static,
    {
        self.routes = self.routes.add_service(service);
        self.grpc_names.push(S::NAME);
        self
    }

    #[must_use]
    pub fn task(mut self, task: Task) -> Self {
        self.tasks.push(task);
        self
    }

    #[must_use]
    pub fn tasks(mut self, tasks: impl IntoIterator<Item = Task>) -> Self {
        self.tasks.extend(tasks);
        self
    }

    /// Completes a service with a schema of its own.
    #[must_use]
    pub fn erasure(self, erasure: Erasure) -> DatabaseService {
        DatabaseService {
            service: self,
            erasure,
        }
    }

    /// Only for dependencies without which no request can succeed; never another service, NATS or Redis.
    #[must_use]
    pub fn ready(
        mut self,
        name: &'static str,
        check: impl Fn() -> BoxFuture<'static, bool> + Send + Sync + 'static,
    ) -> Self {
        self.checks.push(Check {
            name,
            is_ready: Arc::new(check),
        });
        self
    }
}

/// A started service with a schema of its own. It cannot be built without a decision about erasures.
pub struct DatabaseService {
    service: Service,
    erasure: Erasure,
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service")
            .field("grpc", &self.grpc_names)
            .field("tasks", &self.tasks)
            .finish_non_exhaustive()
    }
}

/// A background task until `AppContext::shutdown`. It may end earlier; a panic stops the process.
pub struct Task {
    pub(crate) name: &'static str,
    pub(crate) future: BoxFuture<'static, ()>,
}

impl Task {
    pub fn new(name: &'static str, future: impl Future<Output = ()> + Send + 'static) -> Self {
        Self {
            name,
            future: future.boxed(),
        }
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Task").field(&self.name).finish()
    }
}

/// A service before its start: its name, how to read its settings, how to start it.
pub struct ServiceDefinition {
    pub(crate) name: &'static str,
    /// Of its own schema.
    pub(crate) migrations: Option<&'static Migrator>,
    pub(crate) access: Access,
    read: Read,
}

type Read = Box<dyn Fn(&Env) -> Result<Start, ConfigErrors> + Send + Sync>;

/// Starts a service whose settings are valid.
pub(crate) type Start =
    Box<dyn FnOnce(Arc<AppContext>) -> BoxFuture<'static, anyhow::Result<Service>> + Send>;

impl ServiceDefinition {
    /// What the service may publish and consume, and who may call it. Without it: nothing, and no one.
    #[must_use]
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it has a schema of its name.
    pub const fn has_schema(&self) -> bool {
        self.migrations.is_some()
    }

    pub const fn granted(&self) -> &Access {
        &self.access
    }

    pub(crate) fn read(&self, env: &Env) -> Result<Start, ConfigErrors> {
        (self.read)(env)
    }
}

impl fmt::Debug for ServiceDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ServiceDefinition").field(&self.name).finish()
    }
}

/// A service without a database.
pub fn define_service<C, R, S, F>(name: &'static str, read: R, start: S) -> ServiceDefinition
where
    C: Send + 'static,
    R: Fn(&Env) -> Result<C, ConfigErrors> + Send + Sync + 'static,
    S: Fn(Arc<AppContext>, C) -> F + Send + Sync + 'static,
    F: Future<Output = anyhow::Result<Service>> + Send + 'static,
{
    let start = Arc::new(start);
    let read = move |env: &Env| {
        let config = read(env)?;
        let start = start.clone();
        let start: Start = Box::new(move |context| async move { start(context, config).await }.boxed());
        Ok(start)
    };
    ServiceDefinition {
        name,
        migrations: None,
        access: Access::NONE,
        read: Box::new(read),
    }
}

/// A service with a schema of its own name. kit reads the address of its database with its settings, migrates it before `start`,
/// erases members, publishes its outbox and checks its database.
/// For example `define_database_service("content", &MIGRATIONS, config::Config::read, app::start)`.
pub fn define_database_service<C, R, S, F>(
    name: &'static str,
    migrations: &'static Migrator,
    read: R,
    start: S,
) -> ServiceDefinition
where
    C: Send + 'static,
    R: Fn(&Env) -> Result<C, ConfigErrors> + Send + Sync + 'static,
    S: Fn(ServiceContext, C) -> F + Send + Sync + 'static,
    F: Future<Output = anyhow::Result<DatabaseService>> + Send + 'static,
{
    let start = Arc::new(start);
    let read = move |env: &Env| match (read(env), settings::schema_address(env, name)) {
        (Ok(config), Ok(_)) => Ok(config),
        (config, address) => {
            let mut errors = config.err().unwrap_or_default();
            errors.merge(address.err().unwrap_or_default());
            Err(errors)
        }
    };
    let definition = define_service(name, read, move |app: Arc<AppContext>, config| {
        let start = start.clone();
        async move {
            let pool = app.database(name, migrations).await?;
            let context = ServiceContext::new(name, pool, app);
            let service = start(context.clone(), config).await?;
            Ok(context.complete(service))
        }
    });
    ServiceDefinition {
        migrations: Some(migrations),
        ..definition
    }
}
