//! A page goes live: a new snapshot, readers pointed at it, and word of it, all or nothing.

use super::Flows;
use crate::domain::{PageDraft, Published, ReadyPage, SnapshotId};
use crate::emit;
use crate::error::Error;
use crate::store::{page, snapshot};

impl Flows {
    pub async fn publish_page(&self, draft: PageDraft) -> Result<Published, Error> {
        let page = draft.prepare().map_err(Error::Invalid)?;
        self.publish_ready_page(&page).await
    }

    pub(super) async fn publish_ready_page(&self, ready: &ReadyPage) -> Result<Published, Error> {
        let mut transaction = self.pool.begin().await?;
        if let Some(same) = page::current_if_same(&mut transaction, ready).await? {
            return Ok(Published::Unchanged(same));
        }
        let now = self.clock.now();
        let id = SnapshotId::new(now);
        let new = snapshot::NewSnapshot {
            id,
            locale: ready.locale,
            url_path: Some(&ready.url_path),
            document: &ready.document,
            created_at: now,
        };
        snapshot::insert(&mut transaction, new).await?;
        if !page::point_at(&mut transaction, ready, id, now).await? {
            // Another publisher was faster with the same content. The attempt has locked its row, so it is still
            // there; our snapshot goes with the transaction.
            let theirs = page::current(&mut transaction, ready).await?;
            return Ok(Published::Unchanged(theirs));
        }
        emit::page_published(&mut transaction, &self.clock, ready, id).await?;
        transaction.commit().await?;
        tracing::info!(url_path = %ready.url_path, locale = %ready.locale, snapshot = %id, "page published");
        Ok(Published::Changed(id))
    }
}
