//! An old version goes live again, as a new one.

use kit::idempotency::Key;

use super::Flows;
use super::work::Begun;
use crate::domain::{Draft, Place, SnapshotId};
use crate::error::{Error, Missing};
use crate::store::{lock, snapshot};

impl Flows {
    /// What readers see then, and whether that is new to them. The old text is held to the rules of today.
    pub async fn restore_version(
        &self,
        place: &Place,
        number: i32,
        key: Option<Key>,
    ) -> Result<(SnapshotId, bool), Error> {
        let mut work = match self.begin(key).await? {
            Begun::Work(work) => work,
            Begun::Answered(restored) => return Ok(restored),
        };
        let connection = work.connection();
        lock::item(connection, place).await?;
        let version = snapshot::version(connection, place, number).await?;
        let (_, document) = version.ok_or(Error::NotFound(Missing::Version))?;
        let ready = Draft::read(place, &document)?.prepare().map_err(Error::Invalid)?;
        let published = self.put_live(connection, &ready).await?;
        tracing::info!(item = %place, version = number, "an old version was restored");
        work.commit((published.snapshot_id(), published.changed())).await
    }
}
