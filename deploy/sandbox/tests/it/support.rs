//! A small Stripe client, and a receiver of webhooks.

use std::sync::{Arc, Mutex};

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, http::StatusCode, routing::post};
use chrono::{DateTime, TimeDelta, Utc};
use kit::clock::Clock;
use sandbox::{Options, Sandbox};
use serde_json::Value;

pub const SECRET_KEY: &str = "sk_test_stillpoint";
pub const PUBLISHABLE_KEY: &str = "pk_test_stillpoint";

pub fn start_time() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

pub struct Fixture {
    pub sandbox: Sandbox,
    pub stripe: Client,
}

impl Fixture {
    pub async fn start() -> Self {
        Self::with(Options {
            clock: Clock::manual(start_time()),
            ..Options::default()
        })
        .await
    }

    pub async fn with(options: Options) -> Self {
        let sandbox = Sandbox::start(options).await.unwrap();
        let stripe = Client::new(&sandbox.stripe_base(), SECRET_KEY);
        Self { sandbox, stripe }
    }

    pub fn browser(&self) -> Client {
        Client::new(&self.sandbox.stripe_base(), PUBLISHABLE_KEY)
    }

    pub async fn days(&self, days: i64) {
        self.sandbox.advance(TimeDelta::days(days)).await.unwrap();
    }

    pub async fn hours(&self, hours: i64) {
        self.sandbox.advance(TimeDelta::hours(hours)).await.unwrap();
    }

