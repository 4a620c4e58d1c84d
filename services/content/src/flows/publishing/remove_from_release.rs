//! Removes drafts from a release.

use crate::domain::{ContentKey, Release, ReleaseId};
use crate::error::Error;
use crate::flows::Flows;
use crate::flows::publishing::add_to_release::lock_open;
use crate::store::release;

impl Flows {
    pub async fn remove_from_release(&self, id: ReleaseId, places: &[ContentKey]) -> Result<Release, Error> {
        let mut transaction = kit::database::begin(&self.pool).await?;
        lock_open(&mut transaction, id).await?;
        for content_key in places {
            release::remove(&mut transaction, id, content_key).await?;
        }
        let release = lock_open(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok(release)
    }
}
