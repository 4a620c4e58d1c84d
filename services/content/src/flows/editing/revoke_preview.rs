//! Revokes a preview link.

use crate::domain::PreviewId;
use crate::error::Error;
use crate::flows::Flows;
use crate::store::preview;

impl Flows {
    /// One that is not there any more is fine.
    pub async fn revoke_preview(&self, id: PreviewId) -> Result<(), Error> {
        preview::delete(&mut *self.pool.acquire().await?, id).await
    }
}
