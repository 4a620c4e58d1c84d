//! Readers no longer get it. Its versions stay, and so does an open draft.

use kit::idempotency::Key;
use sqlx::PgConnection;

use super::Flows;
use super::work::Begun;
use crate::domain::{DraftState, Place};
use crate::emit;
use crate::error::Error;
use crate::store::{draft, lock, pointer};

impl Flows {
    /// False when it was not published.
    pub async fn unpublish(&self, place: &Place, key: Option<Key>) -> Result<bool, Error> {
        let mut work = match self.begin(key).await? {
            Begun::Work(work) => work,
            Begun::Answered(changed) => return Ok(changed),
        };
        let connection = work.connection();
        lock::item(connection, place).await?;
        let changed = pointer::remove(connection, place).await?;
        if changed {
            rebase_draft(connection, place).await?;
            emit::unpublished(connection, &self.clock, place).await?;
            tracing::info!(item = %place, "unpublished");
        }
        work.commit(changed).await
    }
}

/// An open draft goes on upon nothing published: else it could be neither published nor saved anew. It counts as a change, so an
/// editor who does not know of the unpublishing is refused once.
async fn rebase_draft(connection: &mut PgConnection, place: &Place) -> Result<(), Error> {
    let state = draft::find(connection, place).await?;
    let (Some(body), Some(_)) = (&state.body, state.base) else {
        return Ok(());
    };
    let next = DraftState {
        revision: state.revision + 1,
        base: None,
        ..state.clone()
    };
    draft::put(connection, place, &next, Some(body)).await
}
