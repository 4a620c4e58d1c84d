//! Publishes a record directly.

use crate::domain::{NamedRecordDraft, Published, ValidatedDraft};
use crate::error::Error;
use crate::flows::Flows;

impl Flows {
    pub async fn publish_record(&self, draft: NamedRecordDraft) -> Result<Published, Error> {
        let record = draft.prepare().map_err(Error::Invalid)?;
        self.publish_validated(&ValidatedDraft::Record(record)).await
    }
}
