//! Messages ⇄ domain.
use chrono::{DateTime, Utc};
use proto::Timestamp;
use proto::analytics::v1::summarize_response::Count;
use proto::analytics::v1::{
    ExportMemberResponse, RecordWebEventsRequest, RecordWebEventsResponse, SummarizeResponse, WebEvent,
};
use proto::export::v1::{AnalyticsExport, Event};

use crate::domain::daily_count::DailyCount;
use crate::domain::web_event::{Sent, Visitor};
use crate::flows::Kept;

pub fn batch(request: RecordWebEventsRequest) -> (Vec<Sent>, Visitor) {
    let visitor = Visitor::new(&request.lang, &request.country);
    (request.events.into_iter().map(sent).collect(), visitor)
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

pub fn exported(events: Vec<Kept>) -> ExportMemberResponse {
    let event = |kept: Kept| Event {
        name: kept.name,
        occurred_at: Some(kept.occurred_at.into()),
        language: kept.lang.unwrap_or_default(),
        country: kept.country.unwrap_or_default(),
        data: serde_json::from_value(kept.data.0).ok(),
    };
    let events = events.into_iter().map(event).collect();
    ExportMemberResponse {
        export: Some(AnalyticsExport { events }),
    }
}

fn sent(event: WebEvent) -> Sent {
    Sent {
        event_id: event.event_id,
        name: event.name,
        fields: event.fields,
        occurred_at: event.occurred_at.and_then(time),
    }
}

/// `None` for what is no time at all: the event then happened now.
fn time(at: Timestamp) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(at.seconds, u32::try_from(at.nanos).ok()?)
}
