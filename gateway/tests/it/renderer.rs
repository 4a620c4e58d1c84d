//! A fake web renderer that counts its responses and fails on request.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::site::until;

pub const SOUND: &str = "0123456789";

#[derive(Default)]
pub struct Behaviour {
    made: AtomicU32,
    pub delay_ms: AtomicU64,
    /// The path whose responses wait for [`Renderer::release`].
    held: watch::Sender<Option<String>>,
    pub broken: AtomicBool,
    /// Leaves out the prices, and says so by leaving out `s-maxage`.
    pub incomplete: AtomicBool,
}

pub struct Renderer {
    pub behaviour: Arc<Behaviour>,
    port: u16,
    serving: JoinHandle<()>,
}

impl Renderer {
    pub async fn start() -> Self {
        let behaviour = Arc::new(Behaviour::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        Self {
            serving: serve(listener, Arc::clone(&behaviour)),
            behaviour,
            port,
        }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn made(&self) -> u32 {
        self.behaviour.made.load(Ordering::SeqCst)
    }

    pub fn forget(&self) {
        self.behaviour.made.store(0, Ordering::SeqCst);
    }

    pub fn break_down(&self) {
        self.behaviour.broken.store(true, Ordering::SeqCst);
    }

    pub fn recover(&self) {
        self.behaviour.broken.store(false, Ordering::SeqCst);
    }

    /// Requests for this path wait from now on.
    pub fn hold(&self, path: &str) {
        self.behaviour.held.send_replace(Some(path.to_owned()));
    }

    pub fn release(&self) {
        self.behaviour.held.send_replace(None);
    }

    /// Waits until so many requests have arrived.
    pub async fn until_made(&self, count: u32) {
        until("the renderer is requested", async || self.made() >= count).await;
    }

    pub fn slow_down(&self, millis: u64) {
        self.behaviour.delay_ms.store(millis, Ordering::SeqCst);
    }

    pub fn lose_prices(&self) {
        self.behaviour.incomplete.store(true, Ordering::SeqCst);
    }

    pub fn stop(&self) {
        self.serving.abort();
    }
}

impl Drop for Renderer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn serve(listener: TcpListener, behaviour: Arc<Behaviour>) -> JoinHandle<()> {
    let routes = Router::new().fallback(render).with_state(behaviour);
    tokio::spawn(async move {
        axum::serve(listener, routes).await.unwrap();
    })
}

async fn render(State(behaviour): State<Arc<Behaviour>>, request: Request) -> Response {
    let number = behaviour.made.fetch_add(1, Ordering::SeqCst) + 1;
    tokio::time::sleep(Duration::from_millis(behaviour.delay_ms.load(Ordering::SeqCst))).await;
    let path = request.uri().path().to_owned();
    let is_released = |held: &Option<String>| held.as_deref() != Some(path.as_str());
    drop(behaviour.held.subscribe().wait_for(is_released).await);
    if behaviour.broken.load(Ordering::SeqCst) {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let uri = request.uri();
    assert_eq!(uri.query(), None, "a query reached the renderer");
    assert!(
        !request.headers().contains_key("cookie"),
        "a cookie reached the renderer"
    );
    if path.starts_with("/assets/") {
        return asset();
    }
    if path.starts_with("/audio/") {
        return sound();
    }
    if path.contains("private") {
        return ([("cache-control", "private")], format!("private number {number}")).into_response();
    }
    if let Some(token) = request.headers().get("x-stillpoint-preview") {
        return draft(token.to_str().unwrap(), number);
    }
    let proto = request.headers()["x-forwarded-proto"].to_str().unwrap();
    let padding = "still and quiet ".repeat(100);
    let html = format!(
        "<!doctype html><title>{path}</title><script>window.made = {number}</script><p>number {number} over {proto}, {padding}</p>"
    );
    let status = if path.contains("missing") {
        StatusCode::NOT_FOUND
    } else {
        StatusCode::OK
    };
    let control = if behaviour.incomplete.load(Ordering::SeqCst) {
        "public"
    } else {
        "public, s-maxage=60"
    };
    let headers = [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", control),
        ("surrogate-key", "offers"),
        ("x-powered-by-node", "yes"),
    ];
    (status, headers, html).into_response()
}

fn draft(token: &str, number: u32) -> Response {
    let headers = [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
    ];
    let html = format!("<script>draft()</script><p>draft of {token} number {number}</p>");
    (headers, html).into_response()
}

/// The real renderer supports ranges too, but the gateway requests the whole file.
fn sound() -> Response {
    let headers = [
        ("content-type", "audio/wav"),
        ("cache-control", "public, max-age=3600"),
        ("accept-ranges", "bytes"),
    ];
    (headers, SOUND).into_response()
}

fn asset() -> Response {
    let headers = [
        ("content-type", "text/javascript"),
        ("cache-control", "public, max-age=31536000, immutable"),
    ];
    (headers, "export const calm = true;\n".repeat(60)).into_response()
}
