//! A whole context for one test: its own database, its own NATS server, a clock that stands still.
//!
//! Everything is the real thing; `make test` provides the addresses of the binaries.

mod callers;
mod certificates;
mod nats;
mod port;
mod postgres;
mod redis;
mod waiting;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use chrono::{DateTime, Utc};
use futures::StreamExt;
use tokio_util::sync::CancellationToken;

use crate::bus::{Bus, CloudEvent, STREAM};
use crate::cache::Cache;
use crate::clock::{self, Clock};
use crate::config::Env;
use crate::rounds::RoundLog;
use crate::rpc::ServerStack;
use crate::run::{AppContext, GrpcServer, Port, ServiceDefinition, Task, TaskSet, install_tls_provider};
use callers::{directory, rules};
use nats::NatsServer;
use postgres::TestDatabase;

pub use certificates::{CertificateFolder, Certificates};
pub use port::free_port;
pub use redis::Redis;

const TIMEOUT: Duration = Duration::from_mins(1);

/// Dropped at the end of the test, it takes its database and its server with it.
pub struct TestHost {
    context: Arc<AppContext>,
    // In this order: tasks first, then what they use.
    crews: Mutex<Vec<TaskSet>>,
    rounds: RoundLog,
    database: Option<TestDatabase>,
    nats: NatsServer,
}

/// A part that was started by [`TestHost::run`].
#[derive(Clone, Copy, Debug)]
pub struct Running {
    index: usize,
}

impl TestHost {
    /// With an empty database.
    ///
    /// # Panics
    /// When `TEST_DATABASE_URL` or `NATS_BIN` is missing or does not work: there is no test without them.
    pub async fn start() -> Self {
        Self::start_for(&[]).await
    }

    /// With a database that has the migrated schemas of `services`, so that their start need not migrate.
    ///
    /// # Panics
    /// As [`TestHost::start`].
    pub async fn start_for(services: &[ServiceDefinition]) -> Self {
        let process = Env::from_process();
        let server = required(&process, "TEST_DATABASE_URL");
        Self::start_on(Some(TestDatabase::create(server, services).await)).await
    }

    /// For services that store nothing.
    ///
    /// # Panics
    /// When `NATS_BIN` is missing or does not work.
    pub async fn without_database() -> Self {
        Self::start_on(None).await
    }

    async fn start_on(database: Option<TestDatabase>) -> Self {
        install_tls_provider();
        let nats = NatsServer::start(required(&Env::from_process(), "NATS_BIN"));
        let env = Env::from_pairs([
            ("NATS_URL", nats.url().as_str()),
            ("STILLPOINT_ENV", "development"),
        ]);
        let env = env.with(database.iter().map(|database| ("DATABASE_URL", database.url())));
        let shutdown = CancellationToken::new();
        let bus = connect(&nats.url(), shutdown.clone()).await;
        let context = AppContext {
            clock: Clock::manual(start_time()),
            cache: Cache::default(),
            directory: directory(&env),
            env,
            bus,
            shutdown,
        };
        Self {
            context: Arc::new(context),
            crews: Mutex::default(),
            rounds: RoundLog::default(),
            database,
            nats,
        }
    }

