//! Keeps a block that cannot be shown from breaking its page.
//!
//! Every block was checked when it was published. A second look is needed only when block types have changed since, or
//! when somebody wrote into the table; it also gives old blocks the fields that came later. A snapshot never changes:
//! what was found out about it once stays true.

use std::sync::Arc;

use moka::sync::Cache;

use crate::domain::{ContentHash, PublishedPage, PublishedRecord, SnapshotId, readable_block, readable_page};
use crate::error::Error;
use crate::store::page::StoredPage;

/// In bytes, roughly.
const MOST_KEPT: u64 = 64 * 1024 * 1024;
const ENTRY: u32 = 128;

pub struct Screening {
    /// What to show instead of what is stored; `None`: that is fine.
    known: Cache<SnapshotId, Option<Arc<str>>>,
}

impl Default for Screening {
    fn default() -> Self {
        let weigh = |_: &SnapshotId, shown: &Option<Arc<str>>| {
            let length = shown.as_ref().map_or(0, |shown| shown.len());
            u32::try_from(length).unwrap_or(u32::MAX).saturating_add(ENTRY)
        };
        let known = Cache::builder().max_capacity(MOST_KEPT).weigher(weigh).build();
        Self { known }
    }
}

impl Screening {
    pub fn page(&self, stored: StoredPage) -> Result<PublishedPage, Error> {
        let shown = match self.known.get(&stored.snapshot_id) {
            Some(shown) => shown,
            None => self.look_at(&stored)?,
        };
        let mut page = stored.page;
        if let Some(shown) = shown {
            shown.as_ref().clone_into(&mut page.document);
        }
        Ok(page)
    }

    fn look_at(&self, stored: &StoredPage) -> Result<Option<Arc<str>>, Error> {
        let document = &stored.page.document;
        let untouched = || ContentHash::of(document).as_bytes() == stored.content_hash.as_slice();
        let shown = if stored.up_to_date && untouched() {
            None
        } else {
            Some(look_through(stored.snapshot_id, document)?)
        };
        self.known.insert(stored.snapshot_id, shown.clone());
        Ok(shown)
    }
}

/// `None`, and a line in the log, when it cannot be shown. Records are asked for too seldom to remember them.
pub fn readable_record(record: PublishedRecord) -> Option<PublishedRecord> {
    let document = readable_block(&record.document)
        .map_err(|fault| tell(record.snapshot_id, &fault))
        .ok()?;
    Some(PublishedRecord { document, ..record })
}

fn look_through(snapshot: SnapshotId, document: &str) -> Result<Arc<str>, Error> {
    let readable = readable_page(document).map_err(|error| Error::BrokenRow {
        table: "snapshot",
        id: snapshot.to_string(),
        reason: format!("column document: {error}"),
    })?;
    for fault in &readable.left_out {
        tell(snapshot, fault);
    }
    Ok(readable.document.into())
}

fn tell(snapshot: SnapshotId, fault: &str) {
    metrics::counter!("content_blocks_left_out_total").increment(1);
    tracing::error!(%snapshot, fault, "a stored block cannot be shown and is left out");
}
