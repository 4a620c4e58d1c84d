//! Returns a release with its members.

use crate::domain::{Release, ReleaseId};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::store::release;

impl Flows {
    pub async fn release(&self, id: ReleaseId) -> Result<Release, Error> {
        let mut connection = self.pool.acquire().await?;
        let found = release::find(&mut connection, id).await?;
        found.ok_or(Error::NotFound(NotFoundKind::Release))
    }
}
