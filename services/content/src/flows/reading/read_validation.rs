//! Leaves invalid blocks out of stored pages.
//!
//! Publication validates every block. A read validates again only if block types changed since, or the hash of the document
//! differs; it also fills new fields of old blocks. Snapshots are immutable, so results are cached.

use std::sync::Arc;

use moka::sync::Cache;

use crate::domain::{ContentHash, PublishedPage, PublishedRecord, SnapshotId, readable_block, readable_page};
use crate::error::Error;
use crate::store::page::StoredPage;

/// In bytes, roughly.
const CACHE_BYTES: u64 = 64 * 1024 * 1024;
const ENTRY: u32 = 128;

pub struct ReadValidation {
    /// What to show instead of what is stored; `None`: that is fine.
    cache: Cache<SnapshotId, Option<Arc<str>>>,
}

impl Default for ReadValidation {
    fn default() -> Self {
        let weigh = |_: &SnapshotId, shown: &Option<Arc<str>>| {
            let length = shown.as_ref().map_or(0, |shown| shown.len());
            u32::try_from(length).unwrap_or(u32::MAX).saturating_add(ENTRY)
        };
        let known = Cache::builder().max_capacity(CACHE_BYTES).weigher(weigh).build();
        Self { cache: known }
    }
}

impl ReadValidation {
    pub fn page(&self, stored: StoredPage) -> Result<PublishedPage, Error> {
        let shown = match self.cache.get(&stored.snapshot_id) {
            Some(shown) => shown,
            None => self.validate(&stored)?,
        };
        let mut page = stored.page;
        if let Some(shown) = shown {
            shown.as_ref().clone_into(&mut page.document);
        }
        Ok(page)
    }

    fn validate(&self, stored: &StoredPage) -> Result<Option<Arc<str>>, Error> {
        let document = &stored.page.document;
        let untouched = || ContentHash::of(document).as_bytes() == stored.content_hash.as_slice();
        let shown = if stored.up_to_date && untouched() {
            None
        } else {
            Some(validate_blocks(stored.snapshot_id, document)?)
        };
        self.cache.insert(stored.snapshot_id, shown.clone());
        Ok(shown)
    }
}

/// `None`, and a line in the log, when it cannot be shown. Records are asked for too seldom to remember them.
pub fn readable_record(record: PublishedRecord) -> Option<PublishedRecord> {
    let document = readable_block(&record.document)
        .map_err(|error| report_left_out(record.snapshot_id, &error))
        .ok()?;
    Some(PublishedRecord { document, ..record })
}

fn validate_blocks(snapshot: SnapshotId, document: &str) -> Result<Arc<str>, Error> {
    let readable = readable_page(document).map_err(|error| Error::BrokenRow {
        table: "snapshot",
        id: snapshot.to_string(),
        reason: format!("column document: {error}"),
    })?;
    for error in &readable.left_out {
        report_left_out(snapshot, error);
    }
    Ok(readable.document.into())
}

fn report_left_out(snapshot: SnapshotId, error: &str) {
    metrics::counter!("content_blocks_left_out_total").increment(1);
    tracing::error!(%snapshot, error, "stored block is invalid; left out");
}
