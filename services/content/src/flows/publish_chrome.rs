//! Navigation and footer of a locale go live together.

use super::Flows;
use crate::domain::{ChromeDraft, Published, Ready};
use crate::error::Error;

impl Flows {
    pub async fn publish_chrome(&self, draft: ChromeDraft) -> Result<Published, Error> {
        let chrome = draft.prepare().map_err(Error::Invalid)?;
        self.publish_ready(&Ready::Chrome(chrome)).await
    }
}
