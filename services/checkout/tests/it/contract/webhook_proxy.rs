//! Receives provider webhooks as the gateway does, and records them for replays.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header::CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use kit::error::Failure;
use kit::rpc::Rpc;
use proto::checkout::v1::checkout_service_client::CheckoutServiceClient;
use proto::checkout::v1::{Provider, ReceiveWebhookRequest, ReceiveWebhookResponse};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub struct WebhookProxy {
    pub url: String,
    listener: Mutex<Option<TcpListener>>,
    received: Arc<Mutex<Vec<ReceiveWebhookRequest>>>,
    is_open: Arc<AtomicBool>,
    serving: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Clone)]
struct Inside {
    checkout: CheckoutServiceClient<Rpc>,
    received: Arc<Mutex<Vec<ReceiveWebhookRequest>>>,
    is_open: Arc<AtomicBool>,
}

impl WebhookProxy {
    pub async fn build() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            listener: Mutex::new(Some(listener)),
            received: Arc::default(),
            is_open: Arc::new(AtomicBool::new(true)),
            serving: Mutex::default(),
        }
    }

    pub fn lead_to(&self, checkout: CheckoutServiceClient<Rpc>) {
        let inside = Inside {
            checkout,
            received: self.received.clone(),
            is_open: self.is_open.clone(),
        };
        let router = Router::new().fallback(take).with_state(inside);
        let listener = self.listener.lock().unwrap().take().unwrap();
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        *self.serving.lock().unwrap() = Some(serving);
    }

    /// Rejects notifications from now on; pre-payment checks still pass.
    pub fn close(&self) {
        self.is_open.store(false, Ordering::SeqCst);
    }

    pub fn received(&self) -> Vec<ReceiveWebhookRequest> {
        self.received.lock().unwrap().clone()
    }
}

impl Drop for WebhookProxy {
    fn drop(&mut self) {
        if let Some(serving) = self.serving.lock().unwrap().take() {
            serving.abort();
        }
    }
}

async fn take(State(mut inside): State<Inside>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let mut path = uri.path().trim_start_matches("/webhooks/").split('/');
    let provider = match path.next() {
        Some("stripe") => Provider::Stripe,
        Some("paypal") => Provider::Paypal,
        Some("yookassa") => Provider::Yookassa,
        Some("platron") => Provider::Platron,
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let request = ReceiveWebhookRequest {
        provider: provider.into(),
        body: body.to_vec(),
        headers: headers
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()))
            .collect(),
        signature: headers
            .get("stripe-signature")
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned(),
        script: path.next().unwrap_or_default().to_owned(),
    };
    if request.script != "check" {
        inside.received.lock().unwrap().push(request.clone());
        if !inside.is_open.load(Ordering::SeqCst) {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
    }
    match inside.checkout.receive_webhook(request).await {
        Ok(response) => {
            let ReceiveWebhookResponse {
                answer, answer_type, ..
            } = response.into_inner();
            ([(CONTENT_TYPE, answer_type)], answer).into_response()
        }
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// Whether it was a repeat.
pub async fn deliver(
    checkout: &CheckoutServiceClient<Rpc>,
    request: ReceiveWebhookRequest,
) -> Result<bool, Failure> {
    let answered = checkout.clone().receive_webhook(request).await;
    answered
        .map(|response| response.into_inner().duplicate)
        .map_err(|status| Failure::from_status(&status))
}
