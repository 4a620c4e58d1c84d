//! The real binary, killed with SIGKILL at the worst moments of a payment and started again: the order ends paid exactly
//! once, with one charge at Stripe and one activation on the stream.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "it/twin.rs"]
mod twin;

use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use checkout::domain::invariants::violations;
use checkout::store::accounts;
use kit::clock::Clock;
use kit::testing::{TestHost, free_port};
use proto::checkout::v1::checkout_service_client::CheckoutServiceClient;
use proto::checkout::v1::{
    CreateSubscriptionRequest, CreateSubscriptionResponse, ListSubscriptionsRequest, ResolveCampaignRequest,
};
use sandbox::Action;
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;
use tokio::task::JoinHandle;
use tonic::transport::{Channel, Endpoint};

use twin::{APPROVED, ASKS_FOR_3DS, Twin};

const MEMBER: &str = "usr_0192f0c0a0007000800000000000000a";
const SEED_DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/campaigns");
const PATIENCE: Duration = Duration::from_secs(30);

struct Scene {
    host: TestHost,
    twin: Twin,
    binary: Option<Child>,
    grpc_port: u16,
}

impl Scene {
    async fn start() -> Self {
        let host = TestHost::start().await;
        let twin = Twin::start(Clock::system()).await;
        let mut scene = Self {
            host,
            twin,
            binary: None,
            grpc_port: free_port(),
        };
        scene.launch().await;
        scene
    }

    async fn launch(&mut self) {
        let child = Command::new(env!("CARGO_BIN_EXE_checkout"))
            .env("DATABASE_URL", self.host.database_url())
            .env("NATS_URL", self.host.nats_url())
            .env("GRPC_ADDR", format!("127.0.0.1:{}", self.grpc_port))
            .env("OPS_ADDR", format!("127.0.0.1:{}", free_port()))
            .env("LOG_LEVEL", "error")
            .env("STRIPE_API_BASE", self.twin.stripe_base())
            .env("CHECKOUT_SEED_DIR", SEED_DIR)
            .env("CHECKOUT_RECONCILE_AFTER_MS", "1500")
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

    fn kill(&mut self) {
        let mut child = self.binary.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn client(&self) -> CheckoutServiceClient<Channel> {
        let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{}", self.grpc_port)).unwrap();
        CheckoutServiceClient::new(endpoint.connect_lazy())
    }

    async fn pool(&self) -> PgPool {
        let options = PgConnectOptions::from_str(self.host.database_url()).unwrap();
        PgPool::connect_with(options.options([("search_path", "checkout")]))
            .await
            .unwrap()
    }

    async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query)
            .fetch_one(&self.pool().await)
            .await
            .unwrap()
    }

    async fn until_charged(&self) {
        until("Stripe has charged", async || {
            self.twin.captured_charges().await.len() == 1
        })
        .await;
    }

