//! Converts a browser event to a stream event. No database state depends on it, so it needs no outbox: the browser repeats
//! it until it is acknowledged.
use kit::bus::CloudEvent;
use proto::events::v1::WebEventRecorded;

use crate::domain::web_event::{Visitor, WebEvent};

pub fn web_event(event: WebEvent, visitor: &Visitor) -> Result<CloudEvent, serde_json::Error> {
    let subject = format!("stillpoint.web.{}", event.name);
    let data = WebEventRecorded {
        name: event.name,
        fields: event.fields,
    };
    Ok(CloudEvent {
        lang: visitor.lang.clone(),
        country: visitor.country.clone(),
        traceparent: kit::telemetry::current_traceparent(),
        ..CloudEvent::new(
            event.id.to_string(),
            &subject,
            event.occurred_at,
            serde_json::to_value(data)?,
        )
    })
}
