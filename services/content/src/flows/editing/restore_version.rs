//! Publishes an old version as a new one.

use kit::idempotency::{self, Key};

use crate::domain::{ContentKey, Draft, SnapshotId};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::store::{lock, snapshot};

impl Flows {
    /// What readers see then, and whether that is new to them. The old text is held to the rules of today.
    pub async fn restore_version(
        &self,
        content_key: &ContentKey,
        number: i32,
        key: Option<Key>,
    ) -> Result<(SnapshotId, bool), Error> {
        idempotency::execute(&self.pool, &self.clock, key.as_ref(), async |connection| {
            lock::item(connection, content_key).await?;
            let version = snapshot::version(connection, content_key, number).await?;
            let (_, document) = version.ok_or(Error::NotFound(NotFoundKind::Version))?;
            let ready = Draft::read(content_key, &document)?
                .prepare()
                .map_err(Error::Invalid)?;
            let published = self.publish_snapshot(connection, &ready).await?;
            tracing::info!(item = %content_key, version = number, "version restored");
            Ok((published.snapshot_id(), published.changed()))
        })
        .await
    }
}
