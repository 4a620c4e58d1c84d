//! Published versions and their differences.

use crate::domain::{Change, ContentKey, Draft, Version};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::flows::editing::stale_draft::compare;
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

    pub async fn diff_versions(
        &self,
        content_key: &ContentKey,
        from: i32,
        to: i32,
    ) -> Result<Vec<Change>, Error> {
        let mut connection = self.pool.acquire().await?;
        let before = snapshot::version(&mut connection, content_key, from).await?;
        let after = snapshot::version(&mut connection, content_key, to).await?;
        let (Some((_, before)), Some((_, after))) = (before, after) else {
            return Err(Error::NotFound(NotFoundKind::Version));
        };
        compare(content_key, Some(&before), Some(&after))
    }
}
