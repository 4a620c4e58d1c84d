//! The product in this process, its gateway on a real socket, and people who use it.
use std::time::Duration;

use axum::Router;
use kit::run::ServiceDefinition;
use kit::testing::{Running, TestHost, free_port};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

pub const PASSWORD: &str = "a quiet morning walk";

/// What stands in the way of asking much from one machine, and what makes a password dear; a test takes back what it is about.
const OPEN: [(&str, &str); 9] = [
    ("AUTH_ARGON2_MEMORY_KIB", "64"),
    ("AUTH_ARGON2_ITERATIONS", "1"),
    ("AUTH_HASH_WAIT_MILLIS", "4000"),
    ("AUTH_RATE_PER_MINUTE", "1000000"),
    ("RATE_PER_SECOND", "1000000"),
    ("RATE_BURST", "1000000"),
    ("GUESS_RATE_PER_MINUTE", "1000000"),
    ("TRUSTED_PROXY_HOPS", "1"),
    // Nobody answers there: what is mailed stays where it is written.
    ("SMTP_URL", "smtp://127.0.0.1:9"),
];

pub struct House {
    pub host: TestHost,
    auth: Running,
    pub origin: String,
    renderer: JoinHandle<()>,
    client: Client,
}

/// What somebody's browser keeps, as it sends it back.
#[derive(Clone)]
pub struct Browser {
    pub session: String,
    pub device: String,
}

impl House {
    /// Accounts and pages.
    pub async fn start(env: &[(&str, &str)]) -> Self {
        Self::over(TestHost::start().await, env, vec![]).await
    }

    /// All services.
    pub async fn whole() -> Self {
        let seed = concat!(env!("CARGO_MANIFEST_DIR"), "/../seed/campaigns");
        // Nobody answers there: no test may reach a provider.
        let env = [
            ("CHECKOUT_SEED_DIR", seed),
            ("STRIPE_API_BASE", "http://127.0.0.1:9"),
            ("AI_API_BASE", "http://127.0.0.1:9"),
            ("APPLE_CLIENT_ID", "us"),
            ("APPLE_JWKS_URL", "http://127.0.0.1:9"),
            ("GOOGLE_CLIENT_ID", "us"),
            ("GOOGLE_JWKS_URL", "http://127.0.0.1:9"),
        ];
        let parts = vec![
            content::definition(),
            checkout::definition(),
            sessions::definition(),
            analytics::definition(),
        ];
        Self::over(TestHost::start().await, &env, parts).await
    }

    /// Another replica of auth and the gateway, over the same database.
    pub async fn beside(other: &Self, env: &[(&str, &str)]) -> Self {
        let mut env = env.to_vec();
        env.push(("DATABASE_URL", other.host.database_url()));
        Self::over(TestHost::start().await, &env, vec![]).await
    }

    pub async fn over(host: TestHost, env: &[(&str, &str)], parts: Vec<ServiceDefinition>) -> Self {
        let (renderer, web_url) = renderer().await;
        let addr = format!("127.0.0.1:{}", free_port());
        let origin = format!("http://{addr}");
        let own = [
            ("HTTP_ADDR", addr.as_str()),
            ("PUBLIC_URL", &origin),
            ("WEB_URL", &web_url),
        ];
        let host = host.with_env(own).with_env(OPEN).with_env(env.iter().copied());
        let auth = host.run(auth::definition()).await;
        for part in parts {
            host.run(part).await;
        }
        host.run(gateway::definition()).await;
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(20))
            .build()
            .unwrap();
        Self {
            host,
            auth,
            origin,
            renderer,
            client,
        }
    }

    /// As if auth were killed, and started again.
    pub async fn restart_auth(&mut self) {
        self.host.kill(self.auth).await;
        self.auth = self.host.run(auth::definition()).await;
    }

    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.origin);
        self.client.request(method.parse().unwrap(), url)
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request("GET", path)
    }

    pub fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.request("POST", path).json(body)
    }

    pub fn login(&self, email: &str, password: &str) -> RequestBuilder {
        self.post("/api/auth/login", &json!({"email": email, "password": password}))
    }

    pub async fn register(&self, email: &str) -> Browser {
        let form = json!({"name": "Ada Lovelace", "email": email, "password": PASSWORD});
        let response = self.post("/api/auth/register", &form).send().await.unwrap();
        assert_eq!(response.status(), 201);
        browser(&response)
    }

    pub async fn sign_in(&self, email: &str) -> Browser {
        let response = self.login(email, PASSWORD).send().await.unwrap();
        assert_eq!(response.status(), 200);
        browser(&response)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.renderer.abort();
    }
}

pub async fn body_of(response: Response) -> Value {
    response.json().await.unwrap()
}

pub async fn status_and_code(request: RequestBuilder) -> (u16, String) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let body: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or_default();
    // As the lab's envelope names it, or everybody else's.
    let code = body["code"].as_str().or(body["error_code"].as_str());
    (status, code.unwrap_or_default().to_owned())
}

fn browser(response: &Response) -> Browser {
    let lines = response.headers().get_all("set-cookie").iter();
    let pairs: Vec<&str> = lines
        .map(|line| line.to_str().unwrap().split(';').next().unwrap())
        .collect();
    let kept = |name: &str| {
        let found = pairs.iter().find(|pair| pair.starts_with(name));
        found.map(|pair| (*pair).to_owned()).unwrap()
    };
    Browser {
        session: kept("stillpoint_session="),
        device: kept("stillpoint_device="),
    }
}

/// Every page, and it may be kept.
async fn renderer() -> (JoinHandle<()>, String) {
    let headers = [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "public, s-maxage=3600"),
    ];
    let page =
        Router::new().fallback(move || async move { (headers, "<!doctype html><title>Still</title>") });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move { axum::serve(listener, page).await.unwrap() });
    (serving, url)
}
