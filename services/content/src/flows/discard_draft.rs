//! Back to what is published.

use kit::idempotency::Key;

use super::Flows;
use super::work::Begun;
use crate::domain::{DraftState, Place};
use crate::error::{Error, Missing};
use crate::store::{draft, lock};

impl Flows {
    /// The revision to go on with.
    pub async fn discard_draft(&self, place: &Place, expected: i64, key: Option<Key>) -> Result<i64, Error> {
        let mut work = match self.begin(key).await? {
            Begun::Work(work) => work,
            Begun::Answered(revision) => return Ok(revision),
        };
        let connection = work.connection();
        lock::item(connection, place).await?;
        let state = draft::find(connection, place).await?;
        if state.revision != expected {
            return Err(self.stale_draft(connection, place, &state, expected).await?);
        }
        if state.body.is_none() {
            return Err(Error::NotFound(Missing::Draft));
        }
        let next = DraftState {
            revision: state.revision + 1,
            body: None,
            base: None,
            saved_at: Some(self.clock.now()),
        };
        draft::put(connection, place, &next, None).await?;
        work.commit(next.revision).await
    }
}
