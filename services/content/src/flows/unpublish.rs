//! Readers no longer get it. Its versions stay, and so does an open draft.

use kit::idempotency::Key;

use super::Flows;
use super::work::Begun;
use crate::domain::Place;
use crate::emit;
use crate::error::Error;
use crate::store::{lock, pointer};

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
            emit::unpublished(connection, &self.clock, place).await?;
            tracing::info!(item = %place, "unpublished");
        }
        work.commit(changed).await
    }
}
