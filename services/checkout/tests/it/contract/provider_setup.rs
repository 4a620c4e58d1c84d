//! A test environment for one provider: its buyer, its webhooks and its simulated state.

use std::time::Duration;

use checkout::domain::ledger::LedgerAccount;
use checkout::domain::order::OrderState;
use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use kit::error::Failure;
use kit::rpc::Rpc;
use proto::checkout::v1::checkout_service_client::CheckoutServiceClient;
use proto::checkout::v1::{
    CreateSubscriptionRequest, HostedCheckouts, LinkPaypalSubscriptionRequest, ResolveCampaignRequest,
    ResolveCampaignResponse,
};
use sandbox::paypal::{Buyer, Decision};
use sandbox::{Action, Fault, platron, yookassa};
use serde_json::{Value, json};

use super::webhook_proxy::WebhookProxy;
use crate::operations::ledger_cli::checkout as command_line;
use crate::support::fake_provider::{APPROVED, DECLINED_WHEN_CHARGED};
use crate::support::test_env::{MEMBER, TestEnv};

const MONTHLY: &str = "web-monthly";
const GOOD_CARD: &str = "5555555555554444";
const EMPTY_CARD: &str = "5555555555554600";
const LATER: TimeDelta = TimeDelta::minutes(2);
pub const TIMEOUT: Duration = Duration::from_mins(1);

pub struct ProviderSetup {
    pub env: TestEnv,
    pub proxy: WebhookProxy,
    pub provider: Provider,
}

impl ProviderSetup {
    pub async fn open(provider: Provider) -> Self {
        let proxy = WebhookProxy::build().await;
        let env = TestEnv::start_with([
            ("CHECKOUT_PROVIDERS", "stripe,paypal,yookassa,platron"),
            ("PUBLIC_URL", &proxy.url),
        ])
        .await;
        proxy.lead_to(env.checkout.clone());
        let sandbox = env.fake_provider.sandbox();
        if provider == Provider::Stripe {
            sandbox.listen(&format!("{}/webhooks/stripe", proxy.url), "whsec_stillpoint");
        }
        sandbox
            .paypal()
            .listen(&format!("{}/webhooks/paypal", proxy.url), "9SB12345ST67890PT");
        sandbox
            .yookassa()
            .listen(&format!("{}/webhooks/yookassa", proxy.url));
        Self { env, proxy, provider }
    }

    fn now(&self) -> i64 {
        self.env.fake_provider.sandbox().now().timestamp()
    }

    pub async fn resolve(&self, country: &str, language: &str) -> ResolveCampaignResponse {
        resolve(&self.env.checkout, MONTHLY, country, language).await
    }

    /// The buyer's page submits the card, and they do not wait for what it says.
    fn submit(&self, card: &str) {
        let (mut checkout, card) = (self.env.checkout.clone(), card.to_owned());
        tokio::spawn(async move {
            let offer = resolve(&checkout, MONTHLY, "US", "en").await.offer.unwrap();
            let request = CreateSubscriptionRequest {
                user_id: MEMBER.into(),
                email: "buyer@example.com".into(),
                full_name: "A Buyer".into(),
                price_id: offer.price_id,
                payment_method_id: card,
                payment_source: "stripe".into(),
                country: "US".into(),
                language: "en".into(),
                ..Default::default()
            };
            // Whatever becomes of it is seen in what we keep.
            let _ = checkout.create_subscription(request).await;
        });
    }

    pub async fn pages(&self) -> HostedCheckouts {
        self.resolve("RU", "ru").await.russian.unwrap()
    }

