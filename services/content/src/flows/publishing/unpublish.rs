//! Unpublishes an item. Versions and an open draft stay.

use kit::idempotency::{self, Key};
use sqlx::PgConnection;

use crate::domain::{ContentKey, DraftState};
use crate::emit;
use crate::error::Error;
use crate::flows::Flows;
use crate::store::{draft, lock, pointer};

impl Flows {
    /// False when it was not published.
    pub async fn unpublish(&self, content_key: &ContentKey, key: Option<Key>) -> Result<bool, Error> {
        idempotency::execute(&self.pool, &self.clock, key.as_ref(), async |connection| {
            lock::item(connection, content_key).await?;
            let changed = pointer::remove(connection, content_key).await?;
            if changed {
                rebase_draft(connection, content_key).await?;
                emit::unpublished(connection, &self.clock, content_key).await?;
                tracing::info!(item = %content_key, "unpublished");
            }
            Ok(changed)
        })
        .await
    }
}

/// An open draft goes on upon nothing published: else it could be neither published nor saved anew. It counts as a change, so an
/// editor who does not know of the unpublishing is refused once.
async fn rebase_draft(connection: &mut PgConnection, content_key: &ContentKey) -> Result<(), Error> {
    let state = draft::find(connection, content_key).await?;
    let (Some(body), Some(_)) = (&state.body, state.base) else {
        return Ok(());
    };
    let next = DraftState {
        revision: state.revision + 1,
        base: None,
        ..state.clone()
    };
    draft::put(connection, content_key, &next, Some(body)).await
}
