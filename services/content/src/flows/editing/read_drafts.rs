//! Drafts and schedules; the published document where there is no draft.

use crate::domain::{
    Change, ContentKey, Draft, DraftFilter, DraftSummary, DraftView, PageToken, Schedule, ScheduleState,
    ValidatedDraft,
};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::flows::editing::stale_draft::{last_published, published};
use crate::store::{draft, pointer, schedule};

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
            faults: draft.faults(),
            draft,
            base,
            saved_at,
        })
    }

    /// The open drafts, and where the list goes on if it does.
    pub async fn drafts(&self, filter: DraftFilter) -> Result<(Vec<DraftSummary>, Option<PageToken>), Error> {
        let limit = filter.limit;
        let one_more = DraftFilter {
            limit: limit + 1,
            ..filter
        };
        let mut connection = self.pool.acquire().await?;
        let mut drafts = draft::list(&mut connection, &one_more).await?;
        let goes_on = drafts.len() > limit;
        drafts.truncate(limit);
        let next = drafts.last().filter(|_| goes_on).map(|last| PageToken {
            name: last.content_key.item.stored(),
            locale: last.content_key.locale.to_string(),
        });
        Ok((drafts, next))
    }

    pub async fn schedules(&self, state: Option<ScheduleState>, limit: i64) -> Result<Vec<Schedule>, Error> {
        schedule::list(&mut *self.pool.acquire().await?, state, limit).await
    }

    /// What publishing this would change for readers.
    pub async fn changes_by(&self, ready: &ValidatedDraft) -> Result<Vec<Change>, Error> {
        let content_key = ready.content_key();
        let published = published(&mut *self.pool.acquire().await?, &content_key).await?;
        crate::flows::editing::stale_draft::compare(
            &content_key,
            published.as_deref(),
            Some(ready.document()),
        )
    }
}
