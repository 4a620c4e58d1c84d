//! A running sandbox, for the program and for tests.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use kit::clock::Clock;
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{
    ai::Model,
    app,
    clock::{Bucket, ClockError, VirtualClock},
    courier,
    faults::Faults,
    journal::{Journal, Logged},
    mail::{Inbox, Mail, smtp},
    outbox::Delivery,
    paypal::{self, Paypal},
    platron::{self, Platron},
    server,
    snapshot::{self, Snapshot},
    social::{Clients, Social},
    stripe::{House, Twin},
    world::World,
    yookassa::{self, Yookassa},
};

/// By default: a free port, the system's clock, nothing on disk, no webhooks.
pub struct Options {
    pub addr: SocketAddr,
    /// Where it takes mail.
    pub smtp_addr: SocketAddr,
    /// How browsers reach the sandbox; by default localhost and the port.
    pub public_url: Option<String>,
    /// Shared with whatever the test runs beside the sandbox.
    pub clock: Clock,
    pub secret_key: String,
    pub publishable_key: String,
    pub webhook: Option<Webhook>,
    pub paypal: paypal::Settings,
    pub yookassa: yookassa::Settings,
    pub platron: platron::Settings,
    /// The key of the language model, and how long it thinks between two pieces.
    pub ai_key: String,
    pub ai_pace: Duration,
    /// What the product is known as at Apple, Google and Facebook.
    pub social: Clients,
    pub state_dir: Option<PathBuf>,
    pub bucket: Option<Bucket>,
}

/// Where Stripe's events go from the start.
#[derive(Clone, Debug)]
pub struct Webhook {
    pub url: String,
    pub secret: String,
    /// `*` is every event.
    pub events: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            addr: SocketAddr::from(([127, 0, 0, 1], 0)),
            smtp_addr: SocketAddr::from(([127, 0, 0, 1], 0)),
            public_url: None,
            clock: Clock::system(),
            secret_key: "sk_test_stillpoint".into(),
            publishable_key: "pk_test_stillpoint".into(),
            webhook: None,
            paypal: paypal::Settings::default(),
            yookassa: yookassa::Settings::default(),
            platron: platron::Settings::default(),
            ai_key: "sk-stillpoint".into(),
            ai_pace: Duration::ZERO,
            social: Clients::default(),
            state_dir: None,
            bucket: None,
        }
    }
}

/// Stops when dropped; [`Sandbox::stop`] also waits until its memory is written.
pub struct Sandbox {
    addr: SocketAddr,
    smtp_addr: SocketAddr,
    world: Arc<World>,
    tasks: JoinSet<()>,
    shutdown: CancellationToken,
    _stop_on_drop: DropGuard,
}

