//! Returns counts by event type and UTC day.
use crate::domain::daily_count::DailyCount;
use crate::domain::period::Period;
use crate::error::Error;
use crate::flows::Context;
use crate::store::daily_count;

/// Browsers choose the names of their events, so the result needs a limit.
const MAX_COUNTS: i64 = 10_000;

pub async fn summarize(context: &Context, days: i32) -> Result<Vec<DailyCount>, Error> {
    let today = context.clock.now().date_naive();
    let period = Period::last(days, today).map_err(|error| Error::Invalid(vec![error]))?;
    Ok(daily_count::within(&mut *context.pool.acquire().await?, period, MAX_COUNTS).await?)
}
