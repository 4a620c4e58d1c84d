//! The only write path of publications: a new snapshot, the pointer of readers, the event.

use sqlx::PgConnection;

use crate::domain::{Published, SnapshotId, ValidatedDraft};
use crate::emit;
use crate::error::Error;
use crate::flows::Flows;
use crate::store::{lock, pointer, snapshot};

impl Flows {
    pub(in crate::flows) async fn publish_validated(
        &self,
        ready: &ValidatedDraft,
    ) -> Result<Published, Error> {
        let mut transaction = kit::database::begin(&self.pool).await?;
        lock::item(&mut transaction, &ready.content_key()).await?;
        let published = self.publish_snapshot(&mut transaction, ready).await?;
        transaction.commit().await?;
        if published.changed() {
            tracing::info!(item = %ready.content_key(), snapshot = %published.snapshot_id(), "published");
        }
        Ok(published)
    }

    /// The caller holds the item's lock.
    pub(in crate::flows) async fn publish_snapshot(
        &self,
        connection: &mut PgConnection,
        ready: &ValidatedDraft,
    ) -> Result<Published, Error> {
        let content_key = ready.content_key();
        let current = pointer::current(connection, &content_key).await?;
        let same = current.filter(|current| current.content_hash == ready.content_hash().as_bytes());
        if let Some(same) = same {
            return Ok(Published::Unchanged(same.snapshot_id));
        }
        let now = self.clock.now();
        let id = SnapshotId::new(now);
        let new = snapshot::NewSnapshot {
            id,
            content_key: &content_key,
            document: ready.document(),
            created_at: now,
        };
        snapshot::insert(connection, new).await?;
        pointer::point_at(connection, ready, id, now).await?;
        emit::published(connection, &self.clock, ready, id).await?;
        Ok(Published::Changed(id))
    }
}