    /// Adds variables; before [`TestHost::run`]. `REDIS_URL` and `CLOCK_BUCKET` take effect as in a real process.
    ///
    /// # Panics
    /// When `REDIS_URL` is no address.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "a test that is set up wrongly should fail there"
    )]
    pub fn with_env<K, V>(mut self, pairs: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: Into<String>,
        V: Into<String>,
    {
        let env = self.context.env.with(pairs);
        let context = AppContext {
            cache: Cache::connect(env.get("REDIS_URL")).expect("REDIS_URL"),
            directory: directory(&env),
            env,
            ..(*self.context).clone()
        };
        if let Some(bucket) = context.env.get("CLOCK_BUCKET") {
            let client = context.bus.client().clone();
            let following = clock::follow(
                context.clock.clone(),
                client,
                bucket.to_owned(),
                context.shutdown.clone(),
            );
            tokio::spawn(following);
        }
        self.context = Arc::new(context);
        self
    }

    pub fn context(&self) -> Arc<AppContext> {
        self.context.clone()
    }

    pub fn clock(&self) -> &Clock {
        &self.context.clock
    }

    /// # Panics
    /// When it was started without a database.
    #[expect(
        clippy::expect_used,
        reason = "a test that is set up wrongly should fail there"
    )]
    pub fn database_url(&self) -> &str {
        self.database.as_ref().expect("a host with a database").url()
    }

    pub fn nats_url(&self) -> String {
        self.nats.url()
    }

    /// Starts the part in this process: its routes answer through the directory and its tasks run. Its calls have its name.
    ///
    /// # Panics
    /// When its settings are wrong or it does not start.
    pub async fn run(&self, part: ServiceDefinition) -> Running {
        self.run_and_serve(part, None).await
    }

    /// As if the process were killed: its tasks stop wherever they are.
    pub async fn kill(&self, running: Running) {
        let tasks = std::mem::take(&mut self.crews()[running.index]);
        tasks.kill().await;
    }

    /// Takes NATS away, leaving its files.
    pub fn stop_nats(&self) {
        self.nats.stop();
    }

    /// Brings NATS back on the same port with the same files.
    pub fn start_nats(&self) {
        self.nats.resume();
    }

    /// The first `n` events whose subject matches `filter`, from the beginning of the stream.
    ///
    /// # Panics
    /// When fewer have come after a minute.
    pub async fn events(&self, filter: &str, n: usize) -> Vec<CloudEvent> {
        let mut events = Vec::new();
        let collecting = async {
            while events.len() < n {
                // A stream or a server that is just coming up.
                if collect(&self.context.bus, filter, n, &mut events).await.is_err() {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        };
        let in_time = tokio::time::timeout(TIMEOUT, collecting).await.is_ok();
        let seen: Vec<_> = events.iter().map(|event| &event.r#type).collect();
        assert!(
            in_time,
            "expected {n} events on `{filter}`, got {}: {seen:?}",
            events.len()
        );
        events
    }

    #[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
    async fn run_and_serve(&self, part: ServiceDefinition, listening: Option<Port>) -> Running {
        let (name, rules) = (part.name, rules(&part));
        let start = match part.read(&self.context.env) {
            Ok(start) => start,
            Err(errors) => panic!("{name} is set up wrongly:\n{errors}"),
        };
        let context = AppContext {
            directory: self.as_caller(name),
            ..(*self.context).clone()
        };
        let mut service = match start(Arc::new(context)).await {
            Ok(service) => service,
            Err(error) => panic!("{name} does not start: {error:#}"),
        };
        let mut tasks = TaskSet::default();
        for task in service.tasks.drain(..) {
            tasks.start(Task::new(task.name, self.rounds.clone().observe(task.future)));
        }
        if let Some(port) = listening {
            let server = GrpcServer::new(&self.context, name, &service, port)
                .await
                .expect("descriptors");
            tasks.start(Task::new("grpc", server.run(self.context.shutdown.clone())));
        }
        self.context
            .directory
            .register_local(name, ServerStack::new(name, rules, service.routes));
        let mut crews = self.crews();
        crews.push(tasks);
        Running {
            index: crews.len() - 1,
        }
    }

    fn crews(&self) -> std::sync::MutexGuard<'_, Vec<TaskSet>> {
        self.crews.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TestHost {
    fn drop(&mut self) {
        self.context.shutdown.cancel();
        self.crews().clear();
    }
}

async fn collect(
    bus: &Bus,
    filter: &str,
    n: usize,
    events: &mut Vec<CloudEvent>,
) -> Result<(), async_nats::Error> {
    events.clear();
    let config = pull::Config {
        ack_policy: AckPolicy::None,
        filter_subject: filter.to_owned(),
        memory_storage: true,
        ..Default::default()
    };
    let consumer = bus.jetstream().create_consumer_on_stream(config, STREAM).await?;
    let mut messages = consumer.messages().await?;
    while events.len() < n {
        let Some(message) = messages.next().await else {
            return Err("the consumer is gone".into());
        };
        events.push(CloudEvent::from_json(&message?.payload)?);
    }
    Ok(())
}

#[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
async fn connect(url: &str, shutdown: CancellationToken) -> Bus {
    let bus = Bus::connect(url, "test", shutdown).await.expect("NATS");
    assert!(
        bus.connected_within(TIMEOUT).await,
        "the NATS server does not answer"
    );
    stream_exists(&bus).await;
    bus
}

/// The bus creates the stream in the background. Without it, the first consumer would fail and retry half a second later.
async fn stream_exists(bus: &Bus) {
    const POLL: Duration = Duration::from_millis(5);
    let exists = async {
        while bus.jetstream().get_stream(STREAM).await.is_err() {
            tokio::time::sleep(POLL).await;
        }
    };
    let in_time = tokio::time::timeout(TIMEOUT, exists).await.is_ok();
    assert!(in_time, "the stream {STREAM} does not exist");
}

fn required<'a>(env: &'a Env, name: &str) -> &'a str {
    match env.get(name) {
        Some(value) => value,
        None => panic!("{name} is not set: run the tests with `make test`, which sets it"),
    }
}

fn start_time() -> DateTime<Utc> {
    const NOON: i64 = 1_795_176_000;
    DateTime::from_timestamp(NOON, 0).unwrap_or_default()
}
