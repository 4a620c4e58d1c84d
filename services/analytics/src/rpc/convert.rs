//! Converts messages to domain types and back.
use chrono::{DateTime, Utc};
use proto::Timestamp;
use proto::analytics::v1::summarize_response::Count;
use proto::analytics::v1::{
    ExportMemberResponse, RecordWebEventsRequest, RecordWebEventsResponse, SummarizeResponse, WebEvent,
};
use proto::export::v1::{AnalyticsExport, Event};

use crate::domain::daily_count::DailyCount;
use crate::domain::web_event::{SubmittedEvent, Visitor};
use crate::flows::MemberEvent;

pub fn batch(request: RecordWebEventsRequest) -> (Vec<SubmittedEvent>, Visitor) {
    let visitor = Visitor::new(&request.lang, &request.country);
    (request.events.into_iter().map(submitted).collect(), visitor)
}

pub fn recorded(accepted: usize) -> RecordWebEventsResponse {
    RecordWebEventsResponse {
        accepted: i32::try_from(accepted).unwrap_or(i32::MAX),
    }
}

pub fn summary(counts: Vec<DailyCount>) -> SummarizeResponse {
    let counts = counts
        .into_iter()
        .map(|counted| Count {
            day: counted.day.to_string(),
            event: counted.event,
            count: counted.count,
        })
        .collect();
    SummarizeResponse { counts }
}

pub fn exported(events: Vec<MemberEvent>) -> ExportMemberResponse {
    let event = |event: MemberEvent| Event {
        name: event.name,
        occurred_at: Some(event.occurred_at.into()),
        language: event.lang.unwrap_or_default(),
        country: event.country.unwrap_or_default(),
        data: serde_json::from_value(event.data.0).ok(),
    };
    let events = events.into_iter().map(event).collect();
    ExportMemberResponse {
        export: Some(AnalyticsExport { events }),
    }
}

fn submitted(event: WebEvent) -> SubmittedEvent {
    SubmittedEvent {
        event_id: event.event_id,
        name: event.name,
        fields: event.fields,
        occurred_at: event.occurred_at.and_then(time),
    }
}

/// `None` for an invalid timestamp; the event then gets the current time.
fn time(at: Timestamp) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(at.seconds, u32::try_from(at.nanos).ok()?)
}
