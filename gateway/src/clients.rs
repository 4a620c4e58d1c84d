//! The services behind the door.
use kit::rpc::{Rpc, ServiceDirectory};
use proto::analytics::v1::analytics_service_client::AnalyticsServiceClient;
use proto::auth::v1::auth_service_client::AuthServiceClient;
use proto::checkout::v1::checkout_service_client::CheckoutServiceClient;
use proto::content::v1::content_service_client::ContentServiceClient;
use proto::sessions::v1::sessions_service_client::SessionsServiceClient;

/// Cloning a client is cheap, and a call needs its own: hence methods instead of fields.
#[derive(Clone)]
pub struct Clients {
    content: ContentServiceClient<Rpc>,
    auth: AuthServiceClient<Rpc>,
    checkout: CheckoutServiceClient<Rpc>,
    sessions: SessionsServiceClient<Rpc>,
    analytics: AnalyticsServiceClient<Rpc>,
}

impl Clients {
    pub fn new(directory: &ServiceDirectory) -> Self {
        Self {
            content: ContentServiceClient::new(directory.client("content")),
            auth: AuthServiceClient::new(directory.client("auth")),
            checkout: CheckoutServiceClient::new(directory.client("checkout")),
            sessions: SessionsServiceClient::new(directory.client("sessions")),
            analytics: AnalyticsServiceClient::new(directory.client("analytics")),
        }
    }

    pub fn content(&self) -> ContentServiceClient<Rpc> {
        self.content.clone()
    }

    pub fn auth(&self) -> AuthServiceClient<Rpc> {
        self.auth.clone()
    }

    pub fn checkout(&self) -> CheckoutServiceClient<Rpc> {
        self.checkout.clone()
    }

    pub fn sessions(&self) -> SessionsServiceClient<Rpc> {
        self.sessions.clone()
    }

    pub fn analytics(&self) -> AnalyticsServiceClient<Rpc> {
        self.analytics.clone()
    }
}
