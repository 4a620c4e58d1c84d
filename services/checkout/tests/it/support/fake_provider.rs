//! Stripe's fake provider as the buyer's browser, Stripe's own dashboard and a saboteur use it.
#![allow(
    dead_code,
    reason = "shared by two test binaries, each of which uses its part"
)]

use chrono::TimeDelta;
use kit::clock::Clock;
use reqwest::{Client, Method};
use sandbox::Target;
use sandbox::{Action, Fault, Options, Sandbox};
use serde_json::Value;

pub const APPROVED: &str = "4242424242424242";
/// Of the bank that the campaign `teb40` is for.
pub const OF_THE_BANK: &str = "4407760000000000";
pub const DECLINED: &str = "4000000000000002";
pub const INSUFFICIENT_FUNDS: &str = "4000000000009995";
pub const EXPIRED: &str = "4000000000000069";
/// Attaches, then every charge fails.
pub const DECLINED_WHEN_CHARGED: &str = "4000000000000341";
/// Pays, and its bank takes the money back.
pub const DISPUTED: &str = "4000000000000259";
pub const ASKS_FOR_3DS: &str = "4000000000003220";

/// Every call of Stripe's.
pub const STRIPE: &str = "/stripe/v1/*";

const SECRET_KEY: &str = "sk_test_stillpoint";
const BROWSER_KEY: &str = "pk_test_stillpoint";

pub struct FakeProvider {
    sandbox: Sandbox,
    http: Client,
}

impl FakeProvider {
    /// Lives by the given clock, and moves it.
    pub async fn start(clock: Clock) -> Self {
        let sandbox = Sandbox::start(Options {
            clock,
            ..Options::default()
        })
        .await
        .unwrap();
        Self {
            sandbox,
            http: Client::new(),
        }
    }

    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    pub fn stripe_base(&self) -> String {
        self.sandbox.stripe_base()
    }

    /// The browser hands over a card number and gets its token.
    pub async fn card(&self, number: &str) -> String {
        let form = [
            ("type", "card"),
            ("card[number]", number),
            ("card[exp_month]", "12"),
            ("card[exp_year]", "2034"),
            ("card[cvc]", "123"),
        ];
        let card = self
            .stripe(Method::POST, "payment_methods", BROWSER_KEY, &form)
            .await;
        card["id"].as_str().unwrap().to_owned()
    }

    /// The buyer passes, or does not pass, the bank's question. `outcome` is `succeeded` or `failed`.
    pub async fn answer_challenge(&self, client_secret: &str, outcome: &str) {
        let (source, _) = client_secret.split_once("_secret_").unwrap();
        let form = [
            ("source", source),
            ("client_secret", client_secret),
            ("outcome", outcome),
        ];
        self.stripe(Method::POST, "3ds2/challenge_complete", BROWSER_KEY, &form)
            .await;
    }

    /// The browser pays an open intent with a card, as `confirmCardPayment` does.
    pub async fn confirm_in_browser(&self, client_secret: &str, card: &str) {
        let (intent, _) = client_secret.split_once("_secret_").unwrap();
        let form = [("payment_method", card), ("client_secret", client_secret)];
        self.stripe(
            Method::POST,
            &format!("payment_intents/{intent}/confirm"),
            BROWSER_KEY,
            &form,
        )
        .await;
    }

    /// The same, and the browser loses the answer.
    pub async fn confirm_without_webhook(&self, client_secret: &str, card: &str) {
        self.inject_fault("POST", "payment_intents/*/confirm", Action::DropAfterCommit {});
        let (intent, _) = client_secret.split_once("_secret_").unwrap();
        let form = [("payment_method", card), ("client_secret", client_secret)];
        let url = format!("{}/v1/payment_intents/{intent}/confirm", self.stripe_base());
        let asked = self.http.post(url).bearer_auth(BROWSER_KEY).form(&form);
        asked.send().await.unwrap_err();
    }

    /// A refund in Stripe's dashboard.
    pub async fn refund_by_hand(&self, intent: &str, amount_minor: i64) {
        let amount = amount_minor.to_string();
        let form = [("payment_intent", intent), ("amount", amount.as_str())];
        self.stripe(Method::POST, "refunds", SECRET_KEY, &form).await;
    }

    /// What banks have taken from us, less than nothing, by all disputes.
    pub async fn moved_by_disputes(&self) -> i64 {
        let disputes = self.list("disputes?limit=100").await;
        let moves = disputes
            .iter()
            .flat_map(|dispute| dispute["balance_transactions"].as_array().unwrap());
        moves.map(|moved| moved["amount"].as_i64().unwrap()).sum()
    }

    /// Banks take back every charge there is.
    pub async fn dispute_all(&self) {
        let base = self.stripe_base();
        let base = base.strip_suffix("/stripe").unwrap();
        for charge in self.captured_charges().await {
            let url = format!(
                "{base}/sandbox/stripe/disputes/{}",
                charge["id"].as_str().unwrap()
            );
            let answer = self.http.post(url).send().await.unwrap();
            assert!(answer.status().is_success(), "{}", answer.status());
        }
    }

