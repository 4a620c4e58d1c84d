//! The environment of one test: checkout on its own database and NATS, the simulated providers, and one virtual clock.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::time::Duration;

use checkout::domain::invariants::{OrderAggregate, violations};
use checkout::domain::ledger::LedgerAccount;
use checkout::domain::order::OrderState;
use checkout::domain::provider::Provider::Stripe;
use checkout::store::order::order_aggregates;
use chrono::TimeDelta;
use futures::future::join_all;
use hmac::{Hmac, KeyInit, Mac};
use kit::bus::CloudEvent;
use kit::error::Failure;
use kit::rpc::Rpc;
use kit::testing::TestHost;
use proto::checkout::v1::checkout_service_client::CheckoutServiceClient;
use proto::checkout::v1::{
    CreateSubscriptionRequest, CreateSubscriptionResponse, ListSubscriptionsRequest, Offer, Provider,
    ReceiveWebhookRequest, ResolveCampaignRequest, ResolveCampaignResponse, Subscription,
};
use serde_json::Value;
use sha2::Sha256;
use sqlx::postgres::{PgConnectOptions, PgPool};
use tokio::sync::OnceCell;

use crate::support::fake_provider::FakeProvider;

pub const SEED_DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/campaigns");
pub const MEMBER: &str = "usr_0192f0c0a0007000800000000000000a";
pub const TIMEOUT: Duration = Duration::from_mins(1);

pub struct TestEnv {
    pub host: TestHost,
    /// Opened by the first query.
    pool: OnceCell<PgPool>,
    pub fake_provider: FakeProvider,
    pub checkout: CheckoutServiceClient<Rpc>,
}

impl TestEnv {
    pub async fn start() -> Self {
        Self::start_with([]).await
    }

    pub async fn start_with<const N: usize>(variables: [(&str, &str); N]) -> Self {
        let host = TestHost::start_for(&[checkout::definition()]).await;
        let fake_provider = FakeProvider::start(host.clock().clone()).await;
        let host = host
            .with_env([
                ("CHECKOUT_SEED_DIR", SEED_DIR),
                ("CHECKOUT_RECONCILE_EVERY_MS", "50"),
                ("CHECKOUT_SESSIONS_BOOKABLE", "true"),
                ("STRIPE_API_BASE", &fake_provider.stripe_base()),
                ("PAYPAL_API_BASE", &fake_provider.sandbox().paypal_base()),
                ("YOOKASSA_API_BASE", &fake_provider.sandbox().yookassa_base()),
                ("PLATRON_API_BASE", &fake_provider.sandbox().platron_base()),
            ])
            .with_env(variables);
        host.run(checkout::definition()).await;
        let checkout = CheckoutServiceClient::new(host.context().directory.client("checkout"));
        Self {
            host,
            pool: OnceCell::new(),
            fake_provider,
            checkout,
        }
    }

    pub async fn offer(&self, campaign: &str, coupon_code: &str, language: &str) -> Offer {
        self.resolve(campaign, coupon_code, language)
            .await
            .unwrap()
            .offer
            .unwrap()
    }

    /// Resolves a campaign for a member in Turkey.
    pub async fn resolve(
        &self,
        campaign: &str,
        coupon_code: &str,
        language: &str,
    ) -> Result<ResolveCampaignResponse, Failure> {
        Self::resolve_by(&self.checkout, campaign, coupon_code, language).await
    }

    pub async fn resolve_by(
        checkout: &CheckoutServiceClient<Rpc>,
        campaign: &str,
        coupon_code: &str,
        language: &str,
    ) -> Result<ResolveCampaignResponse, Failure> {
        let request = ResolveCampaignRequest {
            campaign: campaign.into(),
            coupon_code: coupon_code.into(),
            language: language.into(),
            country: "TR".into(),
            user_id: MEMBER.into(),
            ..Default::default()
        };
        let answered = checkout.clone().resolve_campaign(request).await;
        answered
            .map(tonic::Response::into_inner)
            .map_err(|status| Failure::from_status(&status))
    }

    /// What the payment page sends for this campaign and card.
    pub async fn submit(&self, campaign: &str, card: &str) -> CreateSubscriptionRequest {
        CreateSubscriptionRequest {
            user_id: MEMBER.into(),
            email: "buyer@example.com".into(),
            full_name: "A Buyer".into(),
            price_id: self.offer(campaign, "", "tr").await.price_id,
            payment_method_id: card.into(),
            payment_source: "stripe".into(),
            country: "TR".into(),
            language: "tr".into(),
            ..Default::default()
        }
    }

    pub async fn pay(
        &self,
        request: CreateSubscriptionRequest,
    ) -> Result<CreateSubscriptionResponse, Failure> {
        let answered = self.checkout.clone().create_subscription(request).await;
        answered
            .map(tonic::Response::into_inner)
            .map_err(|status| Failure::from_status(&status))
    }

    /// Buys with a fresh token of the card.
    pub async fn buy(&self, campaign: &str, number: &str) -> Result<CreateSubscriptionResponse, Failure> {
        let card = self.fake_provider.card(number).await;
        self.pay(self.submit(campaign, &card).await).await
    }

    pub async fn subscriptions(&self) -> Vec<Subscription> {
        let request = ListSubscriptionsRequest {
            user_id: MEMBER.into(),
        };
        self.checkout
            .clone()
            .list_subscriptions(request)
            .await
            .unwrap()
            .into_inner()
            .subscriptions
    }

