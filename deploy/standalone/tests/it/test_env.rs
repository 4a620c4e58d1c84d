//! All services in one process with the sandbox's simulated providers and Redis.

use std::time::Duration;

use futures::future::join_all;
use kit::testing::{Redis, Running, TestHost};
use reqwest::Response;
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::erasure::{member::Member, residue};
use crate::stack::{Stack, all_services_host, body_of};

const TIMEOUT: Duration = Duration::from_secs(40);

/// The durable consumers of all services.
const CONSUMERS: [&str; 10] = [
    "auth",
    "auth-refunds",
    "auth-withdrawals",
    "auth-subscriptions",
    "auth-erasure",
    "checkout",
    "checkout-erasure",
    "sessions-erasure",
    "analytics",
    "analytics-erasure",
];

/// Longer than any chain of work: a webhook, a job, an event, a mail.
const PASSES: u32 = 2;

/// All services with their simulated providers.
pub struct TestEnv {
    pub stack: Stack,
    pub sandbox: Sandbox,
    pub redis: Redis,
    pub pool: PgPool,
    checkout: Running,
    sessions: Running,
    analytics: Running,
}

impl TestEnv {
    pub async fn start() -> Self {
        Self::start_on(all_services_host().await).await
    }

    pub async fn start_on(host: TestHost) -> Self {
        residue::capture_logs();
        let sandbox = Sandbox::start(Options {
            clock: host.clock().clone(),
            ..Options::default()
        })
        .await
        .unwrap();
        let redis = Redis::start();
        let env = [
            (
                "CHECKOUT_SEED_DIR",
                concat!(env!("CARGO_MANIFEST_DIR"), "/../seed/campaigns"),
            ),
            ("CHECKOUT_RECONCILE_EVERY_MS", "50"),
            ("CHECKOUT_SESSIONS_BOOKABLE", "true"),
            ("STRIPE_API_BASE", &sandbox.stripe_base()),
            ("CHECKOUT_PROVIDERS", "stripe,paypal,yookassa,platron"),
            ("PAYPAL_API_BASE", &sandbox.paypal_base()),
            ("YOOKASSA_API_BASE", &sandbox.yookassa_base()),
            ("PLATRON_API_BASE", &sandbox.platron_base()),
            ("AI_API_BASE", &sandbox.ai_base()),
            ("SMTP_URL", &sandbox.smtp_url()),
            ("REDIS_URL", &redis.url()),
        ];
        let pool = PgPool::connect(host.database_url()).await.unwrap();
        let stack = Stack::start_on(host, &env, vec![content::definition()]).await;
        let checkout = stack.host.run(checkout::definition()).await;
        let sessions = stack.host.run(sessions::definition()).await;
        let analytics = stack.host.run(analytics::definition()).await;
        sandbox.listen(&format!("{}/webhooks/stripe", stack.origin), "whsec_stillpoint");
        Self {
            stack,
            sandbox,
            redis,
            pool,
            checkout,
            sessions,
            analytics,
        }
    }

    /// Kills all services without a shutdown and starts them again.
    pub async fn restart(&mut self) {
        self.stack.restart_auth().await;
        for (running, definition) in [
            (&mut self.checkout, checkout::definition()),
            (&mut self.sessions, sessions::definition()),
            (&mut self.analytics, analytics::definition()),
        ] {
            self.stack.host.kill(*running).await;
            *running = self.stack.host.run(definition).await;
        }
    }

    pub async fn stop_checkout(&self) {
        self.stack.host.kill(self.checkout).await;
    }

    pub async fn start_checkout(&mut self) {
        self.checkout = self.stack.host.run(checkout::definition()).await;
    }

    pub async fn request_erasure(&self, member: &Member, password: &str) -> Response {
        let asked = self
            .stack
            .post("/api/account/erasure", &json!({"password": password}));
        let asked = asked.header("cookie", &member.session);
        asked.send().await.unwrap()
    }

    pub async fn receipt(&self, confirmation: &Value) -> Value {
        let url = confirmation["receipt_url"].as_str().unwrap();
        body_of(self.stack.get(url).send().await.unwrap()).await
    }

    /// The receipt of a finished erasure.
    pub async fn finished(&self, confirmation: &Value) -> Value {
        let finished = tokio::time::timeout(TIMEOUT, async {
            loop {
                let receipt = self.receipt(confirmation).await;
                if receipt["state"] == "finished" {
                    return receipt;
                }
                // Skips the backoff of jobs.
                self.run_jobs_now().await;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        match finished.await {
            Ok(receipt) => receipt,
            Err(elapsed) => panic!("never finished: {}, {elapsed}", self.receipt(confirmation).await),
        }
    }

    /// Waits until the webhooks that are due now are delivered and checkout has processed its due rows.
    pub async fn checkout_rounds(&self) {
        let delivered = tokio::time::timeout(TIMEOUT, async {
            while self.sandbox.has_due_webhooks() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        assert!(delivered.await.is_ok(), "{:?}", self.sandbox.webhooks());
        join_all(checkout::RECONCILERS.map(|name| self.stack.host.rounds(name, 1))).await;
    }

    /// Waits until all work that is due now is done, with its events and mails.
    pub async fn due_work_done(&self) {
        let host = &self.stack.host;
        for _ in 0..PASSES {
            self.checkout_rounds().await;
            host.published(&["auth", "checkout"]).await;
            host.consumed(&CONSUMERS).await;
            host.rounds("send-mails", 1).await;
        }
    }

    async fn run_jobs_now(&self) {
        for statement in [
            "update auth.erasure_job set next_attempt_at = now()",
            "update checkout.erasure_job set next_attempt_at = now()",
            "update sessions.erasure_job set next_attempt_at = now()",
            "update analytics.erasure_job set next_attempt_at = now()",
        ] {
            sqlx::query(statement).execute(&self.pool).await.unwrap();
        }
    }

    pub async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.pool).await.unwrap()
    }

    pub async fn eventually(&self, query: &'static str, expected: i64) {
        let reached = tokio::time::timeout(TIMEOUT, async {
            while self.count(query).await != expected {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        let in_time = reached.await.is_ok();
        assert!(in_time, "{query} is {}, not {expected}", self.count(query).await);
    }
}
