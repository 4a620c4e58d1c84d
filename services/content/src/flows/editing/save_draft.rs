//! Saves a draft, unless its revision is stale.

use kit::idempotency::{self, Key};

use crate::domain::{Draft, DraftState, SavedDraft, SnapshotId, StoredValidationError, ValidationError};
use crate::error::Error;
use crate::flows::Flows;
use crate::store::{draft, lock, pointer};

#[derive(Debug)]
pub struct SaveDraft {
    pub draft: Draft,
    /// What the editor started from.
    pub expected_revision: i64,
    /// The published snapshot whose changes the editor has seen; `None`: as it was.
    pub base: Option<SnapshotId>,
}

impl Flows {
    pub async fn save_draft(&self, save: SaveDraft, key: Option<Key>) -> Result<SavedDraft, Error> {
        let content_key = save.draft.content_key().map_err(Error::Invalid)?;
        let errors = save.draft.errors();
        let body = save.draft.into_body().map_err(Error::Invalid)?;
        idempotency::execute(&self.pool, &self.clock, key.as_ref(), async |connection| {
            lock::item(connection, &content_key).await?;
            let state = draft::find(connection, &content_key).await?;
            let current = pointer::current(connection, &content_key).await?;
            let current = current.map(|current| current.snapshot_id);
            // Without a draft and without a published version a save overwrites nothing: then 0 is right whatever was there before.
            let is_first = save.expected_revision == 0 && state.body.is_none() && current.is_none();
            if state.revision != save.expected_revision && !is_first {
                return Err(self
                    .stale_draft(connection, &content_key, &state, save.expected_revision)
                    .await?);
            }
            let base = match save.base {
                Some(seen) if Some(seen) == current => Some(seen),
                // Unpublished since: the editor reads the draft again and saves on an unpublished page.
                Some(seen) if current.is_none() => {
                    let read = DraftState {
                        base: Some(seen),
                        ..state
                    };
                    return Err(self.stale_base(connection, &content_key, &read).await?);
                }
                Some(_) => {
                    let error =
                        ValidationError::not_allowed("baseSnapshotId", "is not what is published now");
                    return Err(Error::Invalid(vec![error]));
                }
                None if state.body.is_some() => state.base,
                None => current,
            };
            let next = DraftState {
                revision: state.revision + 1,
                body: Some(body),
                base,
                saved_at: Some(self.clock.now()),
            };
            draft::put(connection, &content_key, &next, next.body.as_deref()).await?;
            let saved = SavedDraft {
                revision: next.revision,
                errors: errors.into_iter().map(StoredValidationError::from).collect(),
            };
            Ok(saved)
        })
        .await
    }
}
