//! A merchant at YooKassa.

use kit::clock::Clock;
use reqwest::Method;
use sandbox::{
    Options, Sandbox,
    yookassa::{BuyerAction, Card, Outcome},
};
use serde_json::{Value, json};

use crate::support::{Answer, send, start_time, text};

pub const SHOP: &str = "100500";
pub const SECRET: &str = "test_yookassa-stillpoint";
pub const GOOD: &str = "5555 5555 5555 4444";

pub struct Merchant {
    pub sandbox: Sandbox,
    pub http: reqwest::Client,
}

impl Merchant {
    pub async fn open() -> Self {
        let options = Options {
            clock: Clock::manual(start_time()),
            ..Options::default()
        };
        Self {
            sandbox: Sandbox::start(options).await.unwrap(),
            http: reqwest::Client::new(),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}/v3{path}", self.sandbox.yookassa_base());
        self.http.request(method, url).basic_auth(SHOP, Some(SECRET))
    }

    pub async fn get(&self, path: &str) -> Value {
        send(self.request(Method::GET, path)).await.unwrap().ok()
    }

    /// Each call under a key of its own.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        let key = format!("{:032x}", rand::random::<u128>());
        send(
            self.request(Method::POST, path)
                .header("idempotence-key", key)
                .json(body),
        )
        .await
        .unwrap()
    }

    pub async fn payment(&self, more: &Value) -> Value {
        self.post("/payments", &asked(more)).await.ok()
    }

    pub fn pay(&self, payment: &Value, number: &str) -> Outcome {
        self.act(payment, &BuyerAction::Pay(Card::number(number)))
    }

    pub fn act(&self, payment: &Value, action: &BuyerAction) -> Outcome {
        let now = self.sandbox.now().timestamp();
        let token = &payment["confirmation"]["confirmation_token"];
        let asked = token.as_str().unwrap_or_else(|| payment["id"].as_str().unwrap());
        self.sandbox.yookassa().act(asked, action, now).unwrap()
    }

    pub async fn fresh(&self, payment: &Value) -> Value {
        self.get(&format!("/payments/{}", text(&payment["id"]))).await
    }
}

/// As checkout asks for it, with `more` on top.
pub fn asked(more: &Value) -> Value {
    let mut body = json!({
        "amount": { "value": "100.00", "currency": "RUB" }, "capture": true, "description": "Stillpoint",
        "confirmation": { "type": "embedded" }, "metadata": { "order": "ord_1" },
    });
    for (name, value) in more.as_object().unwrap() {
        body[name.as_str()] = value.clone();
    }
    body
}

pub fn refusal(answer: &Answer) -> (u16, String, String) {
    (
        answer.status,
        text(&answer.body["code"]),
        text(&answer.body["parameter"]),
    )
}
