//! Stores and counts events in the transaction of their inbox rows. A late event about an erased member is counted, but not
//! stored.
use std::collections::BTreeMap;

use kit::bus::CloudEvent;
use kit::erasure::is_tombstoned;
use sqlx::PgConnection;

use crate::domain::subjects::subject_ids;
use crate::store::event::EventWithSubjects;
use crate::store::{daily_count, event};

pub async fn record_events(tx: &mut PgConnection, recorded: &[&CloudEvent]) -> Result<(), sqlx::Error> {
    let with_subjects = recorded.iter().map(|event| EventWithSubjects {
        event,
        subject_ids: subject_ids(&event.r#type, &event.data),
    });
    let stored = without_tombstoned(tx, with_subjects.collect()).await?;
    event::insert_all(tx, &stored).await?;

    let mut counts = BTreeMap::new();
    for event in recorded {
        let count = counts.entry((event.time.date_naive(), event.r#type.as_str()));
        *count.or_insert(0) += 1;
    }
    daily_count::add(tx, &counts).await
}

/// Usually no subject is erased: one query for all events first, one per event only on a match.
async fn without_tombstoned<'a>(
    tx: &mut PgConnection,
    events: Vec<EventWithSubjects<'a>>,
) -> Result<Vec<EventWithSubjects<'a>>, sqlx::Error> {
    let mut ids: Vec<String> = events
        .iter()
        .flat_map(|event| event.subject_ids.clone())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    if !is_tombstoned(tx, &ids).await? {
        return Ok(events);
    }
    let mut stored = Vec::with_capacity(events.len());
    for event in events {
        if !is_tombstoned(tx, &event.subject_ids).await? {
            stored.push(event);
        }
    }
    Ok(stored)
}
