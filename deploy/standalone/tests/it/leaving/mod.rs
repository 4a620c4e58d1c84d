//! A world in which people live, leave and are looked for.
pub mod member;
pub mod traces;

use std::time::Duration;

use kit::testing::{Redis, Running, TestHost};
use reqwest::Response;
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::house::{House, body_of};
use member::Member;

const PATIENCE: Duration = Duration::from_secs(40);

/// All services with their providers' twins.
pub struct World {
    pub house: House,
    pub sandbox: Sandbox,
    pub redis: Redis,
    pub pool: PgPool,
    checkout: Running,
    sessions: Running,
    analytics: Running,
}

impl World {
    pub async fn start() -> Self {
        traces::listen_to_logs();
        let host = TestHost::start().await;
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
        let house = House::over(host, &env, vec![content::definition()]).await;
        let checkout = house.host.run(checkout::definition()).await;
        let sessions = house.host.run(sessions::definition()).await;
        let analytics = house.host.run(analytics::definition()).await;
        sandbox.listen(&format!("{}/webhooks/stripe", house.origin), "whsec_stillpoint");
        Self {
            house,
            sandbox,
            redis,
            pool,
            checkout,
            sessions,
            analytics,
        }
    }

    /// As if every service were killed, and started again.
    pub async fn restart(&mut self) {
        self.house.restart_auth().await;
        for (running, part) in [
            (&mut self.checkout, checkout::definition()),
            (&mut self.sessions, sessions::definition()),
            (&mut self.analytics, analytics::definition()),
        ] {
            self.house.host.kill(*running).await;
            *running = self.house.host.run(part).await;
        }
    }

    pub async fn stop_checkout(&self) {
        self.house.host.kill(self.checkout).await;
    }

    pub async fn start_checkout(&mut self) {
        self.checkout = self.house.host.run(checkout::definition()).await;
    }

    pub async fn leave(&self, member: &Member, password: &str) -> Response {
        let asked = self
            .house
            .post("/api/account/erasure", &json!({"password": password}));
        let asked = asked.header("cookie", &member.session);
        asked.send().await.unwrap()
    }

    pub async fn receipt(&self, left: &Value) -> Value {
        let url = left["receipt_url"].as_str().unwrap();
        body_of(self.house.get(url).send().await.unwrap()).await
    }

    /// The receipt, when everybody is done.
    pub async fn finished(&self, left: &Value) -> Value {
        let finished = tokio::time::timeout(PATIENCE, async {
            loop {
                let receipt = self.receipt(left).await;
                if receipt["state"] == "finished" {
                    return receipt;
                }
                // A job that was put back for a while is looked at now.
                self.hurry().await;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        match finished.await {
            Ok(receipt) => receipt,
            Err(late) => panic!("never finished: {}, {late}", self.receipt(left).await),
        }
    }

    async fn hurry(&self) {
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
        let reached = tokio::time::timeout(PATIENCE, async {
            while self.count(query).await != expected {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        let in_time = reached.await.is_ok();
        assert!(in_time, "{query} is {}, not {expected}", self.count(query).await);
    }
}
