//! Stored responses, bounded in bytes, and the state of each: fresh, stale or invalidated.
use std::sync::{Arc, Mutex, PoisonError};

use http::StatusCode;
use kit::clock::Clock;
use moka::sync::Cache;

use crate::cache::entry::Entry;
use crate::cache::tags::CacheTags;

/// The number of missing paths is unbounded: they share one sixteenth of the memory and cannot evict pages.
const MISSING_SHARE: u64 = 16;

#[derive(Debug)]
pub enum Lookup {
    Fresh(Arc<Entry>),
    /// Past its lifetime: served while a new one is rendered.
    Stale(Arc<Entry>),
    /// A dependency was published since: served only if no new one can be rendered in time.
    Invalidated(Arc<Entry>),
    Missing,
}

pub struct ResponseCache {
    pub tags: Arc<CacheTags>,
    clock: Clock,
    pages: Cache<Box<str>, Arc<Entry>>,
    missing: Cache<Box<str>, Arc<Entry>>,
    storing: Mutex<()>,
}

impl ResponseCache {
    pub fn new(clock: Clock, most_bytes: u64, tags: Arc<CacheTags>) -> Self {
        Self {
            tags,
            clock,
            pages: bounded_cache(most_bytes),
            missing: bounded_cache(most_bytes / MISSING_SHARE),
            storing: Mutex::new(()),
        }
    }

    pub fn now_ms(&self) -> i64 {
        self.clock.now().timestamp_millis()
    }

    /// One look-up, no lock: most requests end here.
    pub fn get_fresh(&self, path: &str) -> Option<Arc<Entry>> {
        let entry = self.get(path)?;
        self.is_fresh(&entry).then_some(entry)
    }

    pub fn lookup(&self, path: &str) -> Lookup {
        self.get(path)
            .map_or(Lookup::Missing, |entry| self.classify(entry))
    }

    pub fn classify(&self, entry: Arc<Entry>) -> Lookup {
        if self.is_fresh(&entry) {
            Lookup::Fresh(entry)
        } else if self.now_ms() < entry.lifetime.stale_until_ms
            && !entry.tag_versions.are_newer_than(entry.created_at)
        {
            Lookup::Stale(entry)
        } else {
            Lookup::Invalidated(entry)
        }
    }

    pub fn get(&self, path: &str) -> Option<Arc<Entry>> {
        self.pages.get(path).or_else(|| self.missing.get(path))
    }

    /// A response whose render began earlier never replaces a later one.
    pub fn put(&self, path: &str, entry: Arc<Entry>) {
        let _storing = self.storing.lock().unwrap_or_else(PoisonError::into_inner);
        if self
            .get(path)
            .is_some_and(|stored| stored.created_at > entry.created_at)
        {
            return;
        }
        let (into, out_of) = match entry.status() {
            StatusCode::NOT_FOUND => (&self.missing, &self.pages),
            _ => (&self.pages, &self.missing),
        };
        out_of.invalidate(path);
        into.insert(path.into(), entry);
    }

    fn is_fresh(&self, entry: &Entry) -> bool {
        self.now_ms() < entry.lifetime.fresh_until_ms
            && !entry.tag_versions.are_newer_than(entry.created_at)
            && (entry.tag_versions.is_empty() || !self.tags.is_stale(entry.created_at))
    }
}

fn bounded_cache(most_bytes: u64) -> Cache<Box<str>, Arc<Entry>> {
    Cache::builder().max_capacity(most_bytes).weigher(weight).build()
}

