//! Stripe's webhooks: proof that Stripe wrote one, and what it is about.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use kit::config::RotatingSecret;
use secrecy::ExposeSecret;
use serde::Deserialize;
use sha2::Sha256;

use super::wire::{Created, Expandable};
use crate::domain::webhook_event::{WebhookEvent, WebhookObject, WebhookRequest};
use crate::ports::{WebhookError, WebhookReader};

const TOLERANCE: TimeDelta = TimeDelta::seconds(300);
const CHARGE_REFUNDED: &str = "charge.refunded";

pub struct StripeWebhooks {
    /// More than one while a secret is being replaced.
    secrets: RotatingSecret,
}

impl StripeWebhooks {
    pub fn new(secrets: RotatingSecret) -> Self {
        Self { secrets }
    }

    /// Any of our secrets may have made any of the signatures. Compares in constant time.
    fn is_genuine(&self, header: &Header<'_>, body: &[u8]) -> bool {
        self.secrets.values().iter().any(|secret| {
            let Ok(mac) = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes()) else {
                return false;
            };
            let signed = mac
                .chain_update(header.timestamp)
                .chain_update(b".")
                .chain_update(body);
            header
                .signatures
                .iter()
                .any(|signature| signed.clone().verify_slice(signature).is_ok())
        })
    }

    fn read(&self, body: &[u8], signature: &str, now: DateTime<Utc>) -> Result<WebhookEvent, WebhookError> {
        let header = Header::parse(signature).ok_or(WebhookError::Forged)?;
        if !self.is_genuine(&header, body) {
            return Err(WebhookError::Forged);
        }
        let signed_at = header.signed_at().ok_or(WebhookError::Forged)?;
        if (now - signed_at).abs() > TOLERANCE {
            return Err(WebhookError::TooOld);
        }
        read_webhook(body)
    }
}

#[async_trait]
impl WebhookReader for StripeWebhooks {
    async fn read(
        &self,
        request: &WebhookRequest,
        now: DateTime<Utc>,
    ) -> Result<Option<WebhookEvent>, WebhookError> {
        self.read(&request.body, &request.signature, now).map(Some)
    }

    fn read_stored(&self, body: &[u8]) -> Result<WebhookEvent, WebhookError> {
        read_webhook(body)
    }
}

/// What one is about that was proven.
pub fn read_webhook(body: &[u8]) -> Result<WebhookEvent, WebhookError> {
    let event: EventObject = serde_json::from_slice(body).map_err(|_| WebhookError::Unreadable)?;
    let EventData {
        object,
        previous_attributes,
    } = event.data;
    Ok(WebhookEvent {
        customer: customer(&object, previous_attributes),
        object: subject(&event.kind, object),
        event_id: event.id,
        kind: event.kind,
    })
}

/// `t=1492774577,v1=5257a8…,v1=…,v0=…`
struct Header<'a> {
    timestamp: &'a str,
    signatures: Vec<Vec<u8>>,
}

impl<'a> Header<'a> {
    fn parse(header: &'a str) -> Option<Self> {
        let mut timestamp = None;
        let mut signatures = Vec::new();
        for part in header.split(',') {
            match part.trim().split_once('=') {
                Some(("t", value)) => timestamp = Some(value),
                Some(("v1", value)) => signatures.extend(hex::decode(value).ok()),
                _ => {}
            }
        }
        Some(Self {
            timestamp: timestamp?,
            signatures,
        })
    }

    fn signed_at(&self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(self.timestamp.parse().ok()?, 0)
    }
}

#[derive(Deserialize)]
struct EventObject {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: EventData,
}

#[derive(Deserialize)]
struct EventData {
    object: SubjectObject,
    previous_attributes: Option<Previous>,
}

#[derive(Deserialize)]
struct Previous {
    customer: Option<Expandable<Created>>,
}

/// Of whatever object the event is about, only what leads to a subscription or a charge. A webhook endpoint keeps the version it was
/// made with, so an invoice may name its subscription in the old place or the new one.
#[derive(Deserialize)]
struct SubjectObject {
    #[serde(default)]
    object: String,
    id: Option<String>,
    subscription: Option<Expandable<Created>>,
    parent: Option<InvoiceParent>,
    payment_intent: Option<Expandable<Created>>,
    customer: Option<Expandable<Created>>,
}

#[derive(Deserialize)]
struct InvoiceParent {
    subscription_details: Option<SubscriptionDetails>,
}

#[derive(Deserialize)]
struct SubscriptionDetails {
    subscription: Option<Expandable<Created>>,
}

/// A card that was taken from its customer names them as what was before.
fn customer(object: &SubjectObject, previous: Option<Previous>) -> Option<String> {
    if object.object == "customer" {
        return object.id.clone();
    }
    let before = previous.and_then(|previous| previous.customer).map(id_of);
    match &object.customer {
        Some(Expandable::Id(id)) => Some(id.clone()),
        Some(Expandable::Object(object)) => Some(object.id.clone()),
        None => before,
    }
}

fn subject(kind: &str, object: SubjectObject) -> WebhookObject {
    let of_parent = object
        .parent
        .and_then(|parent| parent.subscription_details)
        .and_then(|details| details.subscription);
    let found = match object.object.as_str() {
        "subscription" => object.id.map(WebhookObject::Subscription),
        "invoice" => of_parent
            .or(object.subscription)
            .map(id_of)
            .map(WebhookObject::Subscription),
        "payment_intent" => object.id.map(WebhookObject::PaymentIntent),
        "refund" | "dispute" => object.payment_intent.map(id_of).map(WebhookObject::RefundsOf),
        "charge" if kind == CHARGE_REFUNDED => object.payment_intent.map(id_of).map(WebhookObject::RefundsOf),
        "charge" => object.payment_intent.map(id_of).map(WebhookObject::PaymentIntent),
        _ => None,
    };
    found.unwrap_or(WebhookObject::Other)
}

fn id_of(reference: Expandable<Created>) -> String {
    match reference {
        Expandable::Id(id) => id,
        Expandable::Object(object) => object.id,
    }
}

#[cfg(test)]
mod tests;
