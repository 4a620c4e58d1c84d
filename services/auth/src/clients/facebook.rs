//! Facebook sign-in: verifies an access token by `debug_token`, then reads the profile.
use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use kit::http::{HttpClient, HttpResponse, Method, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

use crate::domain::email::Email;
use crate::domain::social::{Assertion, Provider, TokenError};
use crate::ports::{IdentityProvider, ProviderError};

/// "Access token has expired, been revoked, or is otherwise invalid".
const BAD_TOKEN: i64 = 190;

/// Longer than any that Facebook gives out; one without an end is remembered as long.
const LONGEST: TimeDelta = TimeDelta::days(90);

const TOKEN_MAX_BYTES: usize = 4 * 1024;

#[derive(Clone)]
pub struct FacebookSettings {
    pub app_id: String,
    pub app_secret: SecretString,
    /// With its version, without a slash at the end.
    pub graph_url: String,
}

pub struct Facebook {
    graph: HttpClient,
    settings: FacebookSettings,
}

#[derive(Deserialize)]
struct DebugTokenResponse {
    data: TokenInfo,
}

#[derive(Deserialize)]
struct TokenInfo {
    #[serde(default)]
    is_valid: bool,
    #[serde(default)]
    app_id: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    user_id: String,
    /// 0: never.
    #[serde(default)]
    expires_at: i64,
}

#[derive(Deserialize)]
struct Profile {
    id: String,
    name: Option<String>,
    email: Option<String>,
}

#[derive(Deserialize)]
struct GraphErrorResponse {
    error: GraphError,
}

#[derive(Deserialize)]
struct GraphError {
    code: i64,
}

impl Facebook {
    pub fn new(graph: HttpClient, settings: FacebookSettings) -> Self {
        Self { graph, settings }
    }

    async fn inspect(&self, token: &str) -> Result<TokenInfo, ProviderError> {
        let settings = &self.settings;
        let own = format!("{}|{}", settings.app_id, settings.app_secret.expose_secret());
        let request = self.graph.request(Method::GET, "/debug_token");
        let request = request.bearer_auth(own).query(&[("input_token", token)]);
        let about: DebugTokenResponse = self
            .graph
            .call("facebook_debug_token", request, read)
            .await
            .map_err(app_credentials_error)?;
        Ok(about.data)
    }

    async fn me(&self, token: &str) -> Result<Profile, ProviderError> {
        let secret = self.settings.app_secret.expose_secret();
        let keyed: Hmac<Sha256> = Hmac::new_from_slice(secret.as_bytes())
            .map_err(|_| ProviderError::Unavailable("FACEBOOK_APP_SECRET is no key".to_owned()))?;
        let proof = hex::encode(keyed.chain_update(token).finalize().into_bytes());
        let query = [("fields", "id,name,email"), ("appsecret_proof", &proof)];
        let request = self.graph.request(Method::GET, "/me");
        let request = request.bearer_auth(token).query(&query);
        self.graph.call("facebook_me", request, read).await
    }
}

#[async_trait]
impl IdentityProvider for Facebook {
    async fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Assertion, ProviderError> {
        if token.is_empty() || token.len() > TOKEN_MAX_BYTES {
            return Err(TokenError::Malformed.into());
        }
        let about = self.inspect(token).await?;
        let expires_at = self.check(&about, now)?;
        let me = self.me(token).await?;
        if me.id != about.user_id {
            return Err(TokenError::Subject.into());
        }
        Ok(Assertion {
            provider: Provider::Facebook,
            subject: me.id,
            email: me.email.and_then(|email| Email::parse(&email).ok()),
            is_email_verified: false,
            name: me.name,
            nonce: None,
            expires_at,
        })
    }
}

impl Facebook {
    /// A token of another app's is a valid one: without this look any app could sign its users in to us.
    fn check(&self, about: &TokenInfo, now: DateTime<Utc>) -> Result<DateTime<Utc>, TokenError> {
        if about.app_id.is_empty() {
            return Err(TokenError::Unknown);
        }
        if about.app_id != self.settings.app_id || about.kind != "USER" {
            return Err(TokenError::Audience);
        }
        if about.user_id.is_empty() {
            return Err(TokenError::Subject);
        }
        let expires_at = match about.expires_at {
            0 => now + LONGEST,
            seconds => DateTime::from_timestamp_secs(seconds).ok_or(TokenError::Malformed)?,
        };
        if !about.is_valid || expires_at <= now {
            return Err(TokenError::Expired);
        }
        Ok(expires_at)
    }
}

fn read<T: DeserializeOwned>(response: HttpResponse) -> Result<T, ProviderError> {
    let HttpResponse { status, body } = response;
    if status == StatusCode::OK {
        return serde_json::from_slice(&body)
            .map_err(|_| ProviderError::Unavailable("the answer is not of the graph".to_owned()));
    }
    let code = serde_json::from_slice::<GraphErrorResponse>(&body).map(|trouble| trouble.error.code);
    Err(match code {
        Ok(BAD_TOKEN) => TokenError::Unknown.into(),
        Ok(code) => ProviderError::Unavailable(format!("HTTP {status}, code {code}")),
        Err(_) => ProviderError::Unavailable(format!("HTTP {status}")),
    })
}

/// Asked with our own token, a bad one is a wrong setting.
fn app_credentials_error(error: ProviderError) -> ProviderError {
    match error {
        ProviderError::InvalidToken(_) => {
            ProviderError::Unavailable("FACEBOOK_APP_ID and FACEBOOK_APP_SECRET are refused".to_owned())
        }
        outage @ ProviderError::Unavailable(_) => outage,
    }
}
