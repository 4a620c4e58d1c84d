//! PayPal's webhooks, verified by a call to PayPal.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::http::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Paypal;
use super::refunds::REVERSED;
use crate::domain::webhook_event::{WebhookEvent, WebhookObject, WebhookRequest};
use crate::ports::{ProviderError, WebhookError, WebhookReader};

/// The parts of the signature: the field of the verification request, and the header that contains it.
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
    async fn read(
        &self,
        request: &WebhookRequest,
        _now: DateTime<Utc>,
    ) -> Result<Option<WebhookEvent>, WebhookError> {
        let event = self.read_stored(&request.body)?;
        // A malformed event is rejected without a call to PayPal.
        if !event.is_well_formed() {
            return Err(WebhookError::Unreadable);
        }
        let question = question(request, &self.webhook_id).ok_or(WebhookError::Forged)?;
        let request = || {
            let path = "/v1/notifications/verify-webhook-signature";
            let request = self.http.request(Method::POST, path);
            request
                .header("Content-Type", "application/json")
                .body(question.clone())
        };
        let verdict: Verdict = match self.http.send("paypal_verify_webhook", request).await {
            Ok(answered) => answered.json().map_err(ProviderError::from)?,
            Err(ProviderError::Rejected { .. } | ProviderError::NotFound) => {
                return Err(WebhookError::Forged);
            }
            Err(error) => return Err(error.into()),
        };
        if verdict.verification_status == "SUCCESS" {
            Ok(Some(event))
        } else {
            Err(WebhookError::Forged)
        }
    }

    fn read_stored(&self, body: &[u8]) -> Result<WebhookEvent, WebhookError> {
        read(body)
    }
}

pub fn read(body: &[u8]) -> Result<WebhookEvent, WebhookError> {
    let event: EventObject = serde_json::from_slice(body).map_err(|_| WebhookError::Unreadable)?;
    let EventObject {
        id,
        event_type,
        resource_type,
        resource,
    } = event;
    let subject = match resource_type.as_deref() {
        // A reversal does not name its sale.
        _ if event_type == REVERSED => resource.id.map(WebhookObject::Reversal),
        Some("subscription") => resource.id.map(WebhookObject::Subscription),
        Some("sale") => resource.billing_agreement_id.map(WebhookObject::Subscription),
        Some("refund") => resource.sale_id.map(WebhookObject::RefundsOf),
        _ => None,
    };
    Ok(WebhookEvent {
        event_id: id,
        kind: event_type,
        object: subject.unwrap_or(WebhookObject::Other),
        customer: resource.subscriber.and_then(|subscriber| subscriber.payer_id),
    })
}

/// The verification request. It contains the event byte for byte, because the signature covers the bytes.
fn question(request: &WebhookRequest, webhook_id: &str) -> Option<Vec<u8>> {
    let mut question = json!({ "webhook_id": webhook_id });
    for (name, header) in PROOFS {
        question[name] = Value::from(request.headers.get(header)?.as_str());
    }
    let mut text = question.to_string().into_bytes();
    text.pop();
    text.extend_from_slice(br#","webhook_event":"#);
    text.extend_from_slice(&request.body);
    text.push(b'}');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(body: &Value) -> WebhookObject {
        read(body.to_string().as_bytes()).unwrap().object
    }

    #[test]
    fn what_an_event_is_about_is_read() {
        let event = |kind: &str, resource: Value| json!({ "id": "WH-1", "event_type": "X", "resource_type": kind, "resource": resource });
        let of = |kind, resource| subject(&event(kind, resource));
        assert_eq!(
            of("subscription", json!({ "id": "I-1" })),
            WebhookObject::Subscription("I-1".into())
        );
        let sale = json!({ "id": "S1", "billing_agreement_id": "I-1" });
        assert_eq!(of("sale", sale), WebhookObject::Subscription("I-1".into()));
        assert_eq!(
            of("refund", json!({ "id": "R1", "sale_id": "S1" })),
            WebhookObject::RefundsOf("S1".into())
        );
        assert_eq!(of("plan", json!({ "id": "P-1" })), WebhookObject::Other);
        let mut taken_back = event("sale", json!({ "id": "R2", "amount": { "total": "-1.00" } }));
        taken_back["event_type"] = "PAYMENT.SALE.REVERSED".into();
        assert_eq!(subject(&taken_back), WebhookObject::Reversal("R2".into()));
    }

    #[test]
    fn the_event_is_asked_about_in_its_very_bytes() {
        let headers = PROOFS
            .iter()
            .map(|(_, header)| ((*header).to_owned(), "x".to_owned()));
        let mut request = WebhookRequest {
            body: br#"{"b":1,  "a":2.50}"#.to_vec(),
            headers: headers.collect(),
            ..WebhookRequest::default()
        };
        let asked = String::from_utf8(question(&request, "WH").unwrap()).unwrap();
        assert!(
            asked.ends_with(r#""webhook_event":{"b":1,  "a":2.50}}"#),
            "{asked}"
        );
        request.headers.remove("paypal-cert-url");
        assert!(question(&request, "WH").is_none(), "a proof is missing");
    }
}
