//! Published content and prices drop what shows them.
use std::sync::Arc;

use futures::{Stream, StreamExt};
use kit::bus::{CloudEvent, Watch};
use proto::events::Event;
use proto::events::v1::{
    CampaignPublished, ChromePublished, ChromeUnpublished, PagePublished, PageUnpublished, RecordPublished,
    RecordUnpublished,
};
use serde::de::DeserializeOwned;

use crate::cache::tags::{CacheTag, CacheTags};

/// What went live, and what is no more.
pub const FILTERS: [&str; 2] = ["stillpoint.*.*.published", "stillpoint.content.*.unpublished"];

/// Follows the stream for as long as there is one.
pub async fn run(events: impl Stream<Item = Watch> + Unpin, tags: Arc<CacheTags>) {
    let mut events = events;
    while let Some(seen) = events.next().await {
        match seen {
            Watch::Event(event) => purge(&tags, &event),
            Watch::Gap => tags.invalidate_all(),
        }
    }
}

fn purge(tags: &CacheTags, event: &CloudEvent) {
    let outdated = tags_of_event(event).unwrap_or_else(|| {
        tracing::warn!(event.id = %event.id, event.kind = %event.r#type, "event is unreadable; all cached pages are invalidated");
        tags.invalidate_all();
        Vec::new()
    });
    for tag in outdated {
        tags.purge(tag);
    }
}

/// The tags that an event invalidates. `None` for an event that cannot be parsed.
fn tags_of_event(event: &CloudEvent) -> Option<Vec<CacheTag>> {
    match event.r#type.as_str() {
        PagePublished::SUBJECT | PageUnpublished::SUBJECT => {
            let page: PagePublished = read(event)?;
            Some(vec![CacheTag::page(&page.url_path), CacheTag::sitemap()])
        }
        ChromePublished::SUBJECT | ChromeUnpublished::SUBJECT => {
            let chrome: ChromePublished = read(event)?;
            Some(vec![CacheTag::chrome(&chrome.locale)])
        }
        RecordPublished::SUBJECT | RecordUnpublished::SUBJECT => {
            let record: RecordPublished = read(event)?;
            Some(vec![CacheTag::record(&record.kind, &record.record_id)])
        }
        CampaignPublished::SUBJECT => Some(vec![CacheTag::offers()]),
        _ => Some(Vec::new()),
    }
}

fn read<T: DeserializeOwned>(event: &CloudEvent) -> Option<T> {
    serde_json::from_value(event.data.clone()).ok()
}
