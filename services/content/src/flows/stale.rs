//! What to tell somebody who comes too late: what has changed since they looked.

use serde_json::Value;
use sqlx::PgConnection;

use super::Flows;
use crate::domain::{Change, DraftState, Place, SnapshotId, Stale, StaleCause, changes, comparable};
use crate::error::Error;
use crate::store::{draft, pointer, snapshot};

impl Flows {
    /// The draft is not at `expected` any more.
    pub(super) async fn stale_draft(
        &self,
        connection: &mut PgConnection,
        place: &Place,
        state: &DraftState,
        expected: i64,
    ) -> Result<Error, Error> {
        let published = published(connection, place).await?;
        let had = match draft::body_at(connection, place, expected).await? {
            Some(body) => Some(body),
            // Whoever starts from no draft starts from what was published then.
            None if expected == 0 => document(connection, state.base).await?.or(published.clone()),
            None => None,
        };
        let has = state.body.clone().or(published);
        let changes = match had {
            Some(had) => compare(place, Some(&had), has.as_deref())?,
            None if expected == 0 => compare(place, None, has.as_deref())?,
            None => Vec::new(),
        };
        Ok(Error::Stale(Box::new(Stale {
            cause: StaleCause::Draft,
            revision: state.revision,
            changes,
        })))
    }

    /// Something else was published than what the draft was begun upon.
    pub(super) async fn stale_base(
        &self,
        connection: &mut PgConnection,
        place: &Place,
        state: &DraftState,
    ) -> Result<Error, Error> {
        let had = document(connection, state.base).await?;
        let has = published(connection, place).await?;
        Ok(Error::Stale(Box::new(Stale {
            cause: StaleCause::Published,
            revision: state.revision,
            changes: compare(place, had.as_deref(), has.as_deref())?,
        })))
    }
}

pub(super) async fn published(connection: &mut PgConnection, place: &Place) -> Result<Option<String>, Error> {
    let current = pointer::current(connection, place).await?;
    document(connection, current.map(|current| current.snapshot_id)).await
}

/// What readers see; where it was unpublished, what they saw last.
pub(super) async fn last_published(
    connection: &mut PgConnection,
    place: &Place,
) -> Result<Option<String>, Error> {
    match published(connection, place).await? {
        Some(document) => Ok(Some(document)),
        None => snapshot::newest(connection, place).await,
    }
}

async fn document(connection: &mut PgConnection, id: Option<SnapshotId>) -> Result<Option<String>, Error> {
    match id {
        Some(id) => snapshot::document(connection, id).await,
        None => Ok(None),
    }
}

/// `None`: there is nothing.
pub(super) fn compare(
    place: &Place,
    before: Option<&str>,
    after: Option<&str>,
) -> Result<Vec<Change>, Error> {
    let read = |body: Option<&str>| body.map_or(Ok(Value::Null), |body| comparable(place, body));
    Ok(changes(&read(before)?, &read(after)?))
}
