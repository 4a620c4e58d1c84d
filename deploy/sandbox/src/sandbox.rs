//! A running sandbox, for the program and for tests.

mod router;
mod snapshot;

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use kit::clock::Clock;
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{
    ai::LanguageModel,
    engine::{
        environment::Environment,
        faults::Faults,
        http::server,
        request_log::{LoggedRequest, RequestLog},
        simulator::{Provider, Simulator},
        virtual_clock::{Bucket, ClockError, VirtualClock},
        webhook_dispatcher,
        webhooks::queue::Delivery,
    },
    mail::{Inbox, Mail, smtp_server},
    paypal::{self, Paypal},
    platron::{self, Platron},
    simulators::Simulators,
    social::{Clients, Social},
    stripe::{self, Stripe, Webhook},
    yookassa::{self, Yookassa},
};
use snapshot::Snapshot;

/// By default: a free port, the system's clock, nothing on disk, no webhooks.
pub struct Options {
    pub addr: SocketAddr,
    /// The address of the SMTP server.
    pub smtp_addr: SocketAddr,
    /// The base URL for browsers; by default localhost and the port.
    pub public_url: Option<String>,
    /// Shared with the services under test.
    pub clock: Clock,
    pub stripe: stripe::Settings,
    pub paypal: paypal::Settings,
    pub yookassa: yookassa::Settings,
    pub platron: platron::Settings,
    /// The key of the language model, and its delay between two chunks.
    pub ai_key: String,
    pub ai_pace: Duration,
    /// The product's credentials at Apple, Google and Facebook.
    pub social: Clients,
    pub state_dir: Option<PathBuf>,
    pub bucket: Option<Bucket>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            addr: SocketAddr::from(([127, 0, 0, 1], 0)),
            smtp_addr: SocketAddr::from(([127, 0, 0, 1], 0)),
            public_url: None,
            clock: Clock::system(),
            stripe: stripe::Settings::default(),
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

/// Stops when dropped; [`Sandbox::stop`] also waits until the snapshot is written.
pub struct Sandbox {
    addr: SocketAddr,
    smtp_addr: SocketAddr,
    simulators: Arc<Simulators>,
    tasks: JoinSet<()>,
    shutdown: CancellationToken,
    _stop_on_drop: DropGuard,
}

impl Sandbox {
    pub async fn start(options: Options) -> anyhow::Result<Self> {
        // Fails if the process has installed a provider already.
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
        let simulators = Arc::new(build(&options, addr).await?);

        let shutdown = CancellationToken::new();
        let mut tasks = JoinSet::new();
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        for dispatcher in dispatchers(&simulators, &client, &shutdown) {
            tasks.spawn(dispatcher);
        }
        if let Some(directory) = options.state_dir {
            tasks.spawn(snapshot::run(simulators.clone(), directory, shutdown.clone()));
        }
        tasks.spawn(server::serve(
            listener,
            router::router(&simulators),
            shutdown.clone(),
        ));
        tasks.spawn(smtp_server::serve(
            mail,
            simulators.inbox.clone(),
            shutdown.clone(),
        ));
        let guard = shutdown.clone().drop_guard();
        Ok(Self {
            addr,
            smtp_addr,
            simulators,
            tasks,
            shutdown,
            _stop_on_drop: guard,
        })
    }

