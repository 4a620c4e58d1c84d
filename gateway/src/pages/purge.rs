//! Published content and prices drop what shows them.
use std::sync::Arc;

use futures::{Stream, StreamExt};
use kit::bus::{CloudEvent, Watch};
use proto::events::v1::{ChromePublished, PagePublished};
use serde::de::DeserializeOwned;

use crate::pages::Pages;
use crate::pages::key::{Tag, Tags};

pub const FILTER: &str = "stillpoint.*.*.published";

/// Follows the stream for as long as there is one.
pub async fn follow(events: impl Stream<Item = Watch> + Unpin, pages: Arc<Pages>) {
    let mut events = events;
    while let Some(seen) = events.next().await {
        match seen {
            Watch::Event(event) => purge(pages.tags(), &event),
            Watch::Gap => pages.tags().doubt_everything(),
        }
    }
}

fn purge(tags: &Tags, event: &CloudEvent) {
    let outdated = outdated_by(event).unwrap_or_else(|| {
        tracing::warn!(event.id = %event.id, event.kind = %event.r#type, "Event {} cannot be read; all pages are doubted", event.id);
        tags.doubt_everything();
        Vec::new()
    });
    for tag in outdated {
        tags.purge(tag);
    }
}

/// `None` for an event that should tell something and cannot be read.
fn outdated_by(event: &CloudEvent) -> Option<Vec<Tag>> {
    match event.r#type.as_str() {
        "stillpoint.content.page.published" => {
            let page: PagePublished = read(event)?;
            Some(vec![Tag::page(&page.url_path), Tag::sitemap()])
        }
        "stillpoint.content.chrome.published" => {
            let chrome: ChromePublished = read(event)?;
            Some(vec![Tag::chrome(&chrome.locale)])
        }
        "stillpoint.checkout.campaign.published" => Some(vec![Tag::offers()]),
        _ => Some(Vec::new()),
    }
}

fn read<T: DeserializeOwned>(event: &CloudEvent) -> Option<T> {
    serde_json::from_value(event.data.clone()).ok()
}
