//! Returns a published version of an item.

use crate::domain::{ContentKey, Draft, Version};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::store::pointer;
use crate::store::snapshot;

impl Flows {
    pub async fn version(&self, content_key: &ContentKey, number: i32) -> Result<(Version, Draft), Error> {
        let mut connection = self.pool.acquire().await?;
        let found = snapshot::version(&mut connection, content_key, number).await?;
        let (row, document) = found.ok_or(Error::NotFound(NotFoundKind::Version))?;
        let current = pointer::current(&mut connection, content_key).await?;
        let version = Version {
            number: row.version,
            current: current.is_some_and(|current| current.snapshot_id == row.id),
            snapshot_id: row.id,
            published_at: row.created_at,
        };
        Ok((version, Draft::read(content_key, &document)?))
    }
}
