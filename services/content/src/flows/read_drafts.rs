//! What editors start from: drafts, schedules, and what is published where there is no draft.

use super::Flows;
use super::stale::{last_published, published};
use crate::domain::{
    Change, Draft, DraftFilter, DraftSummary, DraftView, PageToken, Place, Ready, Schedule, ScheduleState,
};
use crate::error::{Error, Missing};
use crate::store::{draft, pointer, schedule};

impl Flows {
    pub async fn draft(&self, place: Place) -> Result<DraftView, Error> {
        let mut connection = self.pool.acquire().await?;
        let state = draft::find(&mut connection, &place).await?;
        let (body, base, saved_at) = if state.body.is_some() {
            (state.body, state.base, state.saved_at)
        } else {
            let current = pointer::current(&mut connection, &place).await?;
            let body = last_published(&mut connection, &place).await?;
            (body, current.map(|current| current.snapshot_id), None)
        };
        let draft = Draft::read(&place, &body.ok_or(Error::NotFound(Missing::Draft))?)?;
        Ok(DraftView {
            place,
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
            name: last.place.item.stored(),
            locale: last.place.locale.to_string(),
        });
        Ok((drafts, next))
    }

    pub async fn schedules(&self, state: Option<ScheduleState>, limit: i64) -> Result<Vec<Schedule>, Error> {
        schedule::list(&mut *self.pool.acquire().await?, state, limit).await
    }

    /// What publishing this would change for readers.
    pub async fn changes_by(&self, ready: &Ready) -> Result<Vec<Change>, Error> {
        let place = ready.place();
        let published = published(&mut *self.pool.acquire().await?, &place).await?;
        super::stale::compare(&place, published.as_deref(), Some(ready.document()))
    }
}
