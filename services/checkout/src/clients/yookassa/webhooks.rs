//! Hints of YooKassa's: what they are about is asked for, whatever they say.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde::Deserialize;

use super::Yookassa;
use crate::domain::notice::{Delivery, Notice, Subject};
use crate::ports::{ProviderError, WebhookFault, WebhookReader};

#[derive(Deserialize)]
struct Notification {
    event: String,
    object: Object,
}

#[derive(Deserialize)]
struct Object {
    id: String,
    payment_id: Option<String>,
}

#[async_trait]
impl WebhookReader for Yookassa {
    /// Nobody signs it. What it is about must exist in our shop: anything else was made up, and is not kept.
    async fn read(&self, delivery: &Delivery, _now: DateTime<Utc>) -> Result<Notice, WebhookFault> {
        let mut notice = read(&delivery.body)?;
        let id = match &notice.subject {
            Subject::Subscription(id) | Subject::RefundsOf(id) => id,
            Subject::PaymentIntent(_) | Subject::Reversal(_) | Subject::MayPay(_) | Subject::Other => {
                return Ok(notice);
            }
        };
        match self.payment(id).await {
            // Of what waits for its buyer there is nothing to tell.
            Ok(found) if found.status == "pending" => Err(WebhookFault::Forged),
            Ok(found) => {
                // What it says of the status is anybody's word, and must not pass for the real news.
                notice.event_id = format!("{}/{}", notice.event_id, found.status);
                Ok(notice)
            }
            Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => Err(WebhookFault::Forged),
            Err(error) => Err(error.into()),
        }
    }

    fn read_stored(&self, body: &[u8]) -> Result<Notice, WebhookFault> {
        read(body)
    }
}

/// A notification has no number of its own: the same news of the same object is the same notification.
pub fn read(body: &[u8]) -> Result<Notice, WebhookFault> {
    let Notification { event, object } =
        serde_json::from_slice(body).map_err(|_| WebhookFault::Unreadable)?;
    let event_id = format!("{event}/{}", object.id);
    let subject = match event.split_once('.') {
        Some(("payment", _)) => Subject::Subscription(object.id),
        Some(("refund", _)) => object.payment_id.map_or(Subject::Other, Subject::RefundsOf),
        _ => Subject::Other,
    };
    Ok(Notice {
        event_id,
        kind: event,
        subject,
        customer: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_news_are_the_same_notification() {
        let told = |event: &str| {
            let body = format!(
                r#"{{"type":"notification","event":"{event}","object":{{"id":"2c1","status":"succeeded"}}}}"#
            );
            read(body.as_bytes()).unwrap()
        };
        assert_eq!(told("payment.succeeded"), told("payment.succeeded"));
        assert_eq!(
            told("payment.succeeded").subject,
            Subject::Subscription("2c1".into())
        );
        assert_ne!(
            told("payment.succeeded").event_id,
            told("payment.canceled").event_id
        );
        let refund = br#"{"event":"refund.succeeded","object":{"id":"r1","payment_id":"2c1"}}"#;
        assert_eq!(read(refund).unwrap().subject, Subject::RefundsOf("2c1".into()));
    }
}
