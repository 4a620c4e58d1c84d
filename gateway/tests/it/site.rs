//! A whole gateway with everything it speaks to.
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kit::bus::CloudEvent;
use kit::testing::{TestHost, free_port};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};

use crate::renderer::Renderer;
use crate::stand_ins::{self, FakeServices};

const PUBLISHED: &str = "stillpoint.content.page.published";
/// The `cache-status` of a stored page that nothing has invalidated.
const FRESH: &str = "stillpoint; hit";

pub const COOKIE: &str = "stillpoint_session=alive";
pub const READ_TOKEN: &str = "Bearer read-published";

/// What production asks for at least.
pub const PRODUCTION: [(&str, &str); 4] = [
    ("STILLPOINT_ENV", "production"),
    ("PUBLIC_URL", "https://stillpoint.example"),
    ("CONTENT_READ_TOKEN", "readers-0123456789abcdef01234567"),
    ("OPERATOR_TOKEN", "operators-0123456789abcdef012345"),
];
pub const PRODUCTION_READ_TOKEN: &str = "Bearer readers-0123456789abcdef01234567";

pub struct Site {
    pub host: TestHost,
    pub services: Arc<FakeServices>,
    pub renderer: Renderer,
    pub origin: String,
    client: Client,
}

impl Site {
    pub async fn start() -> Self {
        Self::with(&[]).await
    }

    pub async fn with(env: &[(&str, &str)]) -> Self {
        let renderer = Renderer::start().await;
        let addr = format!("127.0.0.1:{}", free_port());
        let origin = format!("http://{addr}");
        let own = [
            ("HTTP_ADDR", addr.as_str()),
            ("PUBLIC_URL", &origin),
            ("WEB_URL", &renderer.url()),
        ];
        let host = TestHost::without_database()
            .await
            .with_env(own)
            .with_env(env.iter().copied());
        let world = Arc::new(FakeServices::default());
        for part in stand_ins::parts(&world) {
            host.run(part).await;
        }
        host.run(gateway::definition()).await;
        let client = Client::builder()
            .no_gzip()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_mins(1))
            .build()
            .unwrap();
        let site = Self {
            host,
            services: world,
            renderer,
            origin,
            client,
        };
        site.settle().await;
        site
    }

    /// Waits until the gateway consumes events of published pages.
    async fn settle(&self) {
        for _ in 0..200 {
            self.publish(PUBLISHED, json!({"urlPath": "/settle", "locale": "en"}))
                .await;
            let response = self.get("/en/settle/").send().await.unwrap();
            if header(&response, "cache-status").contains("miss") && self.renderer.made() > 1 {
                self.renderer.forget();
                return;
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        panic!("the gateway does not hear what is published");
    }

    pub async fn publish(&self, subject: &str, data: Value) {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let id = format!("event-{}", NUMBER.fetch_add(1, Ordering::SeqCst));
        let event = CloudEvent::new(id, subject, self.host.clock().now(), data);
        // The stream is made in the background.
        for _ in 0..100 {
            match self.host.context().bus.publish(&event).await {
                Ok(()) => return,
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
        panic!("the stream takes no events");
    }

    /// Waits until the gateway has applied every event published so far: events arrive in order, and the last one invalidates a
    /// page of its own. The renderer is requested once for it. The clock stands where it was at the start.
    pub async fn events_applied(&self) {
        self.publish(PUBLISHED, json!({"urlPath": "/settle", "locale": "en"}))
            .await;
        until("published events are applied", async || {
            let page = self.get("/en/settle/").send().await.unwrap();
            header(&page, "cache-status") != FRESH
        })
        .await;
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.origin))
    }

    pub fn head(&self, path: &str) -> RequestBuilder {
        self.client.head(format!("{}{path}", self.origin))
    }

    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        self.client
            .request(method.parse().unwrap(), format!("{}{path}", self.origin))
    }

    pub fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.client.post(format!("{}{path}", self.origin)).json(body)
    }

    /// As a member's browser sends it from our own page.
    pub fn post_as_member(&self, path: &str, body: &Value) -> RequestBuilder {
        self.post(path, body)
            .header("cookie", COOKIE)
            .header("origin", &self.origin)
    }

    pub async fn text(&self, path: &str) -> String {
        self.get(path).send().await.unwrap().text().await.unwrap()
    }

    /// Asks until the answer holds this text.
    pub async fn eventually(&self, path: &str, wanted: &str) {
        for _ in 0..100 {
            if self.text(path).await.contains(wanted) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        panic!("{path} never showed {wanted}: {}", self.text(path).await);
    }
}

pub async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_mins(1), waiting)
        .await
        .is_ok();
    assert!(in_time, "never: {what}");
}

pub fn header<'r>(response: &'r Response, name: &str) -> &'r str {
    response
        .headers()
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

pub async fn body_of(response: Response) -> Value {
    response.json().await.unwrap()
}

/// A problem+json answer: its status and code.
pub async fn problem(request: RequestBuilder) -> (u16, String) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    assert_eq!(header(&response, "content-type"), "application/problem+json");
    let body = body_of(response).await;
    assert_eq!(body["status"], status);
    assert!(!body["request_id"].as_str().unwrap().is_empty());
    (status, body["code"].as_str().unwrap().to_owned())
}
