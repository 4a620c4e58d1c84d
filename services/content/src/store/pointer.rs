//! Which snapshot of an item readers see, whatever kind of item it is.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{chrome, page, record};
use crate::domain::{Current, Item, Place, Ready, SnapshotId};
use crate::error::Error;

pub async fn current(connection: &mut PgConnection, place: &Place) -> Result<Option<Current>, Error> {
    match &place.item {
        Item::Page(path) => page::current(connection, path, place.locale).await,
        Item::Chrome => chrome::current(connection, place.locale).await,
        Item::Record(key) => record::current(connection, key, place.locale).await,
    }
}

pub async fn point_at(
    connection: &mut PgConnection,
    ready: &Ready,
    snapshot: SnapshotId,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    match ready {
        Ready::Page(ready) => page::point_at(connection, ready, snapshot, now).await,
        Ready::Chrome(ready) => chrome::point_at(connection, ready, snapshot, now).await,
        Ready::Record(ready) => record::point_at(connection, ready, snapshot, now).await,
    }
}

/// False when readers had nothing of it.
pub async fn remove(connection: &mut PgConnection, place: &Place) -> Result<bool, Error> {
    match &place.item {
        Item::Page(path) => page::remove(connection, path, place.locale).await,
        Item::Chrome => chrome::remove(connection, place.locale).await,
        Item::Record(key) => record::remove(connection, key, place.locale).await,
    }
}
