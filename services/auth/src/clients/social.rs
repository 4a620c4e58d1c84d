//! The configured sign-in providers.
use std::sync::Arc;
use std::time::Duration;

use kit::http::{CallError, ClientError, HttpClient, HttpError, HttpSettings};
use metrics::Histogram;

use super::facebook::{Facebook, FacebookSettings};
use super::jwks::KeySet;
use super::openid::OpenId;
use crate::domain::social::{Expected, Provider};
use crate::ports::{IdentityProvider, ProviderError};

/// Two questions must fit into what the gateway waits for a sign-in.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Key sets and profiles are a few thousand bytes.
const RESPONSE_MAX_BYTES: usize = 64 * 1024;

/// A provider without a client id is not offered.
#[derive(Clone, Default)]
pub struct Settings {
    pub apple: Option<OpenIdSettings>,
    pub google: Option<OpenIdSettings>,
    pub facebook: Option<FacebookSettings>,
}

#[derive(Clone)]
pub struct OpenIdSettings {
    pub client_id: String,
    pub issuer: String,
    pub jwks_url: String,
}

#[derive(Clone, Default)]
pub struct Providers {
    offered: Vec<(Provider, Arc<dyn IdentityProvider>)>,
}

impl Providers {
    pub fn new(settings: Settings) -> Result<Self, ClientError> {
        let mut offered: Vec<(Provider, Arc<dyn IdentityProvider>)> = Vec::new();
        let by_openid = [
            (Provider::Apple, "apple_keys", settings.apple),
            (Provider::Google, "google_keys", settings.google),
        ];
        for (provider, call, settings) in by_openid {
            let Some(settings) = settings else { continue };
            let keys = KeySet::new(http(settings.jwks_url)?, call);
            let expected = Expected {
                provider,
                issuer: settings.issuer,
                client_id: settings.client_id,
            };
            offered.push((provider, Arc::new(OpenId::new(expected, keys))));
        }
        if let Some(settings) = settings.facebook {
            let graph = http(settings.graph_url.clone())?;
            offered.push((Provider::Facebook, Arc::new(Facebook::new(graph, settings))));
        }
        Ok(Self { offered })
    }

    pub fn all(self) -> Vec<(Provider, Arc<dyn IdentityProvider>)> {
        self.offered
    }
}

fn http(base: String) -> Result<HttpClient, ClientError> {
    HttpClient::new(HttpSettings {
        base,
        user_agent: concat!("stillpoint-auth/", env!("CARGO_PKG_VERSION")),
        timeout: TIMEOUT,
        max_body_bytes: RESPONSE_MAX_BYTES,
    })
}

impl From<HttpError> for ProviderError {
    fn from(error: HttpError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl CallError for ProviderError {
    fn histogram(call: &'static str, outcome: &'static str) -> Histogram {
        metrics::histogram!("auth_provider_seconds", "call" => call, "outcome" => outcome)
    }

    fn outcome(&self) -> &'static str {
        match self {
            Self::InvalidToken(_) => "rejected",
            Self::Unavailable(_) => "unavailable",
        }
    }
}
