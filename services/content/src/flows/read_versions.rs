//! What was published before.

use super::Flows;
use super::stale::compare;
use crate::domain::{Change, Draft, Place, Version};
use crate::error::{Error, Missing};
use crate::store::pointer;
use crate::store::snapshot::{self, VersionRow};

impl Flows {
    /// Newest first; only those before `before`.
    pub async fn versions(&self, place: &Place, before: i32, limit: i64) -> Result<Vec<Version>, Error> {
        let mut connection = self.pool.acquire().await?;
        let rows = snapshot::versions(&mut connection, place, before, limit).await?;
        let current = pointer::current(&mut connection, place).await?;
        let current = current.map(|current| current.snapshot_id);
        let version = |row: VersionRow| Version {
            number: row.version,
            current: current == Some(row.id),
            snapshot_id: row.id,
            published_at: row.created_at,
        };
        Ok(rows.into_iter().map(version).collect())
    }

    pub async fn version(&self, place: &Place, number: i32) -> Result<(Version, Draft), Error> {
        let mut connection = self.pool.acquire().await?;
        let found = snapshot::version(&mut connection, place, number).await?;
        let (row, document) = found.ok_or(Error::NotFound(Missing::Version))?;
        let current = pointer::current(&mut connection, place).await?;
        let version = Version {
            number: row.version,
            current: current.is_some_and(|current| current.snapshot_id == row.id),
            snapshot_id: row.id,
            published_at: row.created_at,
        };
        Ok((version, Draft::read(place, &document)?))
    }

    pub async fn diff_versions(&self, place: &Place, from: i32, to: i32) -> Result<Vec<Change>, Error> {
        let mut connection = self.pool.acquire().await?;
        let before = snapshot::version(&mut connection, place, from).await?;
        let after = snapshot::version(&mut connection, place, to).await?;
        let (Some((_, before)), Some((_, after))) = (before, after) else {
            return Err(Error::NotFound(Missing::Version));
        };
        compare(place, Some(&before), Some(&after))
    }
}
