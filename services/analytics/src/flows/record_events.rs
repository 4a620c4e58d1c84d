//! Keeps and counts events, in the transaction that marks them as applied. What comes late of somebody who is erased is only
//! counted.
use std::collections::BTreeMap;

use kit::bus::CloudEvent;
use kit::erasure::is_tombstoned;
use sqlx::PgConnection;

use crate::domain::about::about;
use crate::store::event::Told;
use crate::store::{daily_count, event};

pub async fn record_events(tx: &mut PgConnection, recorded: &[&CloudEvent]) -> Result<(), sqlx::Error> {
    let told = recorded.iter().map(|event| Told {
        event,
        about: about(&event.r#type, &event.data),
    });
    let kept = without_barred(tx, told.collect()).await?;
    event::insert_all(tx, &kept).await?;

    let mut counts = BTreeMap::new();
    for event in recorded {
        let count = counts.entry((event.time.date_naive(), event.r#type.as_str()));
        *count.or_insert(0) += 1;
    }
    daily_count::add(tx, &counts).await
}

/// Nobody has been erased in the meantime, as a rule: one question for all of them.
async fn without_barred<'a>(
    tx: &mut PgConnection,
    told: Vec<Told<'a>>,
) -> Result<Vec<Told<'a>>, sqlx::Error> {
    let mut marks: Vec<String> = told.iter().flat_map(|told| told.about.clone()).collect();
    marks.sort_unstable();
    marks.dedup();
    if !is_tombstoned(tx, &marks).await? {
        return Ok(told);
    }
    let mut kept = Vec::with_capacity(told.len());
    for told in told {
        if !is_tombstoned(tx, &told.about).await? {
            kept.push(told);
        }
    }
    Ok(kept)
}