    async fn request(&self, number: &str) -> CreateSubscriptionRequest {
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
            payment_method_id: self.twin.card(number).await,
            idempotency_key: "the-click".into(),
            ..Default::default()
        }
    }

    fn pay(&self, request: CreateSubscriptionRequest) -> Pending {
        let mut client = self.client();
        tokio::spawn(async move {
            client
                .create_subscription(request)
                .await
                .map(tonic::Response::into_inner)
        })
    }

    /// Whatever happened, it ends like this.
    async fn check_paid_once(&self, request: CreateSubscriptionRequest) {
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
        assert_eq!(self.twin.captured_charges().await.len(), 1);
        for subject in ["subscription.activated", "order.paid"] {
            self.host
                .events(&format!("stillpoint.checkout.{subject}"), 1)
                .await;
        }
        let told = "select count(*) from outbox where event->>'type' like '%.activated'";
        assert_eq!(self.count(told).await, 1);
        assert_eq!(
            self.on_stream("stillpoint.checkout.subscription.activated").await,
            1
        );
        self.check_rules().await;
    }

    async fn check_rules(&self) {
        let begin = "begin isolation level repeatable read read only";
        let mut snapshot = self.pool().await.begin_with(begin).await.unwrap();
        let accounts = accounts::page(&mut snapshot, None, i64::MAX).await.unwrap();
        assert_eq!(violations(&accounts), []);
    }

    async fn on_stream(&self, subject: &str) -> usize {
        // The relay of the restarted binary would by now have published a second one.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let jetstream = async_nats::jetstream::new(self.host.host().bus.client().clone());
        let stream = jetstream.get_stream("STILLPOINT").await.unwrap();
        let mut subjects = stream.info_with_subjects(subject).await.unwrap();
        let mut count = 0;
        while let Some(entry) = futures::StreamExt::next(&mut subjects).await {
            count += entry.unwrap().1;
        }
        count
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if let Some(mut child) = self.binary.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

type Pending = JoinHandle<Result<CreateSubscriptionResponse, tonic::Status>>;

async fn until(what: &str, mut reached: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !reached().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(
        tokio::time::timeout(PATIENCE, waiting).await.is_ok(),
        "never: {what}"
    );
}

#[tokio::test]
async fn killed_after_the_intent_before_stripe_was_asked_to_charge() {
    let mut scene = Scene::start().await;
    scene
        .twin
        .sabotage("POST", "customers", Action::DelayBefore { ms: 3000 });
    let request = scene.request(APPROVED).await;
    let pending = scene.pay(request.clone());
    until("Stripe is asked for a customer", async || {
        scene.twin.is_sabotaging()
    })
    .await;
    assert_eq!(
        scene
            .count("select count(*) from payment where state = 'intended'")
            .await,
        1
    );
    scene.kill();
    assert!(pending.await.unwrap().is_err());
    assert_eq!(scene.twin.captured_charges().await.len(), 0);

    scene.launch().await;
    scene.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_while_stripe_is_about_to_charge() {
    let mut scene = Scene::start().await;
    scene
        .twin
        .sabotage("POST", "subscriptions", Action::DelayBefore { ms: 4000 });
    let request = scene.request(APPROVED).await;
    let pending = scene.pay(request.clone());
    until("Stripe is asked to charge", async || scene.twin.is_sabotaging()).await;
    scene.kill();
    assert!(pending.await.unwrap().is_err());

    scene.launch().await;
    scene.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_after_stripe_charged_before_its_answer_arrived() {
    let mut scene = Scene::start().await;
    scene
        .twin
        .sabotage("POST", "subscriptions", Action::DelayAfterCommit { ms: 5000 });
    let request = scene.request(APPROVED).await;
    let pending = scene.pay(request.clone());
    scene.until_charged().await;
    scene.kill();
    assert!(pending.await.unwrap().is_err());
    assert_eq!(
        scene
            .count("select count(*) from orders where state = 'paid'")
            .await,
        0
    );

    scene.launch().await;
    scene.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_between_stripes_answer_and_our_commit() {
    let mut scene = Scene::start().await;
    scene
        .twin
        .sabotage("POST", "subscriptions", Action::DelayAfterCommit { ms: 3000 });
    let request = scene.request(APPROVED).await;
    let mut blocker = scene.pool().await.begin().await.unwrap();
    let pending = scene.pay(request.clone());
    until("Stripe is asked to charge", async || scene.twin.is_sabotaging()).await;
    sqlx::query("lock table orders in exclusive mode")
        .execute(&mut *blocker)
        .await
        .unwrap();
    scene.until_charged().await;
    until("the settlement waits for the lock", async || {
        scene
            .count(
                "select count(*) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock' and query like '%for update'",
            )
            .await
            > 0
    })
    .await;
    scene.kill();
    assert!(pending.await.unwrap().is_err());
    blocker.rollback().await.unwrap();
    assert_eq!(
        scene
            .count("select count(*) from orders where state = 'paid'")
            .await,
        0
    );

    scene.launch().await;
    scene.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_after_3d_secure_with_the_webhook_never_coming() {
    let mut scene = Scene::start().await;
    let request = scene.request(ASKS_FOR_3DS).await;
    let asked = scene.pay(request.clone()).await.unwrap().unwrap();
    assert_eq!(asked.payment_status, "requires_action");
    scene.kill();
    scene
        .twin
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    scene.until_charged().await;

    scene.launch().await;
    scene.check_paid_once(request).await;
}

#[tokio::test]
async fn killed_after_stripe_gave_back_before_its_answer_arrived() {
    let mut scene = Scene::start().await;
    let request = scene.request(APPROVED).await;
    scene.pay(request.clone()).await.unwrap().unwrap();
    scene
        .twin
        .sabotage("POST", "refunds", Action::DelayAfterCommit { ms: 5000 });
    let order = "select 'ord_' || replace(order_id::text, '-', '') from orders";
    let order: String = sqlx::query_scalar(order)
        .fetch_one(&scene.pool().await)
        .await
        .unwrap();
    let asked = Command::new(env!("CARGO_BIN_EXE_checkout"))
        .args(["refund", order.as_str(), "--ticket", "T-1"])
        .env("CHECKOUT_DATABASE_URL", scene.host.database_url())
        .status();
    assert!(asked.unwrap().success());
    until("Stripe has given back", async || {
        scene.twin.list("refunds?limit=100").await.len() == 1
    })
    .await;
    scene.kill();
    scene.check_rules().await;
    let given = "select count(*) from refund where state = 'succeeded'";
    assert_eq!(scene.count(given).await, 0);

    scene.launch().await;
    until("the refund is known to be given", async || {
        scene.count(given).await == 1
    })
    .await;
    assert_eq!(scene.twin.list("refunds?limit=100").await.len(), 1);
    scene.host.events("stillpoint.checkout.refund.succeeded", 1).await;
    scene.check_paid_once(request).await;
}
