//! Publishes a page directly.

use crate::domain::{PageDraft, Published, ValidatedDraft};
use crate::error::Error;
use crate::flows::Flows;

impl Flows {
    pub async fn publish_page(&self, draft: PageDraft) -> Result<Published, Error> {
        let page = draft.prepare().map_err(Error::Invalid)?;
        self.publish_validated(&ValidatedDraft::Page(page)).await
    }
}
