//! Cancels a schedule.

use crate::domain::{ScheduleId, ScheduleState};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::store::schedule;

impl Flows {
    /// False when it was no longer pending. One that is just being published is waited for.
    pub async fn cancel_schedule(&self, id: ScheduleId) -> Result<bool, Error> {
        let mut transaction = kit::database::begin(&self.pool).await?;
        if schedule::find(&mut transaction, id).await?.is_none() {
            return Err(Error::NotFound(NotFoundKind::Schedule));
        }
        let now = self.clock.now();
        let cancelled = schedule::finish(&mut transaction, id, ScheduleState::Cancelled, &[], now).await?;
        transaction.commit().await?;
        Ok(cancelled)
    }
}
