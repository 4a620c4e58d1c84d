//! What tests of subscriptions observe and wait for.

use std::time::Duration;

use checkout::domain::payment::renewal::Renewal;
use chrono::TimeDelta;

use crate::support::test_env::TestEnv;

const TIMEOUT: Duration = Duration::from_mins(1);
const STEP: TimeDelta = TimeDelta::seconds(2);
/// For the machine, beside what passes by the buyer's clock.
const OVERTIME: Duration = Duration::from_mins(1);
/// Every unknown payment is resolved by then.
pub const ONE_MINUTE: TimeDelta = TimeDelta::minutes(1);

pub trait SubscriptionProbe {
    async fn renewals(&self) -> Vec<Renewal>;
    /// The number of charges at Stripe.
    async fn charges(&self) -> usize;
    /// In seconds.
    async fn period_end(&self) -> i64;
    async fn cancel_in_dashboard(&self);
    /// At once, in Stripe's dashboard.
    async fn end_in_dashboard(&self);
    /// Waits until Stripe's own retries are switched off.
    async fn until_auto_advance_disabled(&self);
    /// The number of charge attempts at Stripe.
    async fn attempts(&self) -> usize;
    /// The number of subscriptions with a scheduled sync.
    async fn count_due_syncs(&self) -> i64;
    /// Waits until no sync is due.
    async fn until_idle(&self);
}

impl SubscriptionProbe for TestEnv {
    async fn renewals(&self) -> Vec<Renewal> {
        let accounts = self.accounts().await;
        accounts
            .into_iter()
            .flat_map(|account| account.renewals)
            .collect()
    }

    async fn charges(&self) -> usize {
        self.fake_provider.captured_charges().await.len()
    }

    async fn period_end(&self) -> i64 {
        self.subscriptions().await[0].current_period_end.unwrap().seconds
    }

    async fn cancel_in_dashboard(&self) {
        let id = self.fake_provider.subscriptions().await[0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        self.fake_provider
            .change_subscription(&id, &[("cancel_at_period_end", "true")])
            .await;
    }

    async fn end_in_dashboard(&self) {
        let id = self.fake_provider.subscriptions().await[0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        self.fake_provider.end_subscription(&id).await;
    }

    async fn until_auto_advance_disabled(&self) {
        until(async || {
            let held: i64 =
                sqlx::query_scalar("select count(*) from billing_state where auto_advance_disabled")
                    .fetch_one(&self.pool().await)
                    .await
                    .unwrap();
            held == 1
        })
        .await;
    }

    async fn attempts(&self) -> usize {
        self.fake_provider.list("charges?limit=100").await.len()
    }

    async fn until_idle(&self) {
        let pool = self.pool().await;
        let soon = self.host.clock().now() + TimeDelta::minutes(1);
        until(async || {
            let busy: i64 = sqlx::query_scalar("select count(*) from billing_state where due_at <= $1")
                .bind(soon)
                .fetch_one(&pool)
                .await
                .unwrap();
            busy == 0
        })
        .await;
    }

    async fn count_due_syncs(&self) -> i64 {
        sqlx::query_scalar("select count(*) from billing_state where due_at is not null")
            .fetch_one(&self.pool().await)
            .await
            .unwrap()
    }
}

/// Waits for background work to bring it there.
pub async fn until(reached: impl AsyncFn() -> bool) {
    let waiting = async {
        while !reached().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    assert!(
        tokio::time::timeout(TIMEOUT, waiting).await.is_ok(),
        "never reached"
    );
}

/// As the buyer's time goes by, and no longer than that.
pub async fn within(env: &TestEnv, limit: TimeDelta, reached: impl AsyncFn() -> bool) {
    let waiting = async {
        let mut passed = TimeDelta::zero();
        while !reached().await {
            if passed < limit {
                env.advance(STEP).await;
                passed += STEP;
            }
            tokio::time::sleep(Duration::from_millis(150)).await;
        }
    };
    assert!(
        tokio::time::timeout(OVERTIME, waiting).await.is_ok(),
        "not within {limit}: {:?}",
        env.accounts().await
    );
}
