//! PayPal's notifications. PayPal itself is asked whether it wrote one: its certificates come and go.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Paypal;
use super::refunds::REVERSED;
use crate::domain::notice::{Delivery, Notice, Subject};
use crate::ports::{ProviderError, WebhookFault, WebhookReader};

/// What proves a notification: PayPal's name for it in the question, and the header it came in.
const PROOFS: [(&str, &str); 5] = [
    ("auth_algo", "paypal-auth-algo"),
    ("cert_url", "paypal-cert-url"),
    ("transmission_id", "paypal-transmission-id"),
    ("transmission_sig", "paypal-transmission-sig"),
    ("transmission_time", "paypal-transmission-time"),
];

#[derive(Deserialize)]
struct Verdict {
    verification_status: String,
}

#[derive(Deserialize)]
struct EventObject {
    id: String,
    event_type: String,
    resource_type: Option<String>,
    resource: Resource,
}

#[derive(Deserialize)]
struct Resource {
    id: Option<String>,
    billing_agreement_id: Option<String>,
    sale_id: Option<String>,
    subscriber: Option<Subscriber>,
}

#[derive(Deserialize)]
struct Subscriber {
    payer_id: Option<String>,
}

#[async_trait]
impl WebhookReader for Paypal {
    async fn read(&self, delivery: &Delivery, _now: DateTime<Utc>) -> Result<Option<Notice>, WebhookFault> {
        let notice = self.read_stored(&delivery.body)?;
        // PayPal is not asked about what it cannot have written.
        if !notice.is_well_formed() {
            return Err(WebhookFault::Unreadable);
        }
        let question = question(delivery, &self.webhook_id).ok_or(WebhookFault::Forged)?;
        let request = || {
            let path = "/v1/notifications/verify-webhook-signature";
            let request = self.http.request(Method::POST, path);
            request
                .header("Content-Type", "application/json")
                .body(question.clone())
        };
        let verdict: Verdict = match self.http.send("paypal_verify_webhook", request).await {
            Ok(answered) => answered.json()?,
            Err(ProviderError::Rejected { .. } | ProviderError::NotFound) => {
                return Err(WebhookFault::Forged);
            }
            Err(error) => return Err(error.into()),
        };
        if verdict.verification_status == "SUCCESS" {
            Ok(Some(notice))
        } else {
            Err(WebhookFault::Forged)
        }
    }

    fn read_stored(&self, body: &[u8]) -> Result<Notice, WebhookFault> {
        read(body)
    }
}

pub fn read(body: &[u8]) -> Result<Notice, WebhookFault> {
    let event: EventObject = serde_json::from_slice(body).map_err(|_| WebhookFault::Unreadable)?;
    let EventObject {
        id,
        event_type,
        resource_type,
        resource,
    } = event;
    let subject = match resource_type.as_deref() {
        // It does not say of which sale it is.
        _ if event_type == REVERSED => resource.id.map(Subject::Reversal),
        Some("subscription") => resource.id.map(Subject::Subscription),
        Some("sale") => resource.billing_agreement_id.map(Subject::Subscription),
        Some("refund") => resource.sale_id.map(Subject::RefundsOf),
        _ => None,
    };
    Ok(Notice {
        event_id: id,
        kind: event_type,
        subject: subject.unwrap_or(Subject::Other),
        customer: resource.subscriber.and_then(|subscriber| subscriber.payer_id),
    })
}

/// With the event in the very bytes it came in: the signature covers them.
fn question(delivery: &Delivery, webhook_id: &str) -> Option<Vec<u8>> {
    let mut question = json!({ "webhook_id": webhook_id });
    for (name, header) in PROOFS {
        question[name] = Value::from(delivery.headers.get(header)?.as_str());
    }
    let mut text = question.to_string().into_bytes();
    text.pop();
    text.extend_from_slice(br#","webhook_event":"#);
    text.extend_from_slice(&delivery.body);
    text.push(b'}');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(body: &Value) -> Subject {
        read(body.to_string().as_bytes()).unwrap().subject
    }

    #[test]
    fn what_an_event_is_about_is_read() {
        let event = |kind: &str, resource: Value| json!({ "id": "WH-1", "event_type": "X", "resource_type": kind, "resource": resource });
        let of = |kind, resource| subject(&event(kind, resource));
        assert_eq!(
            of("subscription", json!({ "id": "I-1" })),
            Subject::Subscription("I-1".into())
        );
        let sale = json!({ "id": "S1", "billing_agreement_id": "I-1" });
        assert_eq!(of("sale", sale), Subject::Subscription("I-1".into()));
        assert_eq!(
            of("refund", json!({ "id": "R1", "sale_id": "S1" })),
            Subject::RefundsOf("S1".into())
        );
        assert_eq!(of("plan", json!({ "id": "P-1" })), Subject::Other);
        let mut taken_back = event("sale", json!({ "id": "R2", "amount": { "total": "-1.00" } }));
        taken_back["event_type"] = "PAYMENT.SALE.REVERSED".into();
        assert_eq!(subject(&taken_back), Subject::Reversal("R2".into()));
    }

    #[test]
    fn the_event_is_asked_about_in_its_very_bytes() {
        let headers = PROOFS
            .iter()
            .map(|(_, header)| ((*header).to_owned(), "x".to_owned()));
        let mut delivery = Delivery {
            body: br#"{"b":1,  "a":2.50}"#.to_vec(),
            headers: headers.collect(),
            ..Delivery::default()
        };
        let asked = String::from_utf8(question(&delivery, "WH").unwrap()).unwrap();
        assert!(
            asked.ends_with(r#""webhook_event":{"b":1,  "a":2.50}}"#),
            "{asked}"
        );
        delivery.headers.remove("paypal-cert-url");
        assert!(question(&delivery, "WH").is_none(), "a proof is missing");
    }
}
