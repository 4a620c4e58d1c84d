//! Compares two published versions of an item.

use crate::domain::{Change, ContentKey};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::flows::editing::stale_draft::compare;
use crate::store::snapshot;

impl Flows {
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
