//! Builds the error of a stale write: the changes since its revision.

use serde_json::Value;
use sqlx::PgConnection;

use crate::domain::{Change, ContentKey, DraftState, SnapshotId, Stale, StaleCause, changes, comparable};
use crate::error::Error;
use crate::flows::Flows;
use crate::store::{draft, pointer, snapshot};

impl Flows {
    /// The draft is not at `expected` any more.
    pub(in crate::flows) async fn stale_draft(
        &self,
        connection: &mut PgConnection,
        content_key: &ContentKey,
        state: &DraftState,
        expected: i64,
    ) -> Result<Error, Error> {
        let published = published(connection, content_key).await?;
        let had = match draft::body_at(connection, content_key, expected).await? {
            Some(body) => Some(body),
            // Revision 0 is based on the publication of that time.
            None if expected == 0 => document(connection, state.base).await?.or(published.clone()),
            None => None,
        };
        let has = state.body.clone().or(published);
        let changes = match had {
            Some(had) => compare(content_key, Some(&had), has.as_deref())?,
            None if expected == 0 => compare(content_key, None, has.as_deref())?,
            None => Vec::new(),
        };
        Ok(Error::Stale(Box::new(Stale {
            cause: StaleCause::Draft,
            revision: state.revision,
            changes,
        })))
    }

    /// Something else was published than what the draft was begun upon.
    pub(in crate::flows) async fn stale_base(
        &self,
        connection: &mut PgConnection,
        content_key: &ContentKey,
        state: &DraftState,
    ) -> Result<Error, Error> {
        let had = document(connection, state.base).await?;
        let has = published(connection, content_key).await?;
        Ok(Error::Stale(Box::new(Stale {
            cause: StaleCause::Published,
            revision: state.revision,
            changes: compare(content_key, had.as_deref(), has.as_deref())?,
        })))
    }
}

pub(in crate::flows) async fn published(
    connection: &mut PgConnection,
    content_key: &ContentKey,
) -> Result<Option<String>, Error> {
    let current = pointer::current(connection, content_key).await?;
    document(connection, current.map(|current| current.snapshot_id)).await
}

/// What readers see; where it was unpublished, what they saw last.
pub(in crate::flows) async fn last_published(
    connection: &mut PgConnection,
    content_key: &ContentKey,
) -> Result<Option<String>, Error> {
    match published(connection, content_key).await? {
        Some(document) => Ok(Some(document)),
        None => snapshot::newest(connection, content_key).await,
    }
}

async fn document(connection: &mut PgConnection, id: Option<SnapshotId>) -> Result<Option<String>, Error> {
    match id {
        Some(id) => snapshot::document(connection, id).await,
        None => Ok(None),
    }
}

/// `None`: there is nothing.
pub(in crate::flows) fn compare(
    content_key: &ContentKey,
    before: Option<&str>,
    after: Option<&str>,
) -> Result<Vec<Change>, Error> {
    let read = |body: Option<&str>| body.map_or(Ok(Value::Null), |body| comparable(content_key, body));
    Ok(changes(&read(before)?, &read(after)?))
}
