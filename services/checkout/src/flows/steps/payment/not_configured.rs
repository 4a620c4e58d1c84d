//! Handles work for a provider that is no longer configured: sold before it was removed from
//! `CHECKOUT_PROVIDERS`. The provider is not called. The work is retried a day later, in case it is configured by then.

use std::fmt::Display;

use chrono::TimeDelta;
use kit::due_queue::DueQueue;
use sqlx::{Encode, Postgres, Type};

use crate::domain::provider::Provider;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::ports::ProviderError;

const AGAIN_AFTER: TimeDelta = TimeDelta::days(1);

/// Postpones the leased row `key` if its provider is not configured; returns every other outcome.
pub async fn postpone_not_configured<K>(
    checkout: &Checkout,
    queue: &DueQueue,
    key: K,
    outcome: Result<()>,
) -> Result<()>
where
    K: Display + for<'q> Encode<'q, Postgres> + Type<Postgres> + Send,
{
    let Some(provider) = outcome.as_ref().err().and_then(provider_of) else {
        return outcome;
    };
    let name = provider.name();
    metrics::counter!("checkout_provider_not_configured_total", "provider" => name).increment(1);
    tracing::error!(%key, provider = name, "provider is not in CHECKOUT_PROVIDERS; retried in a day");
    let until = checkout.clock.now() + AGAIN_AFTER;
    Ok(queue.postpone(&checkout.pool, key, until).await?)
}

pub fn provider_of(error: &Error) -> Option<Provider> {
    match error {
        Error::Provider(ProviderError::NotConfigured(provider)) => Some(*provider),
        _ => None,
    }
}
