//! Lost answers of providers.

use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use sandbox::paypal::Buyer;
use sandbox::{Action, Fault};

use super::behaviours::calls;
use super::merchant_renewals;
use super::provider_setup::ProviderSetup;
use crate::support::subscription_probe::{ONE_MINUTE, SubscriptionProbe, until, within};

const DAY: TimeDelta = TimeDelta::days(1);

pub async fn lose_answers(provider: Provider, lost: u32, definite_within: TimeDelta) {
    let setup = ProviderSetup::open(provider).await;
    let handle = setup.offer().await;
    setup.lose_looks(lost);
    setup.pay(provider, &handle);
    if provider == Provider::Paypal {
        // The provider was unreachable; the page can repeat its request.
        let _ = setup.link(&handle).await;
        let _ = setup.link(&handle).await;
    }
    setup.paid_once_within(definite_within).await;
}

impl ProviderSetup {
    /// Queries for the outcome fail too.
    pub fn lose_looks(&self, lost: u32) {
        let (method, path, _) = calls(self.provider);
        let fault = Fault::on(method, path, Action::DropAfterCommit {});
        self.env.fake_provider.sandbox().faults().add(fault.times(lost));
    }

    async fn paid_once_within(&self, limit: TimeDelta) {
        within(&self.env, limit, async || self.is_active().await).await;
        assert!(self.env.fake_provider.is_fault_active());
        assert_eq!((self.paid_orders().await, self.refunds().await.len()), (1, 0));
        assert_eq!(self.booked(self.provider).await, self.price().await);
    }

    /// An overdue renewal is retried, and the answer is lost.
    async fn recovers_within_a_minute(&self) {
        until(async || self.env.fake_provider.is_fault_active()).await;
        assert_eq!(self.status().await, "past_due");
        let is_active = async || self.is_active().await;
        within(&self.env, ONE_MINUTE, is_active).await;
        self.rest().await;
        assert!(self.refunds().await.is_empty());
        self.env.events("subscription.recovered", 1).await;
        self.env.events("subscription.renewed", 1).await;
    }
}

/// Only the page and PayPal have the payment.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_webhook_and_failed_poll_are_recovered() {
    for provider in [Provider::Stripe, Provider::Yookassa, Provider::Platron] {
        let setup = ProviderSetup::open(provider).await;
        setup.proxy.close();
        let handle = setup.offer().await;
        setup.lose_looks(1);
        setup.pay(provider, &handle);
        setup.paid_once_within(ONE_MINUTE).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_payment_with_a_failed_poll_is_resolved_within_a_minute() {
    for provider in [Provider::Yookassa, Provider::Platron] {
        let setup = ProviderSetup::open(provider).await;
        let handle = setup.offer().await;
        for _ in 0..4 {
            setup.env.advance(TimeDelta::minutes(5)).await;
            setup.rest().await;
        }
        setup.lose_looks(1);
        setup.pay(provider, &handle);
        setup.paid_once_within(ONE_MINUTE).await;
    }
}

async fn lose_a_try(provider: Provider) {
    let setup = merchant_renewals::member(provider).await;
    setup.bank_says(Some("insufficient_funds")).await;
    setup.to_the_next_period().await;
    setup.until_it_is("past_due").await;
    setup.rest().await;
    setup.bank_says(None).await;
    setup.proxy.close();
    setup.sabotage_renewals(Action::DropAfterCommit {}, 1);
    setup.env.advance(DAY + TimeDelta::minutes(1)).await;
    setup.recovers_within_a_minute().await;
    setup.check_taken(2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn yookassas_overdue_renewal_is_charged_once() {
    lose_a_try(Provider::Yookassa).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn platrons_overdue_renewal_is_charged_once() {
    lose_a_try(Provider::Platron).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn platrons_renewal_with_a_failed_poll_is_charged_once() {
    let setup = merchant_renewals::member(Provider::Platron).await;
    setup.proxy.close();
    setup.lose_looks(1);
    setup.to_the_next_period().await;
    until(async || setup.env.fake_provider.is_fault_active()).await;
    let is_renewed = async || setup.env.renewals().await.len() == 1;
    within(&setup.env, ONE_MINUTE, is_renewed).await;
    setup.rest().await;
    setup.check_taken(2).await;
    setup.env.events("subscription.renewed", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paypals_outstanding_balance_is_captured_once() {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    let id = setup.offer().await;
    setup.agree(&id, Buyer::RunningDry);
    setup.until_active().await;
    setup.rest().await;
    setup.to_the_next_period().await;
    setup.until_it_is("past_due").await;
    setup.env.advance(DAY * 6).await;
    setup.rest().await;
    setup.hand_over(&id, Buyer::Rich);
    setup.proxy.close();
    let capture = "/paypal/v1/billing/subscriptions/*/capture";
    let fault = Fault::on("POST", capture, Action::DropAfterCommit {});
    setup.env.fake_provider.sandbox().faults().add(fault);
    setup.env.advance(DAY * 2).await;
    setup.recovers_within_a_minute().await;
    setup.check_sales(2).await;
}
