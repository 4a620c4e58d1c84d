//! Deletes expired preview links.

use crate::error::Error;
use crate::flows::Flows;
use crate::store::preview;

impl Flows {
    pub(in crate::flows) async fn forget_previews(&self) -> Result<(), Error> {
        let now = self.clock.now();
        let deleted = preview::delete_expired(&mut *self.pool.acquire().await?, now).await?;
        if deleted > 0 {
            tracing::debug!(deleted, "expired previews purged");
        }
        Ok(())
    }
}
