//! Answers that never come.

use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use sandbox::paypal::Buyer;
use sandbox::{Action, Fault};

use super::behaviours::calls;
use super::merchant_renewals;
use super::provider_env::Shop;
use crate::support::subscription_probe::{A_MINUTE, Sold, until, within};

const DAY: TimeDelta = TimeDelta::days(1);

pub async fn lose_answers(provider: Provider, lost: u32, definite_within: TimeDelta) {
    let shop = Shop::open(provider).await;
    let handle = shop.offer().await;
    shop.lose_looks(lost);
    shop.pay(provider, &handle);
    if provider == Provider::Paypal {
        // Nobody could be asked; the page may say it again.
        let _ = shop.link(&handle).await;
        let _ = shop.link(&handle).await;
    }
    shop.paid_once_within(definite_within).await;
}

impl Shop {
    /// What is asked to learn how it went is answered by nobody.
    pub fn lose_looks(&self, lost: u32) {
        let (method, path, _) = calls(self.provider);
        let fault = Fault::on(method, path, Action::DropAfterCommit {});
        self.world.twin.sandbox().faults().add(fault.times(lost));
    }

    async fn paid_once_within(&self, limit: TimeDelta) {
        within(&self.world, limit, async || self.is_active().await).await;
        assert!(self.world.twin.is_sabotaging());
        assert_eq!((self.paid_orders().await, self.refunds().await.len()), (1, 0));
        assert_eq!(self.booked(self.provider).await, self.price().await);
    }

    /// An overdue renewal is tried again, and nobody answers.
    async fn recovers_within_a_minute(&self) {
        until(async || self.world.twin.is_sabotaging()).await;
        assert_eq!(self.status().await, "past_due");
        let is_active = async || self.is_active().await;
        within(&self.world, A_MINUTE, is_active).await;
        self.rest().await;
        assert!(self.refunds().await.is_empty());
        self.world.events("subscription.recovered", 1).await;
        self.world.events("subscription.renewed", 1).await;
    }
}

/// Of PayPal's buyer nobody knows but their page and PayPal.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_tells_and_the_only_look_has_no_answer() {
    for provider in [Provider::Stripe, Provider::Yookassa, Provider::Platron] {
        let shop = Shop::open(provider).await;
        shop.door.close();
        let handle = shop.offer().await;
        shop.lose_looks(1);
        shop.pay(provider, &handle);
        shop.paid_once_within(A_MINUTE).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_takes_their_time_before_they_pay_waits_no_longer_afterwards() {
    for provider in [Provider::Yookassa, Provider::Platron] {
        let shop = Shop::open(provider).await;
        let handle = shop.offer().await;
        for _ in 0..4 {
            shop.world.advance(TimeDelta::minutes(5)).await;
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        }
        shop.lose_looks(1);
        shop.pay(provider, &handle);
        shop.paid_once_within(A_MINUTE).await;
    }
}

async fn lose_a_try(provider: Provider) {
    let shop = renewing::member(provider).await;
    shop.bank_says(Some("insufficient_funds")).await;
    shop.to_the_next_period().await;
    shop.until_it_is("past_due").await;
    shop.rest().await;
    shop.bank_says(None).await;
    shop.door.close();
    shop.sabotage_renewals(Action::DropAfterCommit {}, 1);
    shop.world.advance(DAY + TimeDelta::minutes(1)).await;
    shop.recovers_within_a_minute().await;
    shop.check_taken(2).await;
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
async fn platrons_renewal_whose_first_look_has_no_answer_is_charged_once() {
    let shop = renewing::member(Provider::Platron).await;
    shop.door.close();
    shop.lose_looks(1);
    shop.to_the_next_period().await;
    until(async || shop.world.twin.is_sabotaging()).await;
    let is_renewed = async || shop.world.renewals().await.len() == 1;
    within(&shop.world, A_MINUTE, is_renewed).await;
    shop.rest().await;
    shop.check_taken(2).await;
    shop.world.events("subscription.renewed", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paypals_outstanding_balance_is_taken_once() {
    let shop = Shop::open(Provider::Paypal).await;
    let id = shop.offer().await;
    shop.agree(&id, Buyer::RunningDry);
    shop.until_active().await;
    shop.rest().await;
    shop.to_the_next_period().await;
    shop.until_it_is("past_due").await;
    shop.world.advance(DAY * 6).await;
    shop.rest().await;
    shop.hand_over(&id, Buyer::Rich);
    shop.door.close();
    let capture = "/paypal/v1/billing/subscriptions/*/capture";
    let fault = Fault::on("POST", capture, Action::DropAfterCommit {});
    shop.world.twin.sandbox().faults().add(fault);
    shop.world.advance(DAY * 2).await;
    shop.recovers_within_a_minute().await;
    shop.check_sales(2).await;
}
