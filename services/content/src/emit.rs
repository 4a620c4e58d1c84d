//! Events of content, appended to the outbox of the open transaction.

use kit::clock::Clock;
use kit::outbox::{self, NewEvent};
use proto::events::{Event, v1 as events};
use sqlx::PgConnection;

use crate::domain::{ContentKey, Item, Release, SnapshotId, ValidatedDraft};
use crate::error::Error;

pub async fn published(
    connection: &mut PgConnection,
    clock: &Clock,
    ready: &ValidatedDraft,
    snapshot: SnapshotId,
) -> Result<(), Error> {
    let content_key = ready.content_key();
    match ready {
        ValidatedDraft::Page(page) => {
            let data = events::PagePublished {
                url_path: page.url_path.to_string(),
                locale: page.locale.to_string(),
                template: page.template.to_string(),
                snapshot_id: snapshot.to_string(),
            };
            append(connection, clock, &content_key, &data).await
        }
        ValidatedDraft::Chrome(chrome) => {
            let data = events::ChromePublished {
                locale: chrome.locale.to_string(),
            };
            append(connection, clock, &content_key, &data).await
        }
        ValidatedDraft::Record(record) => {
            let data = events::RecordPublished {
                kind: record.key.kind.to_string(),
                record_id: record.key.id.to_string(),
                locale: record.locale.to_string(),
                snapshot_id: snapshot.to_string(),
            };
            append(connection, clock, &content_key, &data).await
        }
    }
}

pub async fn unpublished(
    connection: &mut PgConnection,
    clock: &Clock,
    content_key: &ContentKey,
) -> Result<(), Error> {
    let locale = content_key.locale.to_string();
    match &content_key.item {
        Item::Page(path) => {
            let url_path = path.to_string();
            let data = events::PageUnpublished { url_path, locale };
            append(connection, clock, content_key, &data).await
        }
        Item::Chrome => {
            let data = events::ChromeUnpublished { locale };
            append(connection, clock, content_key, &data).await
        }
        Item::Record(key) => {
            let data = events::RecordUnpublished {
                kind: key.kind.to_string(),
                record_id: key.id.to_string(),
                locale,
            };
            append(connection, clock, content_key, &data).await
        }
    }
}

/// `changed`: those of its members whose readers see something new.
pub async fn release_published(
    connection: &mut PgConnection,
    clock: &Clock,
    release: &Release,
    changed: &[ContentKey],
) -> Result<(), Error> {
    let data = events::ReleasePublished {
        release_id: release.id.to_string(),
        name: release.name.clone(),
        items: changed.iter().map(ToString::to_string).collect(),
    };
    let draft = NewEvent::new(release.id, &data)?;
    outbox::append(connection, clock, draft).await?;
    Ok(())
}

async fn append(
    connection: &mut PgConnection,
    clock: &Clock,
    content_key: &ContentKey,
    data: &impl Event,
) -> Result<(), Error> {
    let draft = NewEvent::new(key(content_key), data)?.lang(content_key.locale.code());
    outbox::append(connection, clock, draft).await?;
    Ok(())
}

/// Events of one key come in the order they were written.
fn key(content_key: &ContentKey) -> String {
    match &content_key.item {
        Item::Page(path) => format!("{}:{path}", content_key.locale),
        Item::Chrome => content_key.locale.to_string(),
        Item::Record(key) => format!("{}:{key}", content_key.locale),
    }
}
