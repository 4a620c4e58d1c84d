//! From Stripe's objects to what they mean for us.

use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};

use super::wire::{Expandable, InvoiceObject, PaymentIntentObject, SetupIntentObject, SubscriptionObject};
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot, ProviderStatus};
use crate::ports::ProviderError;

/// Fails as "no answer" on anything Stripe does not say at the pinned version: better asked again than guessed.
pub fn of(
    subscription: &SubscriptionObject,
    intent: Option<&PaymentIntentObject>,
) -> Result<PaymentSnapshot, ProviderError> {
    let status = status(&subscription.status)?;
    let period_end = subscription
        .items
        .data
        .iter()
        .map(|item| item.current_period_end)
        .max()
        .and_then(|seconds| DateTime::<Utc>::from_timestamp(seconds, 0))
        .ok_or_else(|| unexpected("subscription without a period", &subscription.id))?;
    Ok(PaymentSnapshot {
        provider_subscription_id: subscription.id.clone(),
        payment_id: subscription.payment_id(),
        provider_intent_id: subscription.intent_id().map(str::to_owned),
        status,
        period_end,
        charge: charge(status, subscription, intent)?,
    })
}

fn unexpected(what: &str, value: &str) -> ProviderError {
    ProviderError::OutcomeUnknown(format!("{what}: {value}"))
}

fn status(status: &str) -> Result<ProviderStatus, ProviderError> {
    Ok(match status {
        "incomplete" => ProviderStatus::Incomplete,
        "incomplete_expired" => ProviderStatus::Expired,
        "trialing" => ProviderStatus::Trialing,
        "active" => ProviderStatus::Active,
        "past_due" | "unpaid" | "paused" => ProviderStatus::PastDue,
        "canceled" => ProviderStatus::Canceled,
        other => return Err(unexpected("unknown subscription status", other)),
    })
}

fn charge(
    status: ProviderStatus,
    subscription: &SubscriptionObject,
    intent: Option<&PaymentIntentObject>,
) -> Result<Charge, ProviderError> {
    if status == ProviderStatus::Trialing {
        let setup = subscription
            .pending_setup_intent
            .as_ref()
            .and_then(Expandable::object);
        return Ok(setup.map_or(Charge::NotDue, setup_charge));
    }
    let Some(invoice) = subscription.invoice() else {
        return Err(unexpected("subscription without its invoice", &subscription.id));
    };
    match (invoice.status.as_deref(), intent) {
        (Some("paid"), _) if invoice.amount_paid > 0 => captured(invoice.amount_paid, &invoice.currency),
        // Right after a trial the next invoice is still a draft.
        (Some("paid" | "draft"), _) => Ok(Charge::NotDue),
        (Some("void" | "uncollectible"), _) => Ok(Charge::Closed),
        (Some("open"), Some(intent)) => intent_charge(intent, invoice),
        (Some("open"), None) => Ok(Charge::Processing),
        (other, _) => Err(unexpected("unknown invoice status", other.unwrap_or("none"))),
    }
}

fn setup_charge(setup: &SetupIntentObject) -> Charge {
    match (setup.status.as_str(), &setup.client_secret) {
        ("succeeded", _) | (_, None) => Charge::NotDue,
        (_, Some(client_secret)) => Charge::SetupRequired {
            client_secret: client_secret.clone(),
        },
    }
}

fn intent_charge(intent: &PaymentIntentObject, invoice: &InvoiceObject) -> Result<Charge, ProviderError> {
    let confirmation = invoice
        .confirmation_secret
        .as_ref()
        .map(|secret| &secret.client_secret);
    let client_secret = || {
        let secret = intent.client_secret.as_ref().or(confirmation).cloned();
        secret.ok_or_else(|| unexpected("payment intent without a client secret", &intent.status))
    };
    Ok(match intent.status.as_str() {
        "succeeded" => captured(intent.amount_received, &intent.currency)?,
        "processing" | "requires_capture" => Charge::Processing,
        "requires_payment_method" => match &intent.last_payment_error {
            Some(error) => Charge::Declined(error.decline()),
            None => Charge::ActionRequired {
                client_secret: client_secret()?,
            },
        },
        "requires_action" | "requires_confirmation" => Charge::ActionRequired {
            client_secret: client_secret()?,
        },
        "canceled" => Charge::Closed,
        other => return Err(unexpected("unknown payment intent status", other)),
    })
}

fn captured(minor: i64, currency: &str) -> Result<Charge, ProviderError> {
    let currency = Currency::parse(&currency.to_ascii_uppercase())
        .map_err(|error| unexpected("currency", &error.to_string()))?;
    Ok(Charge::Captured(Money::new(minor, currency)))
}

#[cfg(test)]
mod tests;
