//! Counts by event and UTC day.
use crate::domain::daily_count::DailyCount;
use crate::domain::period::Period;
use crate::error::Error;
use crate::flows::Context;
use crate::store::daily_count;

/// Browsers name their events freely; a summary stays readable and bounded all the same.
const MAX_COUNTS: i64 = 10_000;

pub async fn summarize(context: &Context, days: i32) -> Result<Vec<DailyCount>, Error> {
    let today = context.clock.now().date_naive();
    let period = Period::last(days, today).map_err(|fault| Error::Invalid(vec![fault]))?;
    Ok(daily_count::within(&mut *context.pool.acquire().await?, period, MAX_COUNTS).await?)
}