    pub async fn price(&self) -> String {
        let form = [
            ("currency", "usd"),
            ("unit_amount", "1200"),
            ("recurring[interval]", "month"),
            ("product_data[name]", "Stillpoint monthly"),
        ];
        self.stripe.post("/v1/prices", &form).await.ok()["id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    pub async fn customer(&self) -> String {
        let customer = self
            .stripe
            .post("/v1/customers", &[("email", "ada@example.com")])
            .await
            .ok();
        customer["id"].as_str().unwrap().to_owned()
    }

    /// A card created with the browser's key, not attached.
    pub async fn card(&self, number: &str) -> String {
        let method = self
            .browser()
            .post("/v1/payment_methods", &card_form(number))
            .await
            .ok();
        method["id"].as_str().unwrap().to_owned()
    }

    pub async fn customer_with(&self, number: &str) -> (String, String) {
        let customer = self.customer().await;
        let card = self.card(number).await;
        let path = format!("/v1/payment_methods/{card}/attach");
        self.stripe.post(&path, &[("customer", &customer)]).await.ok();
        (customer, card)
    }

    /// With the parameters that checkout sends, and `more`.
    pub async fn subscribe(&self, number: &str, more: &[(&str, &str)]) -> Answer {
        let (customer, card) = self.customer_with(number).await;
        let price = self.price().await;
        let mut form = vec![
            ("customer", customer.as_str()),
            ("items[0][price]", &price),
            ("default_payment_method", &card),
            ("payment_behavior", "allow_incomplete"),
            ("expand[]", "latest_invoice.confirmation_secret"),
            ("expand[]", "latest_invoice.payments.data.payment.payment_intent"),
            ("expand[]", "pending_setup_intent"),
        ];
        form.extend_from_slice(more);
        self.stripe.post("/v1/subscriptions", &form).await
    }

    pub async fn subscription(&self, id: &Value) -> Value {
        let path = format!(
            "/v1/subscriptions/{}?expand[]=latest_invoice.payments&expand[]=pending_setup_intent",
            id.as_str().unwrap()
        );
        self.stripe.get(&path).await.ok()
    }

    pub async fn events(&self) -> Vec<String> {
        let events = self.stripe.get("/v1/events?limit=100").await.ok();
        let mut types: Vec<_> = events["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| text(&event["type"]))
            .collect();
        types.reverse();
        types
    }
}

pub fn card_form(number: &str) -> Vec<(&'static str, &str)> {
    vec![
        ("type", "card"),
        ("card[number]", number),
        ("card[exp_month]", "12"),
        ("card[exp_year]", "34"),
        ("card[cvc]", "123"),
    ]
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub struct Client {
    base: String,
    key: String,
    http: reqwest::Client,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Answer {
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body
    }

    /// Status, type, code and param of an error.
    pub fn error(&self) -> (u16, String, String, String) {
        let error = &self.body["error"];
        (
            self.status,
            text(&error["type"]),
            text(&error["code"]),
            text(&error["param"]),
        )
    }
}

impl Client {
    pub fn new(base: &str, key: &str) -> Self {
        Self {
            base: base.into(),
            key: key.into(),
            http: reqwest::Client::new(),
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        answer(self.request(reqwest::Method::GET, path)).await.unwrap()
    }

    pub async fn delete(&self, path: &str) -> Answer {
        answer(self.request(reqwest::Method::DELETE, path)).await.unwrap()
    }

    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        answer(self.request(reqwest::Method::POST, path).form(form))
            .await
            .unwrap()
    }

    /// Fails if a fault cuts the connection.
    pub async fn post_with_key(
        &self,
        path: &str,
        key: &str,
        form: &[(&str, &str)],
    ) -> reqwest::Result<Answer> {
        answer(
            self.request(reqwest::Method::POST, path)
                .header("idempotency-key", key)
                .form(form),
        )
        .await
    }

    pub fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        let request = request.header("stripe-version", "2026-10-28.endive");
        if self.key.is_empty() {
            request
        } else {
            request.bearer_auth(&self.key)
        }
    }
}

pub async fn answer(request: reqwest::RequestBuilder) -> reqwest::Result<Answer> {
    let response = request.send().await?;
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    Ok(Answer {
        status,
        headers,
        body: response.json().await?,
    })
}

/// For providers that may respond without a body. Fails if a fault cuts the connection.
pub async fn send(request: reqwest::RequestBuilder) -> reqwest::Result<Answer> {
    let response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = response.json().await.unwrap_or_default();
    Ok(Answer {
        status,
        headers,
        body,
    })
}

/// Waits until every due delivery is sent and its response applied.
pub async fn deliveries_done(sandbox: &Sandbox) {
    until("no webhook is due", async || !sandbox.has_due_webhooks()).await;
}

/// Waits until a call has been affected by a fault.
pub async fn fault_met(sandbox: &Sandbox) {
    let is_met = async || {
        sandbox
            .faults()
            .list()
            .iter()
            .any(|fault| fault.calls_affected > 0)
    };
    until("a call is affected by a fault", is_met).await;
}

pub async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    let in_time = tokio::time::timeout(std::time::Duration::from_mins(1), waiting).await;
    assert!(in_time.is_ok(), "never: {what}");
}

/// A webhook as received.
#[derive(Clone, Debug)]
pub struct ReceivedWebhook {
    pub signature: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl ReceivedWebhook {
    pub fn event(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The event type, in whichever field the provider sends it.
    pub fn kind(&self) -> String {
        let event = self.event();
        ["event_type", "event", "type"]
            .into_iter()
            .find_map(|name| event[name].as_str())
            .unwrap_or_default()
            .to_owned()
    }

    pub fn header(&self, name: &str) -> String {
        self.headers[name].to_str().unwrap().to_owned()
    }
}

pub struct WebhookReceiver {
    pub url: String,
    shared: Arc<Shared>,
}

struct Shared {
    received: Mutex<Vec<ReceivedWebhook>>,
    status: Mutex<StatusCode>,
}

impl WebhookReceiver {
    pub async fn open() -> Self {
        let shared = Arc::new(Shared {
            received: Mutex::default(),
            status: Mutex::new(StatusCode::OK),
        });
        let router = Router::new()
            .route("/hook", post(receive))
            .with_state(shared.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, shared }
    }

    pub fn answer_with(&self, status: StatusCode) {
        *self.shared.status.lock().unwrap() = status;
    }

    pub fn received(&self) -> Vec<ReceivedWebhook> {
        self.shared.received.lock().unwrap().clone()
    }

    pub fn kinds(&self) -> Vec<String> {
        self.received().iter().map(ReceivedWebhook::kind).collect()
    }

    pub async fn wait_for(&self, what: impl Fn(&[ReceivedWebhook]) -> bool) -> Vec<ReceivedWebhook> {
        for _ in 0..400 {
            let received = self.received();
            if what(&received) {
                return received;
            }
            tokio::time::sleep(std::time::Duration::from_millis(25)).await;
        }
        panic!("webhooks not received in time: {:?}", self.kinds());
    }
}

async fn receive(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let signature = headers
        .get("stripe-signature")
        .map(|value| value.to_str().unwrap());
    shared.received.lock().unwrap().push(ReceivedWebhook {
        signature: signature.unwrap_or_default().to_owned(),
        headers: headers.clone(),
        body: body.to_vec(),
    });
    *shared.status.lock().unwrap()
}
