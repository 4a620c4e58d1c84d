//! Links that have expired are thrown away.

use super::Flows;
use crate::error::Error;
use crate::store::preview;

impl Flows {
    pub(super) async fn forget_previews(&self) -> Result<(), Error> {
        let now = self.clock.now();
        let deleted = preview::delete_expired(&mut *self.pool.acquire().await?, now).await?;
        if deleted > 0 {
            tracing::debug!(deleted, "expired previews thrown away");
        }
        Ok(())
    }
}
