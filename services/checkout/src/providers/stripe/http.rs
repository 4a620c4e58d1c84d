//! A request to Stripe: version, secret key and idempotency key.

use std::time::Duration;

use kit::backoff::Backoff;
use kit::config::RotatingSecret;
use kit::http::{ClientError, Method, RequestBuilder};
use kit::retry::{Policy, retry_when};
use secrecy::ExposeSecret;
use serde::de::DeserializeOwned;

use super::form::Form;
use super::refusal;
use crate::ports::ProviderError;
use crate::providers::transport::Transport;

/// Answers keep this shape, whatever the account's own default version is.
const STRIPE_VERSION: &str = "2026-10-28.endive";
const FORM: &str = "application/x-www-form-urlencoded";

/// Another request with the same key is under way: soon its answer is ours. The only retry in this client.
const IN_PROGRESS_POLICY: Policy = Policy {
    attempts: 5,
    backoff: Backoff::new(Duration::from_millis(100), Duration::from_millis(800)),
};

pub struct Http {
    transport: Transport,
    secret_key: RotatingSecret,
}

impl Http {
    pub fn new(api_base: &str, secret_key: RotatingSecret, timeout: Duration) -> Result<Self, ClientError> {
        Ok(Self {
            transport: Transport::new(api_base, timeout)?,
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
        self.transport
            .request(method, path)
            .bearer_auth(self.secret_key.first().expose_secret())
            .header("Stripe-Version", STRIPE_VERSION)
    }

    async fn send<T: DeserializeOwned>(
        &self,
        call: &'static str,
        request: RequestBuilder,
    ) -> Result<T, ProviderError> {
        let response = self.transport.send(call, request, refusal::read).await?;
        Ok(response.json()?)
    }
}