    /// A dispute answered in Stripe's dashboard and won.
    pub async fn win_dispute(&self, id: &str) {
        let form = [("evidence[uncategorized_text]", "winning_evidence")];
        self.stripe(Method::POST, &format!("disputes/{id}"), SECRET_KEY, &form)
            .await;
    }

    /// From now on the bank says this to every charge of every card there is; `None`: they pay.
    pub async fn set_decline(&self, refusal: Option<&str>) {
        for subscription in self.subscriptions().await {
            let card = subscription["default_payment_method"].as_str().unwrap();
            let base = self.stripe_base();
            let base = base.strip_suffix("/stripe").unwrap();
            let url = format!("{base}/sandbox/stripe/payment_methods/{card}");
            let outcome = serde_json::json!({ "decline": refusal });
            let answer = self.http.post(url).json(&outcome).send().await.unwrap();
            assert!(answer.status().is_success(), "{}", answer.status());
        }
    }

    /// Terminates the subscription in Stripe's dashboard.
    pub async fn end_subscription(&self, id: &str) {
        let path = format!("subscriptions/{id}");
        self.stripe(Method::DELETE, &path, SECRET_KEY, &[]).await;
    }

    /// Changes a subscription in Stripe's dashboard.
    pub async fn change_subscription(&self, id: &str, form: &[(&str, &str)]) {
        let path = format!("subscriptions/{id}");
        self.stripe(Method::POST, &path, SECRET_KEY, form).await;
    }

    /// What is wrong with what checkout has sent: Stripe's API does not have it, or it cannot be repeated, or its answer could
    /// be of any version.
    pub fn api_misuses(&self) -> Vec<String> {
        let ours = |header: &Value| {
            let agent = header["user-agent"].as_str().unwrap_or_default();
            agent.starts_with("stillpoint-checkout/")
        };
        let mut api_misuses = self.sandbox.unsupported_stripe_requests();
        for sent in self.sandbox.requests() {
            if !sent.path.starts_with("/stripe/") || !ours(&sent.headers) {
                continue;
            }
            if sent.headers["stripe-version"] != sandbox::stripe::API_VERSION {
                api_misuses.push(format!("{} {}: of another version", sent.method, sent.path));
            }
            if sent.method == "POST" && !sent.headers["idempotency-key"].is_string() {
                api_misuses.push(format!("{}: without an idempotency key", sent.path));
            }
        }
        api_misuses
    }

    pub async fn captured_charges(&self) -> Vec<Value> {
        let charges = self.list("charges?limit=100").await;
        charges
            .into_iter()
            .filter(|charge| charge["status"] == "succeeded")
            .collect()
    }

    pub async fn subscriptions(&self) -> Vec<Value> {
        self.list("subscriptions?limit=100&status=all").await
    }

    /// As Stripe has it.
    pub async fn intent_status(&self, id: &str) -> String {
        let path = format!("payment_intents/{id}");
        let intent = self.stripe(Method::GET, &path, SECRET_KEY, &[]).await;
        intent["status"].as_str().unwrap().to_owned()
    }

    /// Everything Stripe would have sent, earliest first.
    pub async fn events(&self) -> Vec<Value> {
        let mut events = self.list("events?limit=100").await;
        events.reverse();
        events
    }

    pub async fn list(&self, path: &str) -> Vec<Value> {
        let list = self.stripe(Method::GET, path, SECRET_KEY, &[]).await;
        list["data"]
            .as_array()
            .unwrap_or_else(|| panic!("{list}"))
            .clone()
    }

    /// The next call suffers `action`.
    pub fn inject_fault(&self, method: &str, path: &str, action: Action) {
        self.sandbox
            .faults()
            .add(Fault::on(method, &format!("/stripe/v1/{path}"), action));
    }

    /// Every call from now on.
    pub fn sabotage_all(&self, method: &str, path: &str, action: Action) {
        self.sandbox
            .faults()
            .add(Fault::on(method, &format!("/stripe/v1/{path}"), action).times(0));
    }

    /// The nth of these calls from now on, whatever it is, suffers them one after the other.
    pub fn inject_fault_nth(&self, calls: &str, nth: u32, actions: &[Action]) {
        for action in actions {
            let any = Fault {
                target: Target {
                    path: Some(calls.to_owned()),
                    ..Target::default()
                },
                nth,
                times: 1,
                action: action.clone(),
            };
            self.sandbox.faults().add(any);
        }
    }

    /// Whether a call has run into it.
    pub fn is_fault_active(&self) -> bool {
        self.sandbox
            .faults()
            .list()
            .iter()
            .any(|fault| fault.calls_affected > 0)
    }

    pub fn clear_faults(&self) {
        self.sandbox.faults().clear();
    }

    pub async fn advance(&self, by: TimeDelta) {
        self.sandbox.advance(by).await.unwrap();
    }

    async fn stripe(&self, method: Method, path: &str, key: &str, form: &[(&str, &str)]) -> Value {
        let url = format!("{}/v1/{path}", self.stripe_base());
        let mut request = self.http.request(method, url).bearer_auth(key);
        if !form.is_empty() {
            request = request.form(form);
        }
        let response = request.send().await.unwrap();
        let status = response.status();
        let body: Value = response.json().await.unwrap();
        assert!(status.is_success(), "{path}: {status} {body}");
        body
    }
}
