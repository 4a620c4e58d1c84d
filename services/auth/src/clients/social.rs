//! The configured sign-in providers.
use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use secrecy::SecretString;

use super::facebook::Facebook;
use super::jwks::KeySet;
use super::openid::OpenId;
use crate::domain::social::{Expected, Provider};
use crate::ports::{IdentityProvider, ProviderError};

/// Two questions must fit into what the gateway waits for a sign-in.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Key sets and answers about one person are a few thousand bytes.
const ANSWER_MAX_BYTES: usize = 64 * 1024;

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

#[derive(Clone)]
pub struct FacebookSettings {
    pub app_id: String,
    pub app_secret: SecretString,
    /// With its version, without a slash at the end.
    pub graph_url: String,
}

#[derive(Clone, Default)]
pub struct Providers {
    offered: Vec<(Provider, Arc<dyn IdentityProvider>)>,
}

impl Providers {
    pub fn new(settings: Settings) -> Result<Self, reqwest::Error> {
        let mut offered: Vec<(Provider, Arc<dyn IdentityProvider>)> = Vec::new();
        let by_openid = [
            (Provider::Apple, settings.apple),
            (Provider::Google, settings.google),
        ];
        for (provider, settings) in by_openid {
            let Some(settings) = settings else { continue };
            let keys = KeySet::new(http()?, settings.jwks_url);
            let expected = Expected {
                provider,
                issuer: settings.issuer,
                client_id: settings.client_id,
            };
            offered.push((provider, Arc::new(OpenId::new(expected, keys))));
        }
        if let Some(settings) = settings.facebook {
            offered.push((Provider::Facebook, Arc::new(Facebook::new(http()?, settings))));
        }
        Ok(Self { offered })
    }

    pub fn all(self) -> Vec<(Provider, Arc<dyn IdentityProvider>)> {
        self.offered
    }
}

fn http() -> Result<Client, reqwest::Error> {
    Client::builder()
        .timeout(TIMEOUT)
        .user_agent(concat!("stillpoint-auth/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .build()
}

/// The body of an answer that is not larger than any of theirs.
pub(super) async fn body(mut response: reqwest::Response) -> Result<Vec<u8>, ProviderError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unavailable)? {
        if body.len() + chunk.len() > ANSWER_MAX_BYTES {
            return Err(ProviderError::Unavailable("an answer without an end".to_owned()));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Without the address: a token may stand in it.
pub(super) fn unavailable(fault: reqwest::Error) -> ProviderError {
    ProviderError::Unavailable(fault.without_url().to_string())
}
