//! Published snapshot of an item of any kind.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{chrome, page, record};
use crate::domain::{ContentKey, CurrentSnapshot, Item, SnapshotId, ValidatedDraft};
use crate::error::Error;

pub async fn current(
    connection: &mut PgConnection,
    content_key: &ContentKey,
) -> Result<Option<CurrentSnapshot>, Error> {
    match &content_key.item {
        Item::Page(path) => page::current(connection, path, content_key.locale).await,
        Item::Chrome => chrome::current(connection, content_key.locale).await,
        Item::Record(key) => record::current(connection, key, content_key.locale).await,
    }
}

pub async fn point_at(
    connection: &mut PgConnection,
    ready: &ValidatedDraft,
    snapshot: SnapshotId,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    match ready {
        ValidatedDraft::Page(ready) => page::point_at(connection, ready, snapshot, now).await,
        ValidatedDraft::Chrome(ready) => chrome::point_at(connection, ready, snapshot, now).await,
        ValidatedDraft::Record(ready) => record::point_at(connection, ready, snapshot, now).await,
    }
}

/// False when readers had nothing of it.
pub async fn remove(connection: &mut PgConnection, content_key: &ContentKey) -> Result<bool, Error> {
    match &content_key.item {
        Item::Page(path) => page::remove(connection, path, content_key.locale).await,
        Item::Chrome => chrome::remove(connection, content_key.locale).await,
        Item::Record(key) => record::remove(connection, key, content_key.locale).await,
    }
}
