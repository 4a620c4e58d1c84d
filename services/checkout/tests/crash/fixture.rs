//! The real binary on its own database, stream and simulated providers, to be killed and started again.

use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use checkout::domain::invariants::violations;
use checkout::store::order::order_aggregates;
use kit::clock::Clock;
use kit::outbox::{self, NewEvent};
use kit::testing::{CertificateFolder, Certificates, TestHost, free_port};
use proto::checkout::v1::checkout_service_client::CheckoutServiceClient;
use proto::checkout::v1::{
    CreateSubscriptionRequest, CreateSubscriptionResponse, ListSubscriptionsRequest, ResolveCampaignRequest,
};
use proto::events::Event;
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use tonic::transport::Channel;

use crate::fake_provider::FakeProvider;

pub const MEMBER: &str = "usr_0192f0c0a0007000800000000000000a";
const SEED_DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/campaigns");
const TIMEOUT: Duration = Duration::from_mins(1);

pub struct Fixture {
    pub host: TestHost,
    /// Opened by the first query; it outlives the binary.
    pool: OnceCell<PgPool>,
    pub fake_provider: FakeProvider,
    binary: Option<Child>,
    certificates: CertificateFolder,
    grpc_port: u16,
    reconcile_after_ms: &'static str,
    /// The enabled providers, and the public URL for their webhooks.
    providers: &'static str,
    public_url: String,
}

impl Fixture {
    pub async fn start() -> Self {
        Self::patient("1500").await
    }

    /// The age in milliseconds at which the reconciler resolves a payment without an outcome.
    pub async fn patient(reconcile_after_ms: &'static str) -> Self {
        Self::with(reconcile_after_ms, "stripe", "http://127.0.0.1:9").await
    }

    pub async fn with(reconcile_after_ms: &'static str, providers: &'static str, public_url: &str) -> Self {
        let host = TestHost::start_for(&[checkout::definition()]).await;
        let fake_provider = FakeProvider::start(Clock::system()).await;
        let mut fixture = Self {
            host,
            pool: OnceCell::new(),
            fake_provider,
            binary: None,
            certificates: CertificateFolder::new(&Certificates::shared().pem("checkout")),
            grpc_port: free_port(),
            reconcile_after_ms,
            providers,
            public_url: public_url.to_owned(),
        };
        fixture.launch().await;
        fixture
    }

    pub async fn launch(&mut self) {
        let child = Command::new(env!("CARGO_BIN_EXE_checkout"))
            .env("STILLPOINT_ENV", "development")
            .env("DATABASE_URL", self.host.database_url())
            .env("NATS_URL", self.host.nats_url())
            .env("GRPC_ADDR", format!("127.0.0.1:{}", self.grpc_port))
            .envs(self.certificates.env())
            .env("OPS_ADDR", format!("127.0.0.1:{}", free_port()))
            .env("LOG_LEVEL", "error")
            .env("STRIPE_API_BASE", self.fake_provider.stripe_base())
            .env("CHECKOUT_PROVIDERS", self.providers)
            .env("PAYPAL_API_BASE", self.fake_provider.sandbox().paypal_base())
            .env("YOOKASSA_API_BASE", self.fake_provider.sandbox().yookassa_base())
            .env("PLATRON_API_BASE", self.fake_provider.sandbox().platron_base())
            .env("PUBLIC_URL", &self.public_url)
            .env("CHECKOUT_SEED_DIR", SEED_DIR)
            // All buyers here have the same card.
            .env("CHECKOUT_FREE_TRIALS_PER_CARD", "1000000")
            .env("CHECKOUT_SESSIONS_BOOKABLE", "true")
            .env("CHECKOUT_RECONCILE_AFTER_MS", self.reconcile_after_ms)
            .env("CHECKOUT_RECONCILE_EVERY_MS", "100")
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        self.binary = Some(child);
        let request = ListSubscriptionsRequest {
            user_id: MEMBER.into(),
        };
        until("checkout answers", async || {
            self.client().list_subscriptions(request.clone()).await.is_ok()
        })
        .await;
    }

    /// Kills it while a caller waits for its answer; [`Self::kill`] then reaps it.
    pub fn send_sigkill(&self) {
        let pid = self.binary.as_ref().unwrap().id().to_string();
        let struck = Command::new("kill").args(["-9", &pid]).status().unwrap();
        assert!(struck.success());
    }

