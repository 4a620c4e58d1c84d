//! A merchant at Platron: it asks with signed forms, and answers the calls that come back.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use axum::{Form, Router, extract::State, http::Uri, routing::post};
use kit::clock::Clock;
use sandbox::{
    Options, Sandbox,
    platron::{BuyerAction, signature},
};
use serde_json::Value;

use crate::support::start_time;

pub const MERCHANT: &str = "82";
pub const SECRET: &str = "platron-secret-stillpoint";

pub type Fields = HashMap<String, String>;

pub struct Merchant {
    pub sandbox: Sandbox,
    pub url: String,
    http: reqwest::Client,
    server: Arc<MerchantServer>,
}

/// What the merchant `respond_with` to every call, and what it was called about.
struct MerchantServer {
    respond_with: Mutex<(&'static str, &'static str)>,
    received: Mutex<Vec<(String, Fields)>>,
}

impl Merchant {
    pub async fn open() -> Self {
        let server = Arc::new(MerchantServer {
            respond_with: Mutex::new(("ok", SECRET)),
            received: Mutex::default(),
        });
        let router = Router::new()
            .route("/check", post(answer))
            .route("/result", post(answer))
            .route("/refund", post(answer))
            .with_state(server.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let sandbox = Sandbox::start(Options {
            clock: Clock::manual(start_time()),
            ..Options::default()
        })
        .await
        .unwrap();
        Self {
            sandbox,
            url,
            http: reqwest::Client::new(),
            server,
        }
    }

    /// Every later answer has this status and is signed with this secret.
    pub fn respond_with(&self, status: &'static str, secret: &'static str) {
        *self.server.respond_with.lock().unwrap() = (status, secret);
    }

    pub fn request(&self, script: &str, given: &[(&str, &str)]) -> reqwest::RequestBuilder {
        let mut fields = owned(given);
        fields.push(("pg_merchant_id".into(), MERCHANT.into()));
        let signed = signature::signed(script, fields, SECRET);
        self.http
            .post(format!("{}/{script}", self.sandbox.platron_base()))
            .form(&signed)
    }

    pub async fn ask(&self, script: &str, given: &[(&str, &str)]) -> Fields {
        let text = self
            .request(script, given)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        let answer = read(&text);
        if answer["pg_status"] == "ok" {
            assert!(is_signed(script, &answer), "{text}");
        }
        answer
    }

    /// As checkout asks for it, with `more` on top.
    pub async fn init(&self, more: &[(&str, &str)]) -> Fields {
        let (check, result, refund) = (
            format!("{}/check", self.url),
            format!("{}/result", self.url),
            format!("{}/refund", self.url),
        );
        let mut given = vec![
            ("pg_amount", "100.00"),
            ("pg_description", "Stillpoint"),
            ("pg_order_id", "ord_1"),
            ("pg_check_url", check.as_str()),
            ("pg_result_url", &result),
            ("pg_refund_url", &refund),
            ("pg_success_url", "http://shop.example/success?campaign=ru"),
            ("pg_failure_url", "http://shop.example/failure"),
            ("user_id", "usr_1"),
        ];
        given.extend_from_slice(more);
        self.ask("init_payment.php", &given).await
    }

    pub async fn status(&self, payment: &Fields) -> Fields {
        self.ask("get_status.php", &[("pg_payment_id", &payment["pg_payment_id"])])
            .await
    }

    pub async fn wait_for_status(&self, payment: &Fields, status: &str) -> Fields {
        for _ in 0..200 {
            let read = self.status(payment).await;
            if read["pg_transaction_status"] == status {
                return read;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("never {status}: {:?}", self.status(payment).await);
    }

    pub fn act(&self, payment: &Fields, action: BuyerAction) {
        let now = self.sandbox.now().timestamp();
        self.sandbox
            .platron()
            .act(&payment["pg_payment_id"], action, now)
            .unwrap();
    }

    pub fn page(&self, payment: &Fields) -> Value {
        let now = self.sandbox.now().timestamp();
        self.sandbox
            .platron()
            .payment_page(&payment["pg_payment_id"], now)
            .unwrap()
    }

    /// The return URL, once the result call is done.
    pub async fn redirect(&self, payment: &Fields) -> url::Url {
        for _ in 0..200 {
            if let Some(url) = self.page(payment)["redirect"].as_str() {
                return url.parse().unwrap();
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("the buyer is sent nowhere: {}", self.page(payment));
    }

    /// The calls to this script, once there are so many.
    pub async fn received(&self, script: &str, many: usize) -> Vec<Fields> {
        for _ in 0..200 {
            let all = self.server.received.lock().unwrap().clone();
            let calls: Vec<Fields> = all
                .into_iter()
                .filter(|(to, _)| to == script)
                .map(|(_, fields)| fields)
                .collect();
            if calls.len() >= many {
                return calls;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("{script} was not called {many} times");
    }
}

fn owned(given: &[(&str, &str)]) -> signature::Fields {
    given
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

async fn answer(State(server): State<Arc<MerchantServer>>, uri: Uri, Form(fields): Form<Fields>) -> String {
    let script = uri.path().trim_start_matches('/').to_owned();
    let is_genuine = is_signed(&script, &fields);
    server.received.lock().unwrap().push((script.clone(), fields));
    let (status, secret) = *server.respond_with.lock().unwrap();
    let status = if is_genuine { status } else { "error" };
    let fields = owned(&[("pg_status", status), ("pg_description", "Sold out")]);
    let texts = signature::signed(&script, fields, secret);
    let elements = texts.iter().fold(String::new(), |all, (name, value)| {
        format!("{all}<{name}>{value}</{name}>")
    });
    format!("<?xml version=\"1.0\" encoding=\"utf-8\"?><response>{elements}</response>")
}

pub fn is_signed(script: &str, fields: &Fields) -> bool {
    let fields: signature::Fields = fields.clone().into_iter().collect();
    signature::is_valid(script, &fields, SECRET)
}

pub fn read(xml: &str) -> Fields {
    let lines = xml.lines().filter_map(|line| {
        let (name, rest) = line.trim().strip_prefix('<')?.split_once('>')?;
        let (value, _) = rest.split_once("</")?;
        Some((name.to_owned(), value.replace("&amp;", "&")))
    });
    lines.collect()
}
