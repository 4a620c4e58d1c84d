//! Handles work for a provider that is no longer configured: sold before it was removed from
//! `CHECKOUT_PROVIDERS`. The provider is not called. The work is retried a day later, in case it is configured by then.

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::provider::Provider;
use crate::error::Error;
use crate::ports::ProviderError;

const AGAIN_AFTER: TimeDelta = TimeDelta::days(1);

/// When to look again at `work`, which failed with `error`. `None` for every other error.
pub fn postponed(error: &Error, now: DateTime<Utc>, work: &str) -> Option<DateTime<Utc>> {
    let provider = provider_of(error)?;
    let name = provider.name();
    metrics::counter!("checkout_provider_not_configured_total", "provider" => name).increment(1);
    tracing::error!(
        "{work} waits for {name}, which is not in CHECKOUT_PROVIDERS; it is looked at again in a day"
    );
    Some(now + AGAIN_AFTER)
}

pub fn provider_of(error: &Error) -> Option<Provider> {
    match error {
        Error::Provider(ProviderError::NotConfigured(provider)) => Some(*provider),
        _ => None,
    }
}
