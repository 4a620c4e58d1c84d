//! What the rest of the house hears of.

use kit::clock::Clock;
use kit::outbox::{self, NewEvent};
use proto::events::v1 as events;
use serde::Serialize;
use sqlx::PgConnection;

use crate::domain::{Item, Place, Ready, Release, SnapshotId};
use crate::error::Error;

pub async fn published(
    connection: &mut PgConnection,
    clock: &Clock,
    ready: &Ready,
    snapshot: SnapshotId,
) -> Result<(), Error> {
    let place = ready.place();
    match ready {
        Ready::Page(page) => {
            let data = events::PagePublished {
                url_path: page.url_path.to_string(),
                locale: page.locale.to_string(),
                template: page.template.to_string(),
                snapshot_id: snapshot.to_string(),
            };
            append(
                connection,
                clock,
                "stillpoint.content.page.published",
                &place,
                &data,
            )
            .await
        }
        Ready::Chrome(chrome) => {
            let data = events::ChromePublished {
                locale: chrome.locale.to_string(),
            };
            append(
                connection,
                clock,
                "stillpoint.content.chrome.published",
                &place,
                &data,
            )
            .await
        }
        Ready::Record(record) => {
            let data = events::RecordPublished {
                kind: record.key.kind.to_string(),
                record_id: record.key.id.to_string(),
                locale: record.locale.to_string(),
                snapshot_id: snapshot.to_string(),
            };
            append(
                connection,
                clock,
                "stillpoint.content.record.published",
                &place,
                &data,
            )
            .await
        }
    }
}

pub async fn unpublished(connection: &mut PgConnection, clock: &Clock, place: &Place) -> Result<(), Error> {
    let locale = place.locale.to_string();
    match &place.item {
        Item::Page(path) => {
            let url_path = path.to_string();
            let data = events::PageUnpublished { url_path, locale };
            append(
                connection,
                clock,
                "stillpoint.content.page.unpublished",
                place,
                &data,
            )
            .await
        }
        Item::Chrome => {
            let data = events::ChromeUnpublished { locale };
            append(
                connection,
                clock,
                "stillpoint.content.chrome.unpublished",
                place,
                &data,
            )
            .await
        }
        Item::Record(key) => {
            let data = events::RecordUnpublished {
                kind: key.kind.to_string(),
                record_id: key.id.to_string(),
                locale,
            };
            append(
                connection,
                clock,
                "stillpoint.content.record.unpublished",
                place,
                &data,
            )
            .await
        }
    }
}

/// `changed`: those of its members whose readers see something new.
pub async fn release_published(
    connection: &mut PgConnection,
    clock: &Clock,
    release: &Release,
    changed: &[Place],
) -> Result<(), Error> {
    let data = events::ReleasePublished {
        release_id: release.id.to_string(),
        name: release.name.clone(),
        items: changed.iter().map(ToString::to_string).collect(),
    };
    let draft = NewEvent::new("stillpoint.content.release.published", release.id, &data)?;
    outbox::append(connection, clock, draft).await?;
    Ok(())
}

async fn append(
    connection: &mut PgConnection,
    clock: &Clock,
    subject: &'static str,
    place: &Place,
    data: &impl Serialize,
) -> Result<(), Error> {
    let draft = NewEvent::new(subject, key(place), data)?.lang(place.locale.code());
    outbox::append(connection, clock, draft).await?;
    Ok(())
}

/// Events of one key come in the order they were written.
fn key(place: &Place) -> String {
    match &place.item {
        Item::Page(path) => format!("{}:{path}", place.locale),
        Item::Chrome => place.locale.to_string(),
        Item::Record(key) => format!("{}:{key}", place.locale),
    }
}
