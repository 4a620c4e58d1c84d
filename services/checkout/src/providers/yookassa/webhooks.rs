//! YooKassa's webhooks. They are not signed: the object they name is fetched from YooKassa.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::json;

use super::Yookassa;
use crate::domain::webhook_event::{WebhookEvent, WebhookObject, WebhookRequest};
use crate::ports::{ProviderError, WebhookError, WebhookReader};

/// The events of payments and refunds. YooKassa has others (payouts, deals, saved methods), which change nothing here.
const HANDLED: [&str; 4] = [
    "payment.waiting_for_capture",
    "payment.succeeded",
    "payment.canceled",
    "refund.succeeded",
];

#[derive(Deserialize)]
struct Notification {
    event: String,
    object: Object,
}

#[derive(Deserialize)]
struct Object {
    #[serde(default)]
    id: String,
    payment_id: Option<String>,
}

#[async_trait]
impl WebhookReader for Yookassa {
    /// The object must exist in our shop, otherwise the notification is made up. Only what YooKassa answers is trusted.
    async fn read(
        &self,
        request: &WebhookRequest,
        _now: DateTime<Utc>,
    ) -> Result<Option<WebhookEvent>, WebhookError> {
        let notification = parse(&request.body)?;
        if !HANDLED.contains(&notification.event.as_str()) {
            return Ok(None);
        }
        let hinted = notice(notification)?;
        let (subject, status) = self.confirm(&hinted).await.map_err(made_up)?;
        // There is nothing to follow up for a payment that still waits for its buyer.
        if status == "pending" {
            return Err(WebhookError::Forged);
        }
        Ok(Some(WebhookEvent {
            // The notification's own status is not proven, so it must not stand in for the real one.
            event_id: format!("{}/{status}", hinted.event_id),
            object: subject,
            ..hinted
        }))
    }

    /// The ids alone: nothing proves the rest of the body.
    fn stored_body(&self, _delivery: &WebhookRequest, event: &WebhookEvent) -> Vec<u8> {
        let id = object_id(event);
        let payment_id = match &event.object {
            WebhookObject::RefundsOf(payment_id) => Some(payment_id),
            _ => None,
        };
        let kept = json!({ "event": event.kind, "object": { "id": id, "payment_id": payment_id } });
        kept.to_string().into_bytes()
    }

    fn read_stored(&self, body: &[u8]) -> Result<WebhookEvent, WebhookError> {
        read(body)
    }
}

impl Yookassa {
    /// The subject and its status, as YooKassa answers them.
    async fn confirm(&self, hinted: &WebhookEvent) -> Result<(WebhookObject, String), ProviderError> {
        let id = object_id(hinted);
        if hinted.kind.starts_with("refund.") {
            let refund = self.fetch_refund(id).await?;
            let payment_id = refund.payment_id.ok_or(ProviderError::NotFound)?;
            return Ok((WebhookObject::RefundsOf(payment_id), refund.status));
        }
        let payment = self.payment(id).await?;
        Ok((WebhookObject::Subscription(payment.id), payment.status))
    }
}

/// The second part of the event's id, which [`event`] makes.
fn object_id(event: &WebhookEvent) -> &str {
    event.event_id.split('/').nth(1).unwrap_or_default()
}

fn made_up(error: ProviderError) -> WebhookError {
    match error {
        ProviderError::NotFound | ProviderError::Rejected { .. } => WebhookError::Forged,
        error => error.into(),
    }
}

fn parse(body: &[u8]) -> Result<Notification, WebhookError> {
    serde_json::from_slice(body).map_err(|_| WebhookError::Unreadable)
}

/// A notification has no id of its own: one event of one object is one notification.
fn notice(notification: Notification) -> Result<WebhookEvent, WebhookError> {
    let Notification { event, object } = notification;
    let event_id = format!("{event}/{}", object.id);
    let is_id = !object.id.is_empty() && !object.id.contains('/');
    let subject = match event.split_once('.') {
        Some(("payment", _)) => WebhookObject::Subscription(object.id),
        Some(("refund", _)) => object
            .payment_id
            .map_or(WebhookObject::Other, WebhookObject::RefundsOf),
        _ => WebhookObject::Other,
    };
    let event = WebhookEvent {
        event_id,
        kind: event,
        object: subject,
        customer: None,
    };
    if is_id && event.is_well_formed() {
        Ok(event)
    } else {
        Err(WebhookError::Unreadable)
    }
}

pub fn read(body: &[u8]) -> Result<WebhookEvent, WebhookError> {
    notice(parse(body)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_news_are_the_same_notification() {
        let notification = |event: &str| {
            let body = format!(
                r#"{{"type":"notification","event":"{event}","object":{{"id":"2c1","status":"succeeded"}}}}"#
            );
            read(body.as_bytes()).unwrap()
        };
        assert_eq!(
            notification("payment.succeeded"),
            notification("payment.succeeded")
        );
        assert_eq!(
            notification("payment.succeeded").object,
            WebhookObject::Subscription("2c1".into())
        );
        assert_ne!(
            notification("payment.succeeded").event_id,
            notification("payment.canceled").event_id
        );
        let refund = br#"{"event":"refund.succeeded","object":{"id":"r1","payment_id":"2c1"}}"#;
        assert_eq!(
            read(refund).unwrap().object,
            WebhookObject::RefundsOf("2c1".into())
        );
    }

    #[test]
    fn ids_that_are_none_are_unreadable() {
        let long = "a".repeat(12_000);
        for id in ["", "a\\u0000b", "a/../b", "a b", long.as_str()] {
            let body = format!(r#"{{"event":"payment.succeeded","object":{{"id":"{id}"}}}}"#);
            assert_eq!(read(body.as_bytes()), Err(WebhookError::Unreadable), "{id:.20}");
        }
    }
}
