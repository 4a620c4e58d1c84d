//! A merchant at PayPal.

use std::sync::Mutex;

use chrono::TimeDelta;
use kit::clock::Clock;
use reqwest::Method;
use sandbox::{
    Options, Sandbox,
    paypal::{Buyer, Decision},
};
use serde_json::{Value, json};

use crate::support::{Answer, send, start_time, text};

pub const CLIENT: &str = "paypal-client-stillpoint";
pub const SECRET: &str = "paypal-secret-stillpoint";
pub const WEBHOOK: &str = "9SB12345ST67890PT";
pub const SUBSCRIPTIONS: &str = "/v1/billing/subscriptions";

pub struct Merchant {
    pub sandbox: Sandbox,
    token: Mutex<String>,
    pub http: reqwest::Client,
}

impl Merchant {
    pub async fn open() -> Self {
        let sandbox = Sandbox::start(Options {
            clock: Clock::manual(start_time()),
            ..Options::default()
        })
        .await
        .unwrap();
        let http = reqwest::Client::new();
        let merchant = Self {
            sandbox,
            token: Mutex::default(),
            http,
        };
        merchant.sign_in_again().await;
        merchant
    }

    pub async fn sign_in(&self, secret: &str) -> Answer {
        let url = format!("{}/v1/oauth2/token", self.sandbox.paypal_base());
        let request = self.http.post(url).basic_auth(CLIENT, Some(secret));
        send(request.form(&[("grant_type", "client_credentials")]))
            .await
            .unwrap()
    }

    /// A token lives nine hours.
    pub async fn sign_in_again(&self) {
        let token = text(&self.sign_in(SECRET).await.ok()["access_token"]);
        *self.token.lock().unwrap() = token;
    }

    pub fn token(&self) -> String {
        self.token.lock().unwrap().clone()
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}{path}", self.sandbox.paypal_base());
        self.http.request(method, url).bearer_auth(self.token())
    }

    pub async fn get(&self, path: &str) -> Value {
        send(self.request(Method::GET, path)).await.unwrap().ok()
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        send(self.request(Method::POST, path).json(body)).await.unwrap()
    }

    pub async fn plan(&self, cycles: Value, preferences: Value) -> String {
        let product = self
            .post(
                "/v1/catalogs/products",
                &json!({ "name": "Stillpoint", "type": "SERVICE" }),
            )
            .await;
        let body = json!({
            "product_id": product.body["id"], "name": "Monthly", "billing_cycles": cycles, "payment_preferences": preferences,
        });
        let plan = self.post("/v1/billing/plans", &body).await;
        assert_eq!(plan.status, 201, "{}", plan.body);
        text(&plan.body["id"])
    }

    pub async fn monthly(&self) -> String {
        self.plan(
            json!([cycle("REGULAR", 1, 0, "12.00")]),
            json!({ "payment_failure_threshold": 3 }),
        )
        .await
    }

    /// A subscription that the buyer has approved.
    pub async fn subscribe(&self, plan: &str, buyer: Buyer) -> String {
        let id = self.ask(plan).await;
        self.decide(&id, Decision::Approve(buyer));
        id
    }

    pub async fn ask(&self, plan: &str) -> String {
        let body = json!({ "plan_id": plan, "custom_id": "ord_1", "application_context": { "return_url": "http://shop.example/back" } });
        text(&self.post(SUBSCRIPTIONS, &body).await.body["id"])
    }

    pub fn decide(&self, id: &str, decision: Decision) -> Value {
        let now = self.sandbox.now().timestamp();
        self.sandbox.paypal().decide(id, decision, now).unwrap()
    }

    pub async fn subscription(&self, id: &str) -> Value {
        self.get(&format!("{SUBSCRIPTIONS}/{id}")).await
    }

    pub async fn sales(&self, id: &str) -> Vec<Value> {
        let path = format!(
            "{SUBSCRIPTIONS}/{id}/transactions?start_time=2020-01-01T00:00:00Z&end_time=2030-01-01T00:00:00Z"
        );
        self.get(&path).await["transactions"].as_array().unwrap().clone()
    }

    pub async fn days(&self, days: i64) {
        self.sandbox.advance(TimeDelta::days(days)).await.unwrap();
        self.sign_in_again().await;
    }

    pub async fn events(&self) -> Vec<String> {
        let events = self.get("/v1/notifications/webhooks-events?page_size=20").await;
        let mut types: Vec<_> = events["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| text(&event["event_type"]))
            .collect();
        types.reverse();
        types
    }
}

pub fn cycle(tenure: &str, sequence: i64, total: i64, price: &str) -> Value {
    json!({
        "frequency": { "interval_unit": "MONTH", "interval_count": 1 }, "tenure_type": tenure, "sequence": sequence,
        "total_cycles": total, "pricing_scheme": { "fixed_price": { "value": price, "currency_code": "USD" } },
    })
}

pub fn issue(answer: &Answer) -> (u16, String, String) {
    (
        answer.status,
        text(&answer.body["name"]),
        text(&answer.body["details"][0]["issue"]),
    )
}
