//! Requests to PayPal with a cached access token.

use chrono::{DateTime, TimeDelta, Utc};
use kit::clock::Clock;
use kit::config::RotatingSecret;
use kit::http::{ClientError, HttpResponse, Method, RequestBuilder, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use tokio::sync::Mutex;

use super::Account;
use crate::ports::ProviderError;
use crate::providers::transport::{Transport, by_status};

/// A token is not used in its last minutes, because a request may take time to arrive.
const TOKEN_RESERVE: TimeDelta = TimeDelta::minutes(5);

pub struct Http {
    transport: Transport,
    client_id: String,
    client_secret: RotatingSecret,
    token: Mutex<Option<Token>>,
    clock: Clock,
}

#[derive(Clone)]
struct Token {
    text: SecretString,
    good_until: DateTime<Utc>,
}

#[derive(Deserialize)]
struct Granted {
    access_token: SecretString,
    expires_in: i64,
}

impl Http {
    pub fn new(account: Account, clock: Clock) -> Result<Self, ClientError> {
        Ok(Self {
            transport: Transport::new(&account.api_base, account.timeout)?,
            client_id: account.client_id,
            client_secret: account.client_secret,
            token: Mutex::default(),
            clock,
        })
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.transport.request(method, path)
    }

    /// A rejected token is replaced once. The rejected request had no effect.
    pub async fn send(
        &self,
        call: &'static str,
        request: impl Fn() -> RequestBuilder,
    ) -> Result<HttpResponse, ProviderError> {
        let token = self.token(None).await?;
        let first = request().bearer_auth(token.expose_secret());
        match self.transport.send(call, first, refused).await {
            Err(ProviderError::NotSent(detail)) if detail.starts_with("401") => {
                let token = self.token(Some(&token)).await?;
                let again = request().bearer_auth(token.expose_secret());
                self.transport.send(call, again, refused).await
            }
            outcome => outcome,
        }
    }

    /// One caller at a time requests a token; the others wait for it.
    async fn token(&self, spent: Option<&SecretString>) -> Result<SecretString, ProviderError> {
        let mut kept = self.token.lock().await;
        let now = self.clock.now();
        let is_spent =
            |token: &Token| spent.is_some_and(|spent| spent.expose_secret() == token.text.expose_secret());
        if let Some(token) = kept
            .as_ref()
            .filter(|token| now < token.good_until && !is_spent(token))
        {
            return Ok(token.text.clone());
        }
        let request = self
            .transport
            .request(Method::POST, "/v1/oauth2/token")
            .basic_auth(&self.client_id, Some(self.client_secret.first().expose_secret()))
            .form(&[("grant_type", "client_credentials")]);
        let answered = self.transport.send("paypal_token", request, refused).await;
        // Without a token no request was sent.
        let granted: Granted = answered
            .and_then(|answered| Ok(answered.json()?))
            .map_err(|error| ProviderError::NotSent(format!("no token: {error}")))?;
        *kept = Some(Token {
            text: granted.access_token.clone(),
            good_until: now + TimeDelta::seconds(granted.expires_in) - TOKEN_RESERVE,
        });
        Ok(granted.access_token)
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Refusal {
    name: String,
    message: String,
    details: Vec<Detail>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Detail {
    issue: String,
    description: String,
}

fn refused(answered: &HttpResponse) -> ProviderError {
    let Refusal {
        name,
        message,
        details,
    } = serde_json::from_slice(&answered.body).unwrap_or_default();
    let detail = details.into_iter().next().unwrap_or_default();
    let code = if detail.issue.is_empty() {
        name
    } else {
        detail.issue
    };
    let said = if detail.description.is_empty() {
        message
    } else {
        detail.description
    };
    match answered.status {
        StatusCode::UNAUTHORIZED => ProviderError::NotSent(format!("401 {code}")),
        status => by_status(status, &code, said),
    }
}
