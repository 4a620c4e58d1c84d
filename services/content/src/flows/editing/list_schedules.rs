//! Lists schedules by state.

use crate::domain::{Schedule, ScheduleState};
use crate::error::Error;
use crate::flows::Flows;
use crate::store::schedule;

impl Flows {
    pub async fn schedules(&self, state: Option<ScheduleState>, limit: i64) -> Result<Vec<Schedule>, Error> {
        schedule::list(&mut *self.pool.acquire().await?, state, limit).await
    }
}
