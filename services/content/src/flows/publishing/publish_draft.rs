//! Publishes a draft and closes it.

use kit::idempotency::{self, Key};
use sqlx::PgConnection;

use crate::domain::{ContentKey, Draft, DraftState, PublishedDraft};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::store::{draft, lock, pointer};

impl Flows {
    pub async fn publish_draft(
        &self,
        content_key: &ContentKey,
        expected: i64,
        key: Option<Key>,
    ) -> Result<PublishedDraft, Error> {
        idempotency::execute(&self.pool, &self.clock, key.as_ref(), async |connection| {
            lock::item(connection, content_key).await?;
            let state = draft::find(connection, content_key).await?;
            if state.revision != expected {
                return Err(self
                    .stale_draft(connection, content_key, &state, expected)
                    .await?);
            }
            let published = self.apply_draft(connection, content_key).await?;
            tracing::info!(item = %content_key, snapshot = %published.snapshot_id, "draft published");
            Ok(published)
        })
        .await
    }

    /// As it is now, whatever its revision. Writes nothing when it fails for the draft's own errors.
    pub(in crate::flows) async fn apply_draft(
        &self,
        connection: &mut PgConnection,
        content_key: &ContentKey,
    ) -> Result<PublishedDraft, Error> {
        lock::item(connection, content_key).await?;
        let state = draft::find(connection, content_key).await?;
        let Some(body) = &state.body else {
            return Err(Error::NotFound(NotFoundKind::Draft));
        };
        let current = pointer::current(connection, content_key).await?;
        if current.map(|current| current.snapshot_id) != state.base {
            return Err(self.stale_base(connection, content_key, &state).await?);
        }
        let ready = Draft::read(content_key, body)?
            .prepare()
            .map_err(Error::Invalid)?;
        let published = self.publish_snapshot(connection, &ready).await?;
        let next = DraftState {
            revision: state.revision + 1,
            body: None,
            base: Some(published.snapshot_id()),
            saved_at: Some(self.clock.now()),
        };
        draft::put(connection, content_key, &next, Some(body)).await?;
        Ok(PublishedDraft {
            snapshot_id: published.snapshot_id(),
            changed: published.changed(),
            revision: next.revision,
        })
    }
}
