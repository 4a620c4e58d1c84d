//! Creates the partitions of the current and the next months.
use crate::domain::months::months_from;
use crate::error::Error;
use crate::flows::Context;
use crate::store::event;

pub async fn make_partitions(context: &Context) -> Result<(), Error> {
    let today = context.clock.now().date_naive();
    let mut connection = context.pool.acquire().await?;
    for first_day in months_from(today, context.months_ahead) {
        event::make_partition(&mut connection, first_day).await?;
    }
    Ok(())
}
