//! Keeps and counts an event, in the transaction that marks it as applied. What comes late of somebody who is erased is only
//! counted.
use kit::bus::CloudEvent;
use kit::erasure::is_barred;
use sqlx::PgConnection;

use crate::domain::about::about;
use crate::store::{daily_count, event};

pub async fn record_event(tx: &mut PgConnection, recorded: &CloudEvent) -> Result<(), sqlx::Error> {
    let about = about(&recorded.r#type, &recorded.data);
    if !is_barred(tx, &about).await? {
        event::insert(tx, recorded, &about).await?;
    }
    daily_count::add_one(tx, recorded.time.date_naive(), &recorded.r#type).await
}
