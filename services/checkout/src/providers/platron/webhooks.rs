//! Platron's webhooks and pre-payment check: requests and responses are signed under the script name.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use url::form_urlencoded;

use super::signature::{Fields, get};
use super::{Platron, owned, xml};
use crate::domain::webhook_event::{WebhookEvent, WebhookObject, WebhookRequest};
use crate::ports::{PreAuthorizationDecision, WebhookError, WebhookReader, WebhookResponse};

const CHECK: &str = "check";
const REFUND: &str = "refund";

#[async_trait]
impl WebhookReader for Platron {
    async fn read(
        &self,
        request: &WebhookRequest,
        _now: DateTime<Utc>,
    ) -> Result<Option<WebhookEvent>, WebhookError> {
        let fields = fields(&request.body);
        if self.is_right(&request.script, &fields) {
            read(&request.script, &fields).map(Some)
        } else {
            Err(WebhookError::Forged)
        }
    }

    fn read_stored(&self, body: &[u8]) -> Result<WebhookEvent, WebhookError> {
        read_stored(body)
    }

    fn answer(
        &self,
        request: &WebhookRequest,
        verdict: &PreAuthorizationDecision,
    ) -> Option<WebhookResponse> {
        let fields = match verdict {
            PreAuthorizationDecision::Accepted => owned([("pg_status", "ok".to_owned())]),
            PreAuthorizationDecision::Refused(why) => owned([
                ("pg_status", "rejected".to_owned()),
                ("pg_description", (*why).to_owned()),
            ]),
        };
        let fields = self.signed(&request.script, fields);
        Some(WebhookResponse {
            body: xml::write("response", &fields).into_bytes(),
            content_type: "text/xml; charset=utf-8",
        })
    }
}

/// The script name is not stored; the fields identify it.
pub fn read_stored(body: &[u8]) -> Result<WebhookEvent, WebhookError> {
    let fields = fields(body);
    let script = match (get(&fields, "pg_refund_id"), get(&fields, "pg_result")) {
        (Some(_), _) => REFUND,
        (None, Some(_)) => "result",
        (None, None) => CHECK,
    };
    read(script, &fields)
}

pub(super) fn fields(body: &[u8]) -> Fields {
    form_urlencoded::parse(body).into_owned().collect()
}

fn read(script: &str, fields: &[(String, String)]) -> Result<WebhookEvent, WebhookError> {
    let payment_id = get(fields, "pg_payment_id")
        .ok_or(WebhookError::Unreadable)?
        .to_owned();
    let subject = match script {
        CHECK => WebhookObject::PreAuthorization(get(fields, "pg_order_id").unwrap_or_default().to_owned()),
        REFUND => WebhookObject::RefundsOf(payment_id),
        _ => WebhookObject::Subscription(payment_id),
    };
    Ok(WebhookEvent {
        event_id: event_id(script, fields),
        kind: format!("platron.{script}"),
        object: subject,
        customer: None,
    })
}

/// A call has no number of its own: what says the same is the same, under whatever salt.
fn event_id(script: &str, fields: &[(String, String)]) -> String {
    let mut said: Vec<_> = fields
        .iter()
        .filter(|(name, _)| name != "pg_sig" && name != "pg_salt")
        .collect();
    said.sort();
    let text = format!("{script} {said:?}");
    format!("{script}-{}", hex::encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_tried_again_is_the_same_call() {
        let notification = |salt: &str, result: &str| {
            let fields = owned([
                ("pg_payment_id", "77".into()),
                ("pg_result", result.into()),
                ("pg_salt", salt.into()),
                ("pg_sig", salt.into()),
            ]);
            read("result", &fields).unwrap()
        };
        assert_eq!(notification("a", "1"), notification("b", "1"));
        assert_ne!(notification("a", "1").event_id, notification("a", "0").event_id);
        assert_eq!(
            notification("a", "1").object,
            WebhookObject::Subscription("77".into())
        );
    }

    #[test]
    fn a_question_names_the_page() {
        let body = b"pg_payment_id=77&pg_order_id=hco_1.1";
        assert_eq!(
            read(CHECK, &fields(body)).unwrap().object,
            WebhookObject::PreAuthorization("hco_1.1".into())
        );
    }
}