#[expect(clippy::borrowed_box, reason = "the cache hands its keys over like this")]
fn weight(path: &Box<str>, entry: &Arc<Entry>) -> u32 {
    u32::try_from(path.len() + entry.bytes()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;
    use chrono::{DateTime, TimeDelta};

    use super::*;
    use crate::cache::entry::{Lifetime, NewEntry};
    use crate::cache::tags::CacheTag;

    fn cache() -> ResponseCache {
        ResponseCache::new(Clock::manual(DateTime::UNIX_EPOCH), 1 << 20, Arc::default())
    }

    /// Fresh for ten seconds, usable for twenty.
    fn entry(cache: &ResponseCache, body: &'static str) -> Arc<Entry> {
        entry_with(cache, body, StatusCode::OK)
    }

    fn entry_with(cache: &ResponseCache, body: &'static str, status: StatusCode) -> Arc<Entry> {
        Arc::new(Entry::build(NewEntry {
            status,
            headers: HeaderMap::new(),
            body: body.into(),
            effort: None,
            created_at: cache.tags.now(),
            tag_versions: cache.tags.versions([CacheTag::page("/a")]),
            lifetime: Lifetime {
                fresh_until_ms: 10_000,
                stale_until_ms: 20_000,
            },
        }))
    }

    #[test]
    fn entry_ages_from_fresh_to_stale_to_invalidated() {
        let cache = cache();
        assert!(matches!(cache.lookup("/en/a/"), Lookup::Missing));
        cache.put("/en/a/", entry(&cache, "one"));
        assert!(matches!(cache.lookup("/en/a/"), Lookup::Fresh(_)));
        cache.clock.advance(TimeDelta::seconds(15));
        assert!(matches!(cache.lookup("/en/a/"), Lookup::Stale(_)));
        assert!(cache.get_fresh("/en/a/").is_none());
        cache.clock.advance(TimeDelta::seconds(15));
        assert!(matches!(cache.lookup("/en/a/"), Lookup::Invalidated(_)));
    }

    #[test]
    fn purged_entry_is_invalidated_at_once() {
        let cache = cache();
        cache.put("/en/a/", entry(&cache, "one"));
        cache.tags.purge(CacheTag::page("/a"));
        assert!(matches!(cache.lookup("/en/a/"), Lookup::Invalidated(_)));
    }

    #[test]
    fn entry_purged_during_its_render_is_never_fresh() {
        let cache = cache();
        let made = entry(&cache, "old");
        cache.tags.purge(CacheTag::page("/a"));
        cache.put("/en/a/", made);
        assert!(matches!(cache.lookup("/en/a/"), Lookup::Invalidated(_)));
    }

    #[test]
    fn later_begun_answer_is_not_replaced_by_an_earlier_one() {
        let cache = cache();
        let early = entry(&cache, "old");
        cache.tags.purge(CacheTag::page("/a"));
        let late = entry(&cache, "new");
        cache.put("/en/a/", late.clone());
        cache.put("/en/a/", early);
        assert!(Arc::ptr_eq(&cache.get_fresh("/en/a/").unwrap(), &late));
    }

    #[test]
    fn gap_keeps_entries_stale_but_servable() {
        let cache = cache();
        cache.put("/en/a/", entry(&cache, "one"));
        cache.tags.invalidate_all();
        assert!(matches!(cache.lookup("/en/a/"), Lookup::Stale(_)));
    }

    #[test]
    fn page_that_appears_replaces_its_absence() {
        let cache = cache();
        cache.put("/en/a/", entry_with(&cache, "none", StatusCode::NOT_FOUND));
        assert_eq!(cache.get_fresh("/en/a/").unwrap().status(), StatusCode::NOT_FOUND);
        cache.put("/en/a/", entry(&cache, "one"));
        assert_eq!(cache.get_fresh("/en/a/").unwrap().status(), StatusCode::OK);
    }

    #[test]
    fn missing_paths_do_not_evict_pages() {
        let cache = cache();
        cache.put("/en/a/", entry(&cache, "one"));
        for number in 0..2_000 {
            cache.put(
                &format!("/en/{number}/"),
                entry_with(&cache, "none", StatusCode::NOT_FOUND),
            );
        }
        cache.missing.run_pending_tasks();
        assert!(cache.missing.weighted_size() <= (1 << 20) / MISSING_SHARE);
        assert!(cache.get_fresh("/en/a/").is_some());
    }
}
