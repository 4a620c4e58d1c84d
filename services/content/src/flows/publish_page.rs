//! A page goes live as it was handed in.

use super::Flows;
use crate::domain::{PageDraft, Published, Ready};
use crate::error::Error;

impl Flows {
    pub async fn publish_page(&self, draft: PageDraft) -> Result<Published, Error> {
        let page = draft.prepare().map_err(Error::Invalid)?;
        self.publish_ready(&Ready::Page(page)).await
    }
}