    pub fn kill(&mut self) {
        let mut child = self.binary.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// As the gateway.
    pub fn client(&self) -> CheckoutServiceClient<Channel> {
        let address = format!("https://127.0.0.1:{}", self.grpc_port);
        CheckoutServiceClient::new(Certificates::shared().channel("gateway", "checkout", &address))
    }

    pub async fn pool(&self) -> PgPool {
        let open = async || {
            let options = PgConnectOptions::from_str(self.host.database_url()).unwrap();
            PgPool::connect_with(options.options([("search_path", "checkout")]))
                .await
                .unwrap()
        };
        self.pool.get_or_init(open).await.clone()
    }

    pub async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query)
            .fetch_one(&self.pool().await)
            .await
            .unwrap()
    }

    pub async fn until_charged(&self) {
        until("Stripe has charged", async || {
            self.fake_provider.captured_charges().await.len() == 1
        })
        .await;
    }

    pub async fn request(&self, number: &str) -> CreateSubscriptionRequest {
        let ask = ResolveCampaignRequest {
            campaign: "web-monthly".into(),
            language: "en".into(),
            ..Default::default()
        };
        let offer = self
            .client()
            .resolve_campaign(ask)
            .await
            .unwrap()
            .into_inner()
            .offer
            .unwrap();
        CreateSubscriptionRequest {
            user_id: MEMBER.into(),
            email: "buyer@example.com".into(),
            price_id: offer.price_id,
            payment_method_id: self.fake_provider.card(number).await,
            idempotency_key: "the-click".into(),
            ..Default::default()
        }
    }

    pub fn pay(&self, request: CreateSubscriptionRequest) -> Pending {
        let mut client = self.client();
        tokio::spawn(async move {
            client
                .create_subscription(request)
                .await
                .map(tonic::Response::into_inner)
        })
    }

    /// The expected end state after any crash.
    pub async fn check_paid_once(&self, request: CreateSubscriptionRequest) {
        let list = ListSubscriptionsRequest {
            user_id: MEMBER.into(),
        };
        until("the subscription is active", async || {
            let listed = self
                .client()
                .list_subscriptions(list.clone())
                .await
                .unwrap()
                .into_inner()
                .subscriptions;
            listed
                .first()
                .is_some_and(|subscription| subscription.status == "active")
        })
        .await;
        let again = self.pay(request).await.unwrap().unwrap();
        assert_eq!(
            again.payment_status, "succeeded",
            "the buyer who clicks again is not charged again"
        );

        assert_eq!(
            self.count("select count(*) from orders where state = 'paid'")
                .await,
            1
        );
        assert_eq!(self.count("select count(*) from orders").await, 1);
        assert_eq!(self.fake_provider.captured_charges().await.len(), 1);
        for subject in ["subscription.activated", "order.paid"] {
            self.host
                .events(&format!("stillpoint.checkout.{subject}"), 1)
                .await;
        }
        let query = "select count(*) from outbox where event->>'type' like '%.activated'";
        assert_eq!(self.count(query).await, 1);
        assert_eq!(
            self.count_on_stream("stillpoint.checkout.subscription.activated")
                .await,
            1
        );
        self.check_invariants().await;
    }

    pub async fn check_invariants(&self) {
        let mut snapshot = kit::database::begin_snapshot(&self.pool().await).await.unwrap();
        let accounts = order_aggregates::page(&mut snapshot, None, i64::MAX)
            .await
            .unwrap();
        assert_eq!(violations(&accounts), []);
    }

    /// The number of events of the subject, once the outbox is empty.
    pub async fn count_on_stream(&self, subject: &str) -> usize {
        // A duplicate of the restarted binary's relay is on the stream before a row written later.
        let mut tx = kit::database::begin(&self.pool().await).await.unwrap();
        let marker = NewEvent::new("marker", &Marker {}).unwrap();
        outbox::append(&mut tx, self.host.clock(), marker).await.unwrap();
        tx.commit().await.unwrap();
        self.host.published(&["checkout"]).await;
        let jetstream = async_nats::jetstream::new(self.host.context().bus.client().clone());
        let stream = jetstream.get_stream("STILLPOINT").await.unwrap();
        let mut subjects = stream.info_with_subjects(subject).await.unwrap();
        let mut count = 0;
        while let Some(entry) = futures::StreamExt::next(&mut subjects).await {
            count += entry.unwrap().1;
        }
        count
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if let Some(mut child) = self.binary.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// An event without consumers.
#[derive(serde::Serialize)]
struct Marker {}

impl Event for Marker {
    const SUBJECT: &'static str = "stillpoint.checkout.marker.written";
}

pub type Pending = JoinHandle<Result<CreateSubscriptionResponse, tonic::Status>>;

pub async fn until(what: &str, mut reached: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !reached().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(
        tokio::time::timeout(TIMEOUT, waiting).await.is_ok(),
        "never: {what}"
    );
}
