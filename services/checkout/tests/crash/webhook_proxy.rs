//! Forwards provider webhooks to checkout as the gateway does, also while the binary is down.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header::CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use proto::checkout::v1::checkout_service_client::CheckoutServiceClient;
use proto::checkout::v1::{Provider, ReceiveWebhookRequest};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tonic::transport::Channel;

pub struct WebhookProxy {
    pub url: String,
    listener: Option<TcpListener>,
    serving: Option<JoinHandle<()>>,
}

impl WebhookProxy {
    pub async fn build() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            listener: Some(listener),
            serving: None,
        }
    }

    pub fn lead_to(&mut self, checkout: CheckoutServiceClient<Channel>) {
        let router = Router::new().fallback(take).with_state(checkout);
        let listener = self.listener.take().unwrap();
        self.serving = Some(tokio::spawn(async move {
            axum::serve(listener, router).await.unwrap();
        }));
    }
}

impl Drop for WebhookProxy {
    fn drop(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.abort();
        }
    }
}

/// Only Platron has the address.
async fn take(State(mut checkout): State<CheckoutServiceClient<Channel>>, uri: Uri, body: Bytes) -> Response {
    let request = ReceiveWebhookRequest {
        provider: Provider::Platron.into(),
        body: body.to_vec(),
        script: uri.path().rsplit('/').next().unwrap_or_default().to_owned(),
        ..Default::default()
    };
    match checkout.receive_webhook(request).await {
        Ok(answered) => {
            let response = answered.into_inner();
            ([(CONTENT_TYPE, response.answer_type)], response.answer).into_response()
        }
        Err(_) => StatusCode::BAD_GATEWAY.into_response(),
    }
}
