//! Drafts leave a release.

use super::Flows;
use super::add_to_release::lock_open;
use crate::domain::{Place, Release, ReleaseId};
use crate::error::Error;
use crate::store::release;

impl Flows {
    pub async fn remove_from_release(&self, id: ReleaseId, places: &[Place]) -> Result<Release, Error> {
        let mut transaction = self.pool.begin().await?;
        lock_open(&mut transaction, id).await?;
        for place in places {
            release::remove(&mut transaction, id, place).await?;
        }
        let release = lock_open(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok(release)
    }
}
