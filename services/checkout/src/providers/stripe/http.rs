//! One request to Stripe and its answer: version, key, timeout, and what a failure says about its effect.

use std::time::Duration;

use kit::backoff::Backoff;
use kit::retry::{Policy, retry_when};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use super::form::Form;
use super::refusal;
use crate::ports::ProviderError;

/// Answers keep this shape, whatever the account's own default version is.
const STRIPE_VERSION: &str = "2026-10-28.endive";
const FORM: &str = "application/x-www-form-urlencoded";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Another request with the same key is under way: soon its answer is ours. The only retry in this client.
const IN_PROGRESS_POLICY: Policy = Policy {
    attempts: 5,
    backoff: Backoff::new(Duration::from_millis(100), Duration::from_millis(800)),
};

pub struct Http {
    client: Client,
    api_base: String,
    secret_key: SecretString,
}

impl Http {
    pub fn new(api_base: &str, secret_key: SecretString, timeout: Duration) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .timeout(timeout)
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent(concat!("stillpoint-checkout/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self {
            client,
            api_base: api_base.trim_end_matches('/').to_owned(),
            secret_key,
        })
    }

    pub async fn get<T: DeserializeOwned>(
        &self,
        call: &'static str,
        path: &str,
        query: &Form,
    ) -> Result<T, ProviderError> {
        let path = format!("{path}?{}", query.encode());
        self.send(call, self.request(Method::GET, &path)).await
    }

    /// Every POST carries a key that was stored before, so that it can be repeated.
    pub async fn post<T: DeserializeOwned>(
        &self,
        call: &'static str,
        path: &str,
        form: &Form,
        idempotency_key: &str,
    ) -> Result<T, ProviderError> {
        let request = self
            .request(Method::POST, path)
            .header("Idempotency-Key", idempotency_key)
            .header("Content-Type", FORM)
            .body(form.encode());
        let again = || async {
            let request = request
                .try_clone()
                .ok_or_else(|| ProviderError::NotSent("not repeatable".to_owned()))?;
            self.send(call, request).await
        };
        retry_when(
            IN_PROGRESS_POLICY,
            |error| *error == ProviderError::InProgress,
            again,
        )
        .await
    }

    /// Idempotent by nature: what is gone stays gone.
    pub async fn delete<T: DeserializeOwned>(
        &self,
        call: &'static str,
        path: &str,
        query: &Form,
    ) -> Result<T, ProviderError> {
        let path = format!("{path}?{}", query.encode());
        self.send(call, self.request(Method::DELETE, &path)).await
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.api_base))
            .bearer_auth(self.secret_key.expose_secret())
            .header("Stripe-Version", STRIPE_VERSION)
    }

    async fn send<T: DeserializeOwned>(
        &self,
        call: &'static str,
        request: RequestBuilder,
    ) -> Result<T, ProviderError> {
        let started = Instant::now();
        let outcome = answer(request).await;
        let label = match &outcome {
            Ok(_) => "ok",
            Err(ProviderError::Declined(_)) => "declined",
            Err(ProviderError::Rejected { .. }) => "rejected",
            Err(ProviderError::NotFound) => "not_found",
            Err(ProviderError::NotConfigured(_)) => "not_configured",
            Err(ProviderError::NotSent(_)) => "unreached",
            Err(ProviderError::InProgress) => "in_progress",
            Err(ProviderError::OutcomeUnknown(_)) => "no_answer",
        };
        metrics::histogram!("checkout_provider_seconds", "call" => call, "outcome" => label)
            .record(started.elapsed().as_secs_f64());
        outcome
    }
}

async fn answer<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, ProviderError> {
    let response = request.send().await.map_err(unanswered)?;
    let status = response.status();
    let body = response.bytes().await.map_err(unanswered)?;
    if status != StatusCode::OK {
        return Err(refusal::read(status, &body));
    }
    // An answer we cannot read is no answer: the effect is there all the same.
    serde_json::from_slice(&body)
        .map_err(|error| ProviderError::OutcomeUnknown(format!("unreadable: {error}")))
}

fn unanswered(error: reqwest::Error) -> ProviderError {
    let connected = !error.is_connect();
    let detail = error.without_url().to_string();
    if connected {
        ProviderError::OutcomeUnknown(detail)
    } else {
        ProviderError::NotSent(detail)
    }
}
