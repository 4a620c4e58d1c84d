//! Compares a draft with the published content.

use crate::domain::{Change, ValidatedDraft};
use crate::error::Error;
use crate::flows::Flows;
use crate::flows::editing::stale_draft::published;

impl Flows {
    /// What publishing this would change for readers.
    pub async fn changes_by(&self, ready: &ValidatedDraft) -> Result<Vec<Change>, Error> {
        let content_key = ready.content_key();
        let published = published(&mut *self.pool.acquire().await?, &content_key).await?;
        crate::flows::editing::stale_draft::compare(
            &content_key,
            published.as_deref(),
            Some(ready.document()),
        )
    }
}
