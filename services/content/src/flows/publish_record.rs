//! A record goes live as it was handed in.

use super::Flows;
use crate::domain::{NamedRecordDraft, Published, Ready};
use crate::error::Error;

impl Flows {
    pub async fn publish_record(&self, draft: NamedRecordDraft) -> Result<Published, Error> {
        let record = draft.prepare().map_err(Error::Invalid)?;
        self.publish_ready(&Ready::Record(record)).await
    }
}
