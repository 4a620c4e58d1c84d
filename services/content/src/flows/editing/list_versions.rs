//! Lists the published versions of an item.

use crate::domain::{ContentKey, Version};
use crate::error::Error;
use crate::flows::Flows;
use crate::store::pointer;
use crate::store::snapshot::{self, VersionRow};

impl Flows {
    /// Newest first; only those before `before`.
    pub async fn versions(
        &self,
        content_key: &ContentKey,
        before: i32,
        limit: i64,
    ) -> Result<Vec<Version>, Error> {
        let mut connection = self.pool.acquire().await?;
        let rows = snapshot::versions(&mut connection, content_key, before, limit).await?;
        let current = pointer::current(&mut connection, content_key).await?;
        let current = current.map(|current| current.snapshot_id);
        let version = |row: VersionRow| Version {
            number: row.version,
            current: current == Some(row.id),
            snapshot_id: row.id,
            published_at: row.created_at,
        };
        Ok(rows.into_iter().map(version).collect())
    }
}
