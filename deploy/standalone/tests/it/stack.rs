//! Services in this process, with the gateway on a real socket, and calls of its clients.
use std::time::Duration;

use axum::Router;
use kit::run::ServiceDefinition;
use kit::testing::{Running, TestHost, free_port};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

pub const PASSWORD: &str = "a quiet morning walk";

/// No rate limits and cheap password hashes; tests of limits override these.
pub const TEST_SETTINGS: [(&str, &str); 9] = [
    ("AUTH_ARGON2_MEMORY_KIB", "64"),
    ("AUTH_ARGON2_ITERATIONS", "1"),
    ("AUTH_HASH_WAIT_MILLIS", "4000"),
    ("AUTH_RATE_PER_MINUTE", "1000000"),
    ("RATE_PER_SECOND", "1000000"),
    ("RATE_BURST", "1000000"),
    ("GUESS_RATE_PER_MINUTE", "1000000"),
    ("TRUSTED_PROXY_HOPS", "1"),
    // A closed port: mails stay in the outbox.
    ("SMTP_URL", "smtp://127.0.0.1:9"),
];

pub struct Stack {
    pub host: TestHost,
    auth: Running,
    pub origin: String,
    renderer: JoinHandle<()>,
    client: Client,
}

/// A browser's cookies, as header values.
#[derive(Clone)]
pub struct Browser {
    pub session: String,
    pub device: String,
}

/// With the schemas of all services.
pub async fn all_services_host() -> TestHost {
    TestHost::start_for(&[
        auth::definition(),
        content::definition(),
        checkout::definition(),
        sessions::definition(),
        analytics::definition(),
    ])
    .await
}

impl Stack {
    /// auth and the gateway, with a page renderer.
    pub async fn start(env: &[(&str, &str)]) -> Self {
        Self::start_on(TestHost::start_for(&[auth::definition()]).await, env, vec![]).await
    }

    /// All services, without providers.
    pub async fn start_all_services() -> Self {
        let seed = concat!(env!("CARGO_MANIFEST_DIR"), "/../seed/campaigns");
        // A closed port: no test may reach a provider.
        let env = [
            ("CHECKOUT_SEED_DIR", seed),
            ("STRIPE_API_BASE", "http://127.0.0.1:9"),
            ("AI_API_BASE", "http://127.0.0.1:9"),
            ("APPLE_CLIENT_ID", "us"),
            ("APPLE_JWKS_URL", "http://127.0.0.1:9"),
            ("GOOGLE_CLIENT_ID", "us"),
            ("GOOGLE_JWKS_URL", "http://127.0.0.1:9"),
        ];
        let definitions = vec![
            content::definition(),
            checkout::definition(),
            sessions::definition(),
            analytics::definition(),
        ];
        Self::start_on(all_services_host().await, &env, definitions).await
    }

    /// Another replica of auth and the gateway on the same database.
    pub async fn start_replica(other: &Self, env: &[(&str, &str)]) -> Self {
        let mut env = env.to_vec();
        env.push(("DATABASE_URL", other.host.database_url()));
        Self::start_on(TestHost::without_database().await, &env, vec![]).await
    }

    pub async fn start_on(host: TestHost, env: &[(&str, &str)], definitions: Vec<ServiceDefinition>) -> Self {
        let (renderer, web_url) = renderer().await;
        let addr = format!("127.0.0.1:{}", free_port());
        let origin = format!("http://{addr}");
        let own = [
            ("HTTP_ADDR", addr.as_str()),
            ("PUBLIC_URL", &origin),
            ("WEB_URL", &web_url),
        ];
        let host = host
            .with_env(own)
            .with_env(TEST_SETTINGS)
            .with_env(env.iter().copied());
        let auth = host.run(auth::definition()).await;
        for definition in definitions {
            host.run(definition).await;
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

    /// Kills auth without a shutdown and starts it again.
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

impl Drop for Stack {
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
    // `error_code` in the data/error envelope, `code` elsewhere.
    let code = body["code"].as_str().or(body["error_code"].as_str());
    (status, code.unwrap_or_default().to_owned())
}

fn browser(response: &Response) -> Browser {
    let lines = response.headers().get_all("set-cookie").iter();
    let pairs: Vec<&str> = lines
        .map(|line| line.to_str().unwrap().split(';').next().unwrap())
        .collect();
    let cookie = |name: &str| {
        let found = pairs.iter().find(|pair| pair.starts_with(name));
        found.map(|pair| (*pair).to_owned()).unwrap()
    };
    Browser {
        session: cookie("stillpoint_session="),
        device: cookie("stillpoint_device="),
    }
}

/// Renders every path as a cacheable page.
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
