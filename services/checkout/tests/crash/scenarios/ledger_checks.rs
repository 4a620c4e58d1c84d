//! Compares the providers' balances with the ledger.

use serde_json::Value;

use super::Sweep;
use super::outcome::Outcome;

const SECRET_KEY: &str = "sk_test_stillpoint";

impl Sweep {
    pub async fn found(&self) -> Outcome {
        let subscriptions = self.at_stripe("subscriptions?limit=100&status=all").await;
        Outcome {
            orders: self.points.count("select count(*) from orders").await,
            paid: self
                .points
                .count("select count(*) from payment where kind = 'initial' and state = 'succeeded' and captured_minor > 0")
                .await,
            paid_events: self.count_emitted("%.order.paid").await,
            taken: self.taken().await,
            renewed_events: self.count_emitted("%subscription.renewed").await,
            recovered_events: self.count_emitted("%subscription.recovered").await,
            refunds: self.points.count("select count(*) from refund").await,
            given_back: self.given_back().await,
            refund_events: self.count_emitted("%refund.succeeded").await,
            subscriptions: subscriptions.len(),
            done: self.points.count(self.scenario.done()).await,
        }
    }

    async fn count_emitted(&self, what: &str) -> usize {
        let count: i64 = sqlx::query_scalar("select count(*) from outbox where event->>'type' like $1")
            .bind(what)
            .fetch_one(&self.pool)
            .await
            .unwrap();
        usize::try_from(count).unwrap()
    }

    /// By any provider.
    async fn taken(&self) -> usize {
        let charges = self.at_stripe("charges?limit=100").await;
        let at_stripe = charges
            .iter()
            .filter(|charge| charge["status"] == "succeeded")
            .count();
        let sandbox = self.fixture.fake_provider.sandbox();
        let yookassa = sandbox.yookassa().state();
        let payments = yookassa.payments.newest_first();
        let at_yookassa = payments.filter(|payment| payment.captured.is_some()).count();
        let platron = sandbox.platron().state();
        let payments = platron.payments.newest_first();
        let at_platron = payments
            .filter(|payment| matches!(payment.status.name(), "ok" | "revoked"))
            .count();
        at_stripe + at_yookassa + at_platron + sandbox.paypal().state().sales.len()
    }

    async fn given_back(&self) -> usize {
        let at_stripe = self.at_stripe("refunds?limit=100").await.len();
        let sandbox = self.fixture.fake_provider.sandbox();
        let platron = sandbox.platron().state();
        let payments = platron.payments.newest_first();
        let at_platron = payments.filter(|payment| payment.refunded > 0).count();
        let others = sandbox.yookassa().state().refunds.len() + sandbox.paypal().state().refunds.len();
        at_stripe + at_platron + others
    }

    async fn at_stripe(&self, list: &str) -> Vec<Value> {
        let asked = self.http.get(self.stripe(list)).bearer_auth(SECRET_KEY);
        let shown: Value = asked.send().await.unwrap().json().await.unwrap();
        shown["data"].as_array().unwrap().clone()
    }
}
