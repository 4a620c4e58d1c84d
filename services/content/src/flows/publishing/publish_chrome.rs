//! Publishes navigation and footer of a locale together.

use crate::domain::{ChromeDraft, Published, ValidatedDraft};
use crate::error::Error;
use crate::flows::Flows;

impl Flows {
    pub async fn publish_chrome(&self, draft: ChromeDraft) -> Result<Published, Error> {
        let chrome = draft.prepare().map_err(Error::Invalid)?;
        self.publish_validated(&ValidatedDraft::Chrome(chrome)).await
    }
}