    /// Waits for background work to bring the newest subscription there.
    pub async fn until_status(&self, wanted: &str) {
        let reached = tokio::time::timeout(TIMEOUT, async {
            while self
                .subscriptions()
                .await
                .first()
                .map(|subscription| subscription.status.as_str())
                != Some(wanted)
            {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        assert!(
            reached.await.is_ok(),
            "never {wanted}: {:?}",
            self.subscriptions().await
        );
    }

    /// Advances the virtual clock of checkout and the simulated providers.
    pub async fn advance(&self, by: TimeDelta) {
        self.fake_provider.advance(by).await;
    }

    /// Waits for `count` rounds of every reconciler. In one round each processes all rows that are due at its start; a row that
    /// another reconciler makes due is processed in the next.
    pub async fn job_rounds(&self, count: u32) {
        for _ in 0..count {
            join_all(checkout::RECONCILERS.map(|name| self.host.rounds(name, 1))).await;
        }
    }

    /// What a statement counts.
    pub async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query)
            .fetch_one(&self.pool().await)
            .await
            .unwrap()
    }

    /// Exactly `count` events were written, and all have reached the stream.
    pub async fn events(&self, entity_and_verb: &str, count: usize) -> Vec<CloudEvent> {
        let subject = format!("stillpoint.checkout.{entity_and_verb}");
        let events = self.host.events(&subject, count).await;
        let written: i64 = sqlx::query_scalar("select count(*) from outbox where event->>'type' = $1")
            .bind(&subject)
            .fetch_one(&self.pool().await)
            .await
            .unwrap();
        assert_eq!(usize::try_from(written), Ok(count), "{subject}");
        events
    }

    /// Delivers a signed Stripe webhook.
    pub async fn deliver(&self, event: &Value) {
        let body = event.to_string();
        let at = self.host.clock().now().timestamp();
        let mac = Hmac::<Sha256>::new_from_slice(b"whsec_stillpoint").unwrap();
        let signature = hex::encode(mac.chain_update(format!("{at}.{body}")).finalize().into_bytes());
        let request = ReceiveWebhookRequest {
            provider: Provider::Stripe.into(),
            body: body.into_bytes(),
            signature: format!("t={at},v1={signature}"),
            ..Default::default()
        };
        self.checkout.clone().receive_webhook(request).await.unwrap();
    }

    /// All orders as they are at this moment.
    pub async fn accounts(&self) -> Vec<OrderAggregate> {
        accounts(&self.pool().await).await
    }

    /// Checks the invariants, and the ledger against Stripe's charges.
    pub async fn check_ledger(&self) {
        let accounts = self.accounts().await;
        let broken: Vec<String> = violations(&accounts).iter().map(ToString::to_string).collect();
        assert_eq!(broken, Vec::<String>::new());

        let paid = accounts
            .iter()
            .filter(|account| matches!(account.order.state, OrderState::Paid { .. }));
        let intents: BTreeSet<String> = paid
            .flat_map(|account| {
                let first = account
                    .payments
                    .iter()
                    .filter(|payment| payment.captured().is_some())
                    .filter_map(|payment| payment.provider_intent_id.clone());
                let later = account
                    .renewals
                    .iter()
                    .filter_map(|renewal| renewal.provider_intent_id.clone());
                first.chain(later).collect::<Vec<_>>()
            })
            .collect();
        let charges = self.fake_provider.captured_charges().await;
        let taken: BTreeSet<String> = charges
            .iter()
            .map(|charge| charge["payment_intent"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(taken, intents);
        assert_eq!(charges.len(), taken.len(), "an intent was captured twice");

        let owed = charges.iter().map(|charge| {
            charge["amount_captured"].as_i64().unwrap() - charge["amount_refunded"].as_i64().unwrap()
        });
        let bookings = accounts.iter().flat_map(|account| &account.postings);
        let receivable = bookings
            .flat_map(|booking| &booking.entries)
            .filter(|entry| entry.account == LedgerAccount::Receivable(Stripe));
        let booked: i64 = receivable.map(|entry| entry.amount.minor).sum();
        let owed = owed.sum::<i64>() + self.fake_provider.moved_by_disputes().await;
        assert_eq!(booked, owed, "Stripe owes us what it has");
    }

    pub async fn pool(&self) -> PgPool {
        let opened = self
            .pool
            .get_or_init(async || pool(self.host.database_url()).await);
        opened.await.clone()
    }
}

/// At the end of each test the invariants hold, and every call to Stripe was a valid one of its API.
impl Drop for TestEnv {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        assert_eq!(self.fake_provider.api_misuses(), Vec::<String>::new());
        let url = self.host.database_url().to_owned();
        // In a thread of its own: the test's runtime does not wait for anything while it is left.
        let checking = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let accounts = accounts(&pool(&url).await).await;
                violations(&accounts)
            })
        });
        assert_eq!(checking.join().unwrap(), []);
    }
}

async fn pool(database_url: &str) -> PgPool {
    let options = PgConnectOptions::from_str(database_url).unwrap();
    PgPool::connect_with(options.options([("search_path", "checkout")]))
        .await
        .unwrap()
}

/// All orders as they are at this moment.
async fn accounts(pool: &PgPool) -> Vec<OrderAggregate> {
    let begin = "begin isolation level repeatable read read only";
    let mut snapshot = pool.begin_with(begin).await.unwrap();
    order_aggregates::page(&mut snapshot, None, i64::MAX)
        .await
        .unwrap()
}
