//! The charges of merchant-initiated subscriptions at the provider, and the bank's answers to them.

use checkout::domain::provider::Provider;
use chrono::{DateTime, TimeDelta, Utc};
use kit::error::Failure;
use proto::checkout::v1::ChangeSubscriptionRequest;
use proto::checkout::v1::change_subscription_request::Change;
use sandbox::{Action, Fault};

use super::provider_setup::ProviderSetup;
use crate::support::subscription_probe::{SubscriptionProbe, until};
use crate::support::test_env::MEMBER;

/// A moment after the period's end, when it is charged.
const JUST_AFTER: TimeDelta = TimeDelta::minutes(2);

impl ProviderSetup {
    /// How often money was taken, as the provider has it.
    pub fn taken(&self) -> usize {
        let sandbox = self.env.fake_provider.sandbox();
        if self.provider == Provider::Platron {
            let books = sandbox.platron().state();
            let payments = books.payments.newest_first();
            payments
                .filter(|payment| matches!(payment.status.name(), "ok" | "revoked"))
                .count()
        } else {
            let books = sandbox.yookassa().state();
            let payments = books.payments.newest_first();
            payments.filter(|payment| payment.captured.is_some()).count()
        }
    }

    /// What Platron names beside its number where the buyer comes back: ours.
    pub fn platron_reference(&self, payment_id: &str) -> String {
        let sandbox = self.env.fake_provider.sandbox();
        let books = sandbox.platron().state();
        let mut payments = books.payments.newest_first();
        let payment = payments.find(|payment| payment.id == payment_id);
        payment
            .and_then(|payment| payment.order.clone())
            .unwrap_or_default()
    }

    /// How often it was asked for money, the first payment aside.
    pub fn attempts(&self) -> usize {
        let sandbox = self.env.fake_provider.sandbox();
        let all = if self.provider == Provider::Platron {
            sandbox.platron().state().payments.newest_first().count()
        } else {
            sandbox.yookassa().state().payments.newest_first().count()
        };
        // A resolved price opens a page at each provider.
        all - 1
    }

    async fn means(&self) -> String {
        sqlx::query_scalar("select payment_method_id from merchant_schedule")
            .fetch_one(&self.env.pool().await)
            .await
            .unwrap()
    }

    /// The bank's answer to later charges of the saved method: a decline, or `None` for success.
    pub async fn bank_says(&self, refusal: Option<&str>) {
        let (means, sandbox) = (self.means().await, self.env.fake_provider.sandbox());
        if self.provider == Provider::Platron {
            let code = refusal.map(|reason| match reason {
                "insufficient_funds" => 420,
                _ => 365,
            });
            sandbox.platron().set_decline(&means, code).unwrap();
        } else {
            sandbox.yookassa().set_decline(&means, refusal).unwrap();
        }
    }

    /// The open payment will save no payment method.
    pub fn keep_nothing(&self) {
        let sandbox = self.env.fake_provider.sandbox();
        if self.provider == Provider::Platron {
            let mut books = sandbox.platron().state();
            let id = books.payments.newest_first().next().unwrap().id.clone();
            books.payments.get_mut(&id).unwrap().recurring_months = None;
        } else {
            let mut books = sandbox.yookassa().state();
            let id = books.payments.newest_first().next().unwrap().id.clone();
            books.payments.get_mut(&id).unwrap().saves_method = false;
        }
    }

    /// What happens to the next calls that ask for a renewal.
    pub fn sabotage_renewals(&self, action: Action, times: u32) {
        let path = match self.provider {
            Provider::Platron => "/platron/make_recurring_payment.php",
            _ => "/yookassa/v3/payments",
        };
        let fault = Fault::on("POST", path, action).times(times);
        self.env.fake_provider.sandbox().faults().add(fault);
    }

    pub async fn change(&self, change: Change) -> Result<(), Failure> {
        let request = ChangeSubscriptionRequest {
            user_id: MEMBER.into(),
            subscription_id: self.env.subscriptions().await[0].subscription_id.clone(),
            change: Some(change),
        };
        let answered = self.env.checkout.clone().change_subscription(request).await;
        answered.map(drop).map_err(|status| Failure::from_status(&status))
    }

    pub async fn status(&self) -> String {
        self.env.subscriptions().await[0].status.clone()
    }

    pub async fn paid_until(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(self.env.period_end().await, 0).unwrap()
    }

    /// To the moment after what is paid, when the next period is charged.
    pub async fn to_the_next_period(&self) {
        self.env.until_idle().await;
        let end = self.paid_until().await;
        let now = self.env.host.clock().now();
        self.env.advance(end + JUST_AFTER - now).await;
    }

    pub async fn until_renewed(&self, count: usize) {
        let is_renewed = async || self.env.renewals().await.len() == count;
        self.until(&format!("renewed {count} times"), is_renewed).await;
    }

    pub async fn until_it_is(&self, status: &str) {
        self.until(status, async || self.status().await == status).await;
    }

    /// All due webhooks are delivered and all due rows processed.
    pub async fn rest(&self) {
        self.env.until_idle().await;
        for _ in 0..2 {
            until(async || !self.env.fake_provider.sandbox().has_due_webhooks()).await;
            self.env.job_rounds(1).await;
        }
        self.env.until_idle().await;
    }

    /// Captures, ledger postings and events agree.
    pub async fn check_taken(&self, times: usize) {
        assert_eq!(self.taken(), times, "{:?}", self.env.accounts().await);
        let times = i64::try_from(times).unwrap();
        assert_eq!(self.booked(self.provider).await, times * self.price().await);
    }
}