impl Sandbox {
    pub async fn start(options: Options) -> anyhow::Result<Self> {
        // Fails only when some other part of the process was quicker, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind(options.addr).await.map_err(|error| {
            anyhow::anyhow!("cannot listen on {}: {error}; set SANDBOX_ADDR", options.addr)
        })?;
        let addr = listener.local_addr()?;
        let mail = TcpListener::bind(options.smtp_addr).await.map_err(|error| {
            anyhow::anyhow!(
                "cannot listen on {}: {error}; set SANDBOX_SMTP_ADDR",
                options.smtp_addr
            )
        })?;
        let smtp_addr = mail.local_addr()?;
        let world = Arc::new(build(&options, addr).await?);

        let shutdown = CancellationToken::new();
        let mut tasks = JoinSet::new();
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        for courier in couriers(&world, &client, &shutdown) {
            tasks.spawn(courier);
        }
        if let Some(directory) = options.state_dir {
            tasks.spawn(snapshot::run(world.clone(), directory, shutdown.clone()));
        }
        tasks.spawn(server::serve(
            listener,
            app::router(world.clone()),
            shutdown.clone(),
        ));
        tasks.spawn(smtp::serve(mail, world.clone(), shutdown.clone()));
        let guard = shutdown.clone().drop_guard();
        Ok(Self {
            addr,
            smtp_addr,
            world,
            tasks,
            shutdown,
            _stop_on_drop: guard,
        })
    }

    /// `http://127.0.0.1:…`, without a slash at the end.
    pub fn base(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// What `STRIPE_API_BASE` is set to.
    pub fn stripe_base(&self) -> String {
        format!("{}/stripe", self.base())
    }

    pub fn stripe(&self) -> &Twin {
        &self.world.twin
    }

    /// What was sent to Stripe with the secret key that Stripe's API does not have.
    pub fn stripe_misuses(&self) -> Vec<String> {
        self.world.twin.misuses()
    }

    /// What `PAYPAL_API_BASE` is set to.
    pub fn paypal_base(&self) -> String {
        format!("{}/paypal", self.base())
    }

    pub fn paypal(&self) -> &Paypal {
        &self.world.paypal
    }

    /// What `YOOKASSA_API_BASE` is set to.
    pub fn yookassa_base(&self) -> String {
        format!("{}/yookassa", self.base())
    }

    pub fn yookassa(&self) -> &Yookassa {
        &self.world.yookassa
    }

    /// What `PLATRON_API_BASE` is set to.
    pub fn platron_base(&self) -> String {
        format!("{}/platron", self.base())
    }

    pub fn platron(&self) -> &Platron {
        &self.world.platron
    }

    /// What `AI_API_BASE` is set to.
    pub fn ai_base(&self) -> String {
        format!("{}/ai/v1", self.base())
    }

    /// What `SMTP_URL` is set to.
    pub fn smtp_url(&self) -> String {
        format!("smtp://{}", self.smtp_addr)
    }

    /// What was mailed, oldest first.
    pub fn mails(&self) -> Vec<Mail> {
        self.world.inbox.list()
    }

    /// The twins of Apple, Google and Facebook.
    pub fn social(&self) -> &Social {
        &self.world.social
    }

    pub fn faults(&self) -> &Faults {
        &self.world.faults
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.world.clock.now()
    }

    /// Moves the virtual clock and does what falls due on the way.
    pub async fn advance(&self, by: TimeDelta) -> Result<(), ClockError> {
        self.world.clock.advance(by).await?;
        self.world.catch_up();
        Ok(())
    }

    /// Sends every later event to this address.
    pub fn listen(&self, url: &str, secret: &str) {
        let webhook = Webhook {
            url: url.to_owned(),
            secret: secret.to_owned(),
            events: vec!["*".to_owned()],
        };
        self.world.twin.listen(&webhook, self.now().timestamp());
    }

    /// What was sent to the sandbox, oldest first.
    pub fn requests(&self) -> Vec<Logged> {
        self.world.journal.list()
    }

    pub fn webhooks(&self) -> Vec<Delivery> {
        self.world.deliveries()
    }

    pub async fn stopped_by(mut self, signal: impl Future<Output = ()>) {
        signal.await;
        self.shutdown.cancel();
        while self.tasks.join_next().await.is_some() {}
    }

    pub async fn stop(self) {
        self.stopped_by(std::future::ready(())).await;
    }
}

type Task = futures::future::BoxFuture<'static, ()>;

/// One for each twin that sends webhooks.
fn couriers(world: &Arc<World>, client: &reqwest::Client, shutdown: &CancellationToken) -> [Task; 4] {
    let (world, client, shutdown) = (|| world.clone(), || client.clone(), || shutdown.clone());
    [
        Box::pin(courier::run(world(), |world| &world.twin, client(), shutdown())),
        Box::pin(courier::run(world(), |world| &world.paypal, client(), shutdown())),
        Box::pin(courier::run(
            world(),
            |world| &world.yookassa,
            client(),
            shutdown(),
        )),
        Box::pin(courier::run(
            world(),
            |world| &world.platron,
            client(),
            shutdown(),
        )),
    ]
}

async fn build(options: &Options, addr: SocketAddr) -> anyhow::Result<World> {
    let saved = match &options.state_dir {
        None => Snapshot::default(),
        Some(directory) => snapshot::load(directory)?,
    };
    options.clock.advance(saved.offset());
    let clock = VirtualClock::open(options.clock.clone(), options.bucket.as_ref()).await?;
    let faults = Arc::new(Faults::default());
    let public_url = options
        .public_url
        .clone()
        .unwrap_or_else(|| format!("http://localhost:{}", addr.port()));
    let social = Social::new(public_url.clone(), options.social.clone());
    let house = House {
        public_url: public_url.clone(),
        secret_key: options.secret_key.clone(),
        publishable_key: options.publishable_key.clone(),
        faults: faults.clone(),
    };
    let twin = Twin::new(house, saved.stripe);
    let paypal = Paypal::open(&public_url, &options.paypal, faults.clone(), saved.paypal);
    let yookassa = Yookassa::open(&public_url, &options.yookassa, faults.clone(), saved.yookassa);
    let platron = Platron::open(&public_url, &options.platron, faults.clone(), saved.platron);
    if let Some(webhook) = &options.webhook {
        twin.listen(webhook, clock.now().timestamp());
    }
    Ok(World {
        clock,
        faults,
        journal: Journal::default(),
        twin,
        paypal,
        yookassa,
        platron,
        model: Model {
            api_key: options.ai_key.clone(),
            pace: options.ai_pace,
        },
        social,
        inbox: Inbox::default(),
    })
}
