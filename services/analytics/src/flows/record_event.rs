//! Keeps and counts an event, in the transaction that marks it as applied.
use kit::bus::CloudEvent;
use sqlx::PgConnection;

use crate::store::{daily_count, event};

pub async fn record_event(tx: &mut PgConnection, recorded: &CloudEvent) -> Result<(), sqlx::Error> {
    event::insert(tx, recorded).await?;
    daily_count::add_one(tx, recorded.time.date_naive(), &recorded.r#type).await
}
