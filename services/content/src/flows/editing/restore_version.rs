//! Publishes an old version as a new one.

use kit::idempotency::Key;

use crate::domain::{ContentKey, Draft, SnapshotId};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::flows::idempotent_transaction::TransactionStart;
use crate::store::{lock, snapshot};

impl Flows {
    /// What readers see then, and whether that is new to them. The old text is held to the rules of today.
    pub async fn restore_version(
        &self,
        content_key: &ContentKey,
        number: i32,
        key: Option<Key>,
    ) -> Result<(SnapshotId, bool), Error> {
        let mut work = match self.begin(key).await? {
            TransactionStart::New(work) => work,
            TransactionStart::Replayed(restored) => return Ok(restored),
        };
        let connection = work.connection();
        lock::item(connection, content_key).await?;
        let version = snapshot::version(connection, content_key, number).await?;
        let (_, document) = version.ok_or(Error::NotFound(NotFoundKind::Version))?;
        let ready = Draft::read(content_key, &document)?
            .prepare()
            .map_err(Error::Invalid)?;
        let published = self.publish_snapshot(connection, &ready).await?;
        tracing::info!(item = %content_key, version = number, "version restored");
        work.commit((published.snapshot_id(), published.changed())).await
    }
}
