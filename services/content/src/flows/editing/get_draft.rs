//! Returns an open draft, or the published document where there is none.

use crate::domain::{ContentKey, Draft, DraftView};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::flows::editing::stale_draft::last_published;
use crate::store::{draft, pointer};

impl Flows {
    pub async fn draft(&self, content_key: ContentKey) -> Result<DraftView, Error> {
        let mut connection = self.pool.acquire().await?;
        let state = draft::find(&mut connection, &content_key).await?;
        let (body, base, saved_at) = if state.body.is_some() {
            (state.body, state.base, state.saved_at)
        } else {
            let current = pointer::current(&mut connection, &content_key).await?;
            let body = last_published(&mut connection, &content_key).await?;
            (body, current.map(|current| current.snapshot_id), None)
        };
        let draft = Draft::read(&content_key, &body.ok_or(Error::NotFound(NotFoundKind::Draft))?)?;
        Ok(DraftView {
            content_key,
            revision: state.revision,
            errors: draft.errors(),
            draft,
            base,
            saved_at,
        })
    }
}