    /// PayPal's own of what a campaign offers.
    pub async fn plan_of(&self, campaign: &str) -> String {
        let planned = tokio::time::timeout(TIMEOUT, async {
            loop {
                let shown = resolve(&self.env.checkout, campaign, "US", "en").await;
                if !shown.paypal_plan_id.is_empty() {
                    return shown.paypal_plan_id;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        planned.await.unwrap()
    }

    /// What a buyer is shown to pay by: PayPal's subscription, YooKassa's token, Platron's page.
    pub async fn offer(&self) -> String {
        self.offer_of(self.provider).await
    }

    pub async fn offer_of(&self, provider: Provider) -> String {
        match provider {
            Provider::Paypal => {
                let plan = self.plan_of(MONTHLY).await;
                self.subscribe_in_browser(&json!({ "plan_id": plan, "custom_id": format!("{MEMBER} tr TR") }))
                    .await
            }
            Provider::Yookassa => self.pages().await.yookassa_token,
            Provider::Platron => self.pages().await.platron_url,
            Provider::Stripe => self.env.fake_provider.card(APPROVED).await,
        }
    }

    /// As PayPal's button does it: with the client's id, and no secret.
    pub async fn subscribe_in_browser(&self, body: &Value) -> String {
        let (http, base) = (
            reqwest::Client::new(),
            self.env.fake_provider.sandbox().paypal_base(),
        );
        let token = http
            .post(format!("{base}/v1/oauth2/token"))
            .basic_auth("paypal-client-stillpoint", Some(""))
            .form(&[("grant_type", "client_credentials")]);
        let token: Value = token.send().await.unwrap().json().await.unwrap();
        let made = http
            .post(format!("{base}/v1/billing/subscriptions"))
            .bearer_auth(token["access_token"].as_str().unwrap())
            .json(body);
        let made: Value = made.send().await.unwrap().json().await.unwrap();
        made["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
    }

    /// The buyer pays at the provider, and that is all that happens.
    pub fn pay(&self, provider: Provider, handle: &str) {
        let (sandbox, now) = (self.env.fake_provider.sandbox(), self.now());
        match provider {
            Provider::Paypal => drop(
                sandbox
                    .paypal()
                    .decide(handle, Decision::Approve(Buyer::Rich), now)
                    .unwrap(),
            ),
            Provider::Yookassa => {
                let action = yookassa::BuyerAction::Pay(yookassa::Card::number(GOOD_CARD));
                sandbox.yookassa().act(handle, &action, now).unwrap();
            }
            Provider::Platron => {
                let action = platron::BuyerAction::Pay { after_secs: 0 };
                sandbox.platron().act(customer(handle), action, now).unwrap();
            }
            Provider::Stripe => self.submit(handle),
        }
    }

    /// The buyer tries, and gives up.
    pub async fn fail(&self, handle: &str) {
        let (sandbox, now) = (self.env.fake_provider.sandbox(), self.now());
        match self.provider {
            Provider::Paypal => drop(
                sandbox
                    .paypal()
                    .decide(handle, Decision::Approve(Buyer::Empty), now)
                    .unwrap(),
            ),
            Provider::Yookassa => {
                let action = yookassa::BuyerAction::Pay(yookassa::Card::number(EMPTY_CARD));
                sandbox.yookassa().act(handle, &action, now).unwrap();
                sandbox
                    .yookassa()
                    .act(handle, &yookassa::BuyerAction::Abandon, now)
                    .unwrap();
            }
            Provider::Platron => {
                let action = platron::BuyerAction::Fail { code: 420 };
                sandbox.platron().act(customer(handle), action, now).unwrap();
            }
            Provider::Stripe => {
                let card = self.env.fake_provider.card(DECLINED_WHEN_CHARGED).await;
                self.submit(&card);
            }
        }
    }

    /// The buyer's page sends the id that the provider returned.
    pub async fn link(&self, paypal_id: &str) -> Result<String, Failure> {
        self.link_as(MEMBER, paypal_id).await
    }

    pub async fn link_as(&self, member: &str, paypal_id: &str) -> Result<String, Failure> {
        let request = LinkPaypalSubscriptionRequest {
            user_id: member.into(),
            email: "buyer@example.com".into(),
            full_name: "A Buyer".into(),
            subscription_id: paypal_id.into(),
            country: "US".into(),
            language: "en".into(),
            tracking: Some(proto::common::v1::Tracking {
                parameters: [("utm_source".to_owned(), "a_friend".to_owned())].into(),
            }),
        };
        let answered = self.env.checkout.clone().link_paypal_subscription(request).await;
        answered
            .map(|response| response.into_inner().subscription.unwrap().status)
            .map_err(|status| Failure::from_status(&status))
    }

    /// Advances the clock until the condition holds, so that due work runs.
    pub async fn until(&self, what: &str, is_so: impl AsyncFn() -> bool) {
        let reached = tokio::time::timeout(TIMEOUT, async {
            for _ in 0..5 {
                if is_so().await {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            // Time that passes during a call makes the call too late, or ends the lease of its row.
            self.env.job_rounds(1).await;
            while !is_so().await {
                self.env.advance(LATER).await;
                self.env.job_rounds(1).await;
            }
        });
        assert!(
            reached.await.is_ok(),
            "never {what}: {:?}",
            self.env.accounts().await
        );
    }

    /// Waits for a webhook. PayPal and Stripe send one for every change; YooKassa and Platron for payments only.
    pub async fn until_notified(&self, of_paypal: &str) {
        let meant = match (self.provider, of_paypal) {
            (Provider::Paypal, _) => of_paypal,
            (Provider::Stripe, "FAILED") => "invoice.payment_failed",
            (Provider::Stripe, _) => "invoice.paid",
            (Provider::Yookassa | Provider::Platron, _) => "",
        };
        let is_meant = |body: &[u8]| String::from_utf8_lossy(body).contains(meant);
        // The clock does not advance here: signatures expire.
        let emitted = tokio::time::timeout(TIMEOUT, async {
            while !self
                .proxy
                .received()
                .iter()
                .any(|emitted| is_meant(&emitted.body))
            {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        assert!(emitted.await.is_ok(), "never notified of {meant}");
    }

    pub async fn until_active(&self) {
        self.until("active", async || self.is_active().await).await;
    }

    pub async fn is_active(&self) -> bool {
        let owned = self.env.subscriptions().await;
        owned.first().is_some_and(|first| first.status == "active")
    }

    /// An expired page is no longer offered once its state is stored.
    pub async fn until_no_page_is_open(&self) {
        let open = "select count(*) from hosted_checkout where state in ('intended', 'open')";
        let is_none_open = async || {
            let pool = self.env.pool().await;
            let count: i64 = sqlx::query_scalar(open).fetch_one(&pool).await.unwrap();
            count == 0
        };
        self.until("without an open page", is_none_open).await;
    }

    pub async fn until_refunds(&self, wanted: &[&str]) {
        self.until(&format!("{wanted:?}"), async || self.refunds().await == wanted)
            .await;
    }

    pub async fn refunds(&self) -> Vec<&'static str> {
        let accounts = self.env.accounts().await;
        let refunds = accounts.iter().flat_map(|account| &account.refunds);
        let mut states: Vec<_> = refunds.map(|refund| refund.state.name()).collect();
        states.sort_unstable();
        states
    }

    /// A month is bought; the order's id.
    pub async fn buy(&self) -> String {
        let handle = self.offer().await;
        self.pay(self.provider, &handle);
        self.until_active().await;
        self.env.accounts().await[0].order.order_id.to_string()
    }

    pub async fn refund(&self, order_id: &str, amount: Option<&str>, ticket: &str) {
        let mut words = vec!["refund", order_id];
        words.extend(amount);
        words.extend(["--ticket", ticket]);
        let done = command_line(&self.env, &words).await;
        assert_eq!(done.status.code(), Some(0), "{done:?}");
    }

    /// The provider's receivable in the ledger.
    pub async fn booked(&self, provider: Provider) -> i64 {
        let accounts = self.env.accounts().await;
        let bookings = accounts.iter().flat_map(|account| &account.postings);
        let entries = bookings.flat_map(|booking| &booking.entries);
        entries
            .filter(|entry| entry.account == LedgerAccount::Receivable(provider))
            .map(|entry| entry.amount.minor)
            .sum()
    }

    pub async fn paid_orders(&self) -> usize {
        let accounts = self.env.accounts().await;
        let is_paid = |state: &OrderState| matches!(state, OrderState::Paid { .. });
        accounts
            .iter()
            .filter(|account| is_paid(&account.order.state))
            .count()
    }

    pub async fn price(&self) -> i64 {
        self.env.accounts().await[0].order.amount.minor
    }
}

async fn resolve(
    checkout: &CheckoutServiceClient<Rpc>,
    campaign: &str,
    country: &str,
    language: &str,
) -> ResolveCampaignResponse {
    let request = ResolveCampaignRequest {
        campaign: campaign.into(),
        language: language.into(),
        country: country.into(),
        user_id: MEMBER.into(),
        email: "buyer@example.com".into(),
        full_name: "A Buyer".into(),
        ..Default::default()
    };
    let answered = checkout.clone().resolve_campaign(request).await;
    answered.unwrap().into_inner()
}

fn customer(page: &str) -> &str {
    page.split_once("customer=").unwrap().1
}

impl ProviderSetup {
    /// Starts a payment in another tab. At Platron it stops before the pre-payment check; a payment
    /// submitted by our own page is charged without a webhook.
    pub async fn begin(&self, handle: &str) {
        if self.provider == Provider::Stripe {
            let faults = self.env.fake_provider.sandbox().faults();
            let path = "/stripe/v1/subscriptions*";
            faults.add(Fault::on("POST", path, Action::DropAfterCommit {}).times(0));
            faults.add(Fault::on("GET", path, Action::DropBefore {}).times(0));
            self.submit(handle);
            let is_charged = async || self.env.fake_provider.captured_charges().await.len() == 1;
            crate::support::subscription_probe::until(is_charged).await;
        }
        if self.provider == Provider::Platron {
            let action = platron::BuyerAction::Pay { after_secs: 3600 };
            let (sandbox, now) = (self.env.fake_provider.sandbox(), self.now());
            sandbox.platron().act(customer(handle), action, now).unwrap();
        }
    }

    pub async fn finish(&self, handle: &str) {
        match self.provider {
            Provider::Platron => self.env.advance(TimeDelta::minutes(61)).await,
            Provider::Stripe => self.env.fake_provider.clear_faults(),
            Provider::Paypal | Provider::Yookassa => self.pay(self.provider, handle),
        }
    }

    pub async fn dead(&self) -> Vec<String> {
        sqlx::query_scalar("select event_id from webhook_event where dead_lettered_at is not null")
            .fetch_all(&self.env.pool().await)
            .await
            .unwrap()
    }

    pub async fn replay(&self, event_id: &str) {
        let words = ["webhooks", "replay", self.provider.name(), event_id];
        let done = command_line(&self.env, &words).await;
        assert_eq!(done.status.code(), Some(0), "{done:?}");
    }
}
