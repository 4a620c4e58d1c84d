//! The one place where something goes live: a new snapshot, readers pointed at it, and word of it.

use sqlx::PgConnection;

use super::Flows;
use crate::domain::{Published, Ready, SnapshotId};
use crate::emit;
use crate::error::Error;
use crate::store::{lock, pointer, snapshot};

impl Flows {
    pub(super) async fn publish_ready(&self, ready: &Ready) -> Result<Published, Error> {
        let mut transaction = self.pool.begin().await?;
        lock::item(&mut transaction, &ready.place()).await?;
        let published = self.put_live(&mut transaction, ready).await?;
        transaction.commit().await?;
        if published.changed() {
            tracing::info!(item = %ready.place(), snapshot = %published.snapshot_id(), "published");
        }
        Ok(published)
    }

    /// The caller holds the item's lock.
    pub(super) async fn put_live(
        &self,
        connection: &mut PgConnection,
        ready: &Ready,
    ) -> Result<Published, Error> {
        let place = ready.place();
        let current = pointer::current(connection, &place).await?;
        let same = current.filter(|current| current.content_hash == ready.content_hash().as_bytes());
        if let Some(same) = same {
            return Ok(Published::Unchanged(same.snapshot_id));
        }
        let now = self.clock.now();
        let id = SnapshotId::new(now);
        let new = snapshot::NewSnapshot {
            id,
            place: &place,
            document: ready.document(),
            created_at: now,
        };
        snapshot::insert(connection, new).await?;
        pointer::point_at(connection, ready, id, now).await?;
        emit::published(connection, &self.clock, ready, id).await?;
        Ok(Published::Changed(id))
    }
}
