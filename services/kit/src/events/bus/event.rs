//! `CloudEvents` 1.0 in structured JSON mode, the format of all messages on the stream.

use async_nats::HeaderMap;
use async_nats::jetstream::message::PublishMessage;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize, Serializer};

pub const CONTENT_TYPE: &str = "application/cloudevents+json";

/// One event. `type` is also the subject it is published on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CloudEvent {
    pub specversion: String,
    pub id: String,
    /// The emitting service: `/stillpoint/checkout`.
    pub source: String,
    pub r#type: String,
    /// The id of the entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(serialize_with = "rfc3339")]
    pub time: DateTime<Utc>,
    #[serde(default = "json", skip_serializing_if = "String::is_empty")]
    pub datacontenttype: String,
    /// Extension: the person's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// Extension: the person's country, ISO 3166 alpha-2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Extension: the W3C trace of the emitting request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
    /// The proto3 JSON form of a `stillpoint.events.v1` message.
    #[serde(default)]
    pub data: serde_json::Value,
}

/// The message is not a `CloudEvent`.
#[derive(Debug, thiserror::Error)]
#[error("not a CloudEvent in JSON: {0}")]
pub struct Unreadable(#[from] serde_json::Error);

/// The event does not belong to the subject it was published on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("foreign source: `{source_name}` published `{event_type}` on {subject}")]
pub struct ForeignEvent {
    pub subject: String,
    /// As the event claims.
    pub source_name: String,
    pub event_type: String,
}

impl CloudEvent {
    /// `source` is derived from the second token of the subject, the service.
    pub fn new(id: String, subject: &str, time: DateTime<Utc>, data: serde_json::Value) -> Self {
        Self {
            specversion: "1.0".to_owned(),
            id,
            source: owner(subject),
            r#type: subject.to_owned(),
            subject: None,
            time,
            datacontenttype: json(),
            lang: None,
            country: None,
            traceparent: None,
            data,
        }
    }

    pub fn from_json(payload: &[u8]) -> Result<Self, Unreadable> {
        Ok(serde_json::from_slice(payload)?)
    }

    /// Checks that the event was published on the subject of its type, by the owner of that subject. The server permits each
    /// service its own subjects only; this check also applies to events from before, and to wrong permissions.
    pub fn check_origin(&self, subject: &str) -> Result<(), ForeignEvent> {
        if self.r#type == subject && self.source == owner(subject) {
            return Ok(());
        }
        Err(ForeignEvent {
            subject: subject.to_owned(),
            source_name: self.source.clone(),
            event_type: self.r#type.clone(),
        })
    }

    /// Decodes `data`.
    pub fn decode<T: serde::de::DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.data)
    }

    pub(super) fn to_message(&self) -> Result<PublishMessage, serde_json::Error> {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", CONTENT_TYPE);
        if let Some(traceparent) = &self.traceparent {
            headers.insert("traceparent", traceparent.as_str());
        }
        Ok(PublishMessage::build()
            .headers(headers)
            .message_id(&self.id)
            .payload(serde_json::to_vec(self)?.into()))
    }
}

/// The source of all events on a subject.
fn owner(subject: &str) -> String {
    let service = subject.split('.').nth(1).unwrap_or("unknown");
    format!("/stillpoint/{service}")
}

fn json() -> String {
    "application/json".to_owned()
}

fn rfc3339<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&time.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

#[cfg(test)]
mod tests {
    use proto::common::v1::{Money, Tracking};
    use proto::events::v1::{SubscriptionActivated, SubscriptionCreated};
    use serde_json::json;

    use super::*;

    fn noon() -> DateTime<Utc> {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn an_event_is_one_readable_json_object() {
        let mut event = CloudEvent::new(
            "e1".to_owned(),
            "stillpoint.auth.user.registered",
            noon(),
            json!({"userId": "u"}),
        );
        event.lang = Some("tr".to_owned());
        let expected = json!({
            "specversion": "1.0", "id": "e1", "source": "/stillpoint/auth",
            "type": "stillpoint.auth.user.registered", "time": "2026-11-20T12:00:00Z",
            "datacontenttype": "application/json", "lang": "tr", "data": {"userId": "u"},
        });
        assert_eq!(serde_json::to_value(&event).unwrap(), expected);
        assert_eq!(
            CloudEvent::from_json(expected.to_string().as_bytes()).unwrap(),
            event
        );
    }

    #[test]
    fn an_event_with_more_than_we_know_is_read() {
        let wider = json!({
            "specversion": "1.0", "id": "e1", "source": "/elsewhere", "type": "stillpoint.web.page_view",
            "time": "2026-11-20T13:00:00+01:00", "partitionkey": "x", "data": null,
        });
        let event = CloudEvent::from_json(wider.to_string().as_bytes()).unwrap();
        assert_eq!(event.time, noon());
        assert!(CloudEvent::from_json(b"{}").is_err());
    }

    #[test]
    fn an_event_belongs_to_the_owner_of_its_subject() {
        let subject = "stillpoint.auth.user.registered";
        let own = CloudEvent::new("e1".to_owned(), subject, noon(), json!({}));
        assert_eq!(own.check_origin(subject), Ok(()));
        assert!(own.check_origin("stillpoint.auth.user.signed_in").is_err());
        let foreign = CloudEvent {
            source: "/stillpoint/checkout".to_owned(),
            ..own
        };
        let error = foreign.check_origin(subject).unwrap_err();
        assert!(error.to_string().contains("/stillpoint/checkout"));
    }

    #[test]
    fn data_is_the_proto3_json_of_its_message() {
        let message = SubscriptionActivated {
            subscription_id: "sub_1".to_owned(),
            trial_days: 7,
            price: Some(Money {
                amount_minor: 5999,
                currency: "TRY".to_owned(),
            }),
            current_period_end: Some(noon().into()),
            ..Default::default()
        };
        let data = serde_json::to_value(&message).unwrap();
        assert_eq!(
            data,
            json!({
                "subscriptionId": "sub_1", "trialDays": 7,
                "price": {"amountMinor": "5999", "currency": "TRY"},
                "currentPeriodEnd": "2026-11-20T12:00:00+00:00",
            })
        );
        let event = CloudEvent::new(
            "e1".to_owned(),
            "stillpoint.checkout.subscription.activated",
            noon(),
            data,
        );
        assert_eq!(event.decode::<SubscriptionActivated>().unwrap(), message);
    }

    #[test]
    fn maps_and_unknown_fields_survive() {
        let message = SubscriptionCreated {
            tracking: Some(Tracking {
                parameters: [("utm_source".to_owned(), "mail".to_owned())].into(),
            }),
            ..Default::default()
        };
        let mut data = serde_json::to_value(&message).unwrap();
        assert_eq!(data, json!({"tracking": {"parameters": {"utm_source": "mail"}}}));
        data["addedNextYear"] = json!(true);
        assert_eq!(
            serde_json::from_value::<SubscriptionCreated>(data).unwrap(),
            message
        );
    }
}
