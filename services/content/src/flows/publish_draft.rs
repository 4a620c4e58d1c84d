//! A draft goes live and is closed.

use kit::idempotency::Key;
use sqlx::PgConnection;

use super::Flows;
use super::work::Begun;
use crate::domain::{Draft, DraftState, Place, PublishedDraft};
use crate::error::{Error, Missing};
use crate::store::{draft, lock, pointer};

impl Flows {
    pub async fn publish_draft(
        &self,
        place: &Place,
        expected: i64,
        key: Option<Key>,
    ) -> Result<PublishedDraft, Error> {
        let mut work = match self.begin(key).await? {
            Begun::Work(work) => work,
            Begun::Answered(published) => return Ok(published),
        };
        let connection = work.connection();
        lock::item(connection, place).await?;
        let state = draft::find(connection, place).await?;
        if state.revision != expected {
            return Err(self.stale_draft(connection, place, &state, expected).await?);
        }
        let published = self.put_draft_live(connection, place).await?;
        tracing::info!(item = %place, snapshot = %published.snapshot_id, "a draft was published");
        work.commit(published).await
    }

    /// As it is now, whatever its revision. Writes nothing when it fails for the draft's own faults.
    pub(super) async fn put_draft_live(
        &self,
        connection: &mut PgConnection,
        place: &Place,
    ) -> Result<PublishedDraft, Error> {
        lock::item(connection, place).await?;
        let state = draft::find(connection, place).await?;
        let Some(body) = &state.body else {
            return Err(Error::NotFound(Missing::Draft));
        };
        let current = pointer::current(connection, place).await?;
        if current.map(|current| current.snapshot_id) != state.base {
            return Err(self.stale_base(connection, place, &state).await?);
        }
        let ready = Draft::read(place, body)?.prepare().map_err(Error::Invalid)?;
        let published = self.put_live(connection, &ready).await?;
        let next = DraftState {
            revision: state.revision + 1,
            body: None,
            base: Some(published.snapshot_id()),
            saved_at: Some(self.clock.now()),
        };
        draft::put(connection, place, &next, Some(body)).await?;
        Ok(PublishedDraft {
            snapshot_id: published.snapshot_id(),
            changed: published.changed(),
            revision: next.revision,
        })
    }
}