    /// `http://127.0.0.1:…`, without a slash at the end.
    pub fn base(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// For `STRIPE_API_BASE`.
    pub fn stripe_base(&self) -> String {
        format!("{}/stripe", self.base())
    }

    pub fn stripe(&self) -> &Stripe {
        &self.simulators.stripe
    }

    /// Requests with the secret key that Stripe's API would reject as unknown or malformed.
    pub fn unsupported_stripe_requests(&self) -> Vec<String> {
        self.simulators.stripe.unsupported_requests()
    }

    /// For `PAYPAL_API_BASE`.
    pub fn paypal_base(&self) -> String {
        format!("{}/paypal", self.base())
    }

    pub fn paypal(&self) -> &Paypal {
        &self.simulators.paypal
    }

    /// For `YOOKASSA_API_BASE`.
    pub fn yookassa_base(&self) -> String {
        format!("{}/yookassa", self.base())
    }

    pub fn yookassa(&self) -> &Yookassa {
        &self.simulators.yookassa
    }

    /// For `PLATRON_API_BASE`.
    pub fn platron_base(&self) -> String {
        format!("{}/platron", self.base())
    }

    pub fn platron(&self) -> &Platron {
        &self.simulators.platron
    }

    /// For `AI_API_BASE`.
    pub fn ai_base(&self) -> String {
        format!("{}/ai/v1", self.base())
    }

    /// For `SMTP_URL`.
    pub fn smtp_url(&self) -> String {
        format!("smtp://{}", self.smtp_addr)
    }

    /// Received mails, oldest first.
    pub fn mails(&self) -> Vec<Mail> {
        self.simulators.inbox.list()
    }

    pub fn social(&self) -> &Social {
        &self.simulators.social
    }

    pub fn faults(&self) -> &Faults {
        &self.simulators.environment.faults
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.simulators.environment.clock.now()
    }

    /// Advances the virtual clock and fires the timers on the way.
    pub async fn advance(&self, by: TimeDelta) -> Result<(), ClockError> {
        self.simulators.environment.clock.advance(by).await?;
        self.simulators.catch_up();
        Ok(())
    }

    /// Sends every later Stripe event to this URL.
    pub fn listen(&self, url: &str, secret: &str) {
        let webhook = Webhook {
            url: url.to_owned(),
            secret: secret.to_owned(),
            events: vec!["*".to_owned()],
        };
        self.simulators.stripe.listen(&webhook, self.now().timestamp());
    }

    /// Logged API requests, oldest first.
    pub fn requests(&self) -> Vec<LoggedRequest> {
        self.simulators.environment.request_log.list()
    }

    pub fn webhooks(&self) -> Vec<Delivery> {
        self.simulators.deliveries()
    }

    /// Whether a webhook is in flight, or due and not yet sent.
    pub fn has_due_webhooks(&self) -> bool {
        let now = self.now().timestamp();
        self.webhooks().iter().any(|delivery| delivery.is_due(now))
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

/// One dispatcher per provider that sends webhooks.
fn dispatchers(simulators: &Simulators, client: &reqwest::Client, shutdown: &CancellationToken) -> [Task; 4] {
    [
        dispatcher_of(&simulators.stripe, client, shutdown),
        dispatcher_of(&simulators.paypal, client, shutdown),
        dispatcher_of(&simulators.yookassa, client, shutdown),
        dispatcher_of(&simulators.platron, client, shutdown),
    ]
}

fn dispatcher_of<P: Provider>(
    simulator: &Arc<Simulator<P>>,
    client: &reqwest::Client,
    shutdown: &CancellationToken,
) -> Task {
    Box::pin(webhook_dispatcher::run(
        simulator.clone(),
        client.clone(),
        shutdown.clone(),
    ))
}

async fn build(options: &Options, addr: SocketAddr) -> anyhow::Result<Simulators> {
    let saved = match &options.state_dir {
        None => Snapshot::default(),
        Some(directory) => snapshot::load(directory)?,
    };
    options.clock.advance(saved.offset());
    let environment = Arc::new(Environment {
        clock: VirtualClock::open(options.clock.clone(), options.bucket.as_ref()).await?,
        faults: Faults::default(),
        request_log: RequestLog::default(),
    });
    let public_url = options
        .public_url
        .clone()
        .unwrap_or_else(|| format!("http://localhost:{}", addr.port()));
    let shared = || environment.clone();
    let stripe = Stripe::open(&public_url, &options.stripe, shared(), saved.stripe);
    let paypal = Paypal::open(&public_url, &options.paypal, shared(), saved.paypal);
    let yookassa = Yookassa::open(&public_url, &options.yookassa, shared(), saved.yookassa);
    let platron = Platron::open(&public_url, &options.platron, shared(), saved.platron);
    let model = LanguageModel {
        environment: shared(),
        api_key: options.ai_key.clone(),
        pace: options.ai_pace,
    };
    let social = Social::new(shared(), public_url, options.social.clone());
    Ok(Simulators {
        stripe: Arc::new(stripe),
        paypal: Arc::new(paypal),
        yookassa: Arc::new(yookassa),
        platron: Arc::new(platron),
        model: Arc::new(model),
        inbox: Arc::new(Inbox::new(shared())),
        social: Arc::new(social),
        environment,
    })
}
