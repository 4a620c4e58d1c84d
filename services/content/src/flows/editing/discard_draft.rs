//! Discards a draft.

use kit::idempotency::{self, Key};

use crate::domain::{ContentKey, DraftState};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::store::{draft, lock};

impl Flows {
    /// The revision to go on with.
    pub async fn discard_draft(
        &self,
        content_key: &ContentKey,
        expected: i64,
        key: Option<Key>,
    ) -> Result<i64, Error> {
        idempotency::execute(&self.pool, &self.clock, key.as_ref(), async |connection| {
            lock::item(connection, content_key).await?;
            let state = draft::find(connection, content_key).await?;
            if state.revision != expected {
                return Err(self
                    .stale_draft(connection, content_key, &state, expected)
                    .await?);
            }
            if state.body.is_none() {
                return Err(Error::NotFound(NotFoundKind::Draft));
            }
            let next = DraftState {
                revision: state.revision + 1,
                body: None,
                base: None,
                saved_at: Some(self.clock.now()),
            };
            draft::put(connection, content_key, &next, None).await?;
            Ok(next.revision)
        })
        .await
    }
}
