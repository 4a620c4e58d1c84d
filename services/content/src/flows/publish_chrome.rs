//! Navigation and footer of a locale go live together.

use super::Flows;
use crate::domain::{ChromeDraft, ReadyChrome, SnapshotId};
use crate::emit;
use crate::error::Error;
use crate::store::{chrome, snapshot};

impl Flows {
    /// False when the same content was already there.
    pub async fn publish_chrome(&self, draft: ChromeDraft) -> Result<bool, Error> {
        let chrome = draft.prepare().map_err(Error::Invalid)?;
        self.publish_ready_chrome(&chrome).await
    }

    pub(super) async fn publish_ready_chrome(&self, ready: &ReadyChrome) -> Result<bool, Error> {
        let mut transaction = self.pool.begin().await?;
        if chrome::is_same(&mut transaction, ready).await? {
            return Ok(false);
        }
        let now = self.clock.now();
        let id = SnapshotId::new(now);
        let new = snapshot::NewSnapshot {
            id,
            locale: ready.locale,
            url_path: None,
            document: &ready.document,
            created_at: now,
        };
        snapshot::insert(&mut transaction, new).await?;
        if !chrome::point_at(&mut transaction, ready, id, now).await? {
            return Ok(false);
        }
        emit::chrome_published(&mut transaction, &self.clock, ready).await?;
        transaction.commit().await?;
        tracing::info!(locale = %ready.locale, snapshot = %id, "navigation and footer published");
        Ok(true)
    }
}
