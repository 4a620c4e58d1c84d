//! Converts a browser event to a stream event. No database state depends on it, so it needs no outbox: the browser repeats
//! it until it is acknowledged.
use kit::bus::CloudEvent;
use proto::events::v1::WebEventRecorded;

use crate::domain::web_event::{Visitor, WebEvent};

pub fn web_event(event: WebEvent, visitor: &Visitor) -> Result<CloudEvent, serde_json::Error> {
    let subject = WebEventRecorded::subject(&event.name);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::subjects::WEB_PREFIX;

    #[test]
    fn browser_events_have_the_prefix_of_the_domain() {
        assert_eq!(
            WebEventRecorded::subject("pageload"),
            format!("{WEB_PREFIX}pageload")
        );
    }
}
