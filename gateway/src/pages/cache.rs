//! The stored answers, bounded in bytes, and what may still be done with each.
use std::sync::{Arc, Mutex, PoisonError};

use http::StatusCode;
use kit::clock::Clock;
use moka::sync::Cache;

use crate::pages::entry::Entry;
use crate::pages::key::Tags;

/// Addresses that lead nowhere are made up without end: they share one part in sixteen and cannot push out pages.
const MISSING_SHARE: u64 = 16;

#[derive(Debug)]
pub enum Found {
    Fresh(Arc<Entry>),
    /// Past its time: shown while a new one is made.
    Usable(Arc<Entry>),
    /// Something it shows was published since: only better than nothing.
    Outdated(Arc<Entry>),
    Nothing,
}

pub struct PageCache {
    pub tags: Arc<Tags>,
    clock: Clock,
    pages: Cache<Box<str>, Arc<Entry>>,
    missing: Cache<Box<str>, Arc<Entry>>,
    storing: Mutex<()>,
}

impl PageCache {
    pub fn new(clock: Clock, most_bytes: u64, tags: Arc<Tags>) -> Self {
        Self {
            tags,
            clock,
            pages: weighed(most_bytes),
            missing: weighed(most_bytes / MISSING_SHARE),
            storing: Mutex::new(()),
        }
    }

    pub fn now_ms(&self) -> i64 {
        self.clock.now().timestamp_millis()
    }

    /// The way of nearly every request: one look-up, no lock.
    pub fn fresh(&self, path: &str) -> Option<Arc<Entry>> {
        let entry = self.peek(path)?;
        self.is_fresh(&entry).then_some(entry)
    }

    pub fn find(&self, path: &str) -> Found {
        self.peek(path).map_or(Found::Nothing, |entry| self.judge(entry))
    }

    pub fn judge(&self, entry: Arc<Entry>) -> Found {
        if self.is_fresh(&entry) {
            Found::Fresh(entry)
        } else if self.now_ms() < entry.lifetime.usable_until_ms && !entry.marks.are_newer_than(entry.born) {
            Found::Usable(entry)
        } else {
            Found::Outdated(entry)
        }
    }

    pub fn peek(&self, path: &str) -> Option<Arc<Entry>> {
        self.pages.get(path).or_else(|| self.missing.get(path))
    }

    /// An answer that was begun earlier never replaces one that was begun later.
    pub fn store(&self, path: &str, entry: Arc<Entry>) {
        let _storing = self.storing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.peek(path).is_some_and(|stored| stored.born > entry.born) {
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
            && !entry.marks.are_newer_than(entry.born)
            && (entry.marks.are_none() || !self.tags.is_doubtful(entry.born))
    }
}

fn weighed(most_bytes: u64) -> Cache<Box<str>, Arc<Entry>> {
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
    use crate::pages::entry::{Draft, Lifetime};
    use crate::pages::key::Tag;

    fn cache() -> PageCache {
        PageCache::new(Clock::manual(DateTime::UNIX_EPOCH), 1 << 20, Arc::default())
    }

    /// Fresh for ten seconds, usable for twenty.
    fn entry(cache: &PageCache, body: &'static str) -> Arc<Entry> {
        entry_with(cache, body, StatusCode::OK)
    }

    fn entry_with(cache: &PageCache, body: &'static str, status: StatusCode) -> Arc<Entry> {
        Arc::new(Entry::build(Draft {
            status,
            headers: HeaderMap::new(),
            body: body.into(),
            effort: None,
            born: cache.tags.now(),
            marks: cache.tags.marks([Tag::page("/a")]),
            lifetime: Lifetime {
                fresh_until_ms: 10_000,
                usable_until_ms: 20_000,
            },
        }))
    }

    #[test]
    fn entry_ages_from_fresh_to_usable_to_outdated() {
        let cache = cache();
        assert!(matches!(cache.find("/en/a/"), Found::Nothing));
        cache.store("/en/a/", entry(&cache, "one"));
        assert!(matches!(cache.find("/en/a/"), Found::Fresh(_)));
        cache.clock.advance(TimeDelta::seconds(15));
        assert!(matches!(cache.find("/en/a/"), Found::Usable(_)));
        assert!(cache.fresh("/en/a/").is_none());
        cache.clock.advance(TimeDelta::seconds(15));
        assert!(matches!(cache.find("/en/a/"), Found::Outdated(_)));
    }

    #[test]
    fn purged_entry_is_outdated_at_once() {
        let cache = cache();
        cache.store("/en/a/", entry(&cache, "one"));
        cache.tags.purge(Tag::page("/a"));
        assert!(matches!(cache.find("/en/a/"), Found::Outdated(_)));
    }

    #[test]
    fn entry_purged_while_it_was_made_is_never_fresh() {
        let cache = cache();
        let made = entry(&cache, "old");
        cache.tags.purge(Tag::page("/a"));
        cache.store("/en/a/", made);
        assert!(matches!(cache.find("/en/a/"), Found::Outdated(_)));
    }

    #[test]
    fn later_begun_answer_is_not_replaced_by_an_earlier_one() {
        let cache = cache();
        let early = entry(&cache, "old");
        cache.tags.purge(Tag::page("/a"));
        let late = entry(&cache, "new");
        cache.store("/en/a/", late.clone());
        cache.store("/en/a/", early);
        assert!(Arc::ptr_eq(&cache.fresh("/en/a/").unwrap(), &late));
    }

    #[test]
    fn doubt_keeps_entries_usable() {
        let cache = cache();
        cache.store("/en/a/", entry(&cache, "one"));
        cache.tags.doubt_everything();
        assert!(matches!(cache.find("/en/a/"), Found::Usable(_)));
    }

    #[test]
    fn page_that_appears_replaces_its_absence() {
        let cache = cache();
        cache.store("/en/a/", entry_with(&cache, "none", StatusCode::NOT_FOUND));
        assert_eq!(cache.fresh("/en/a/").unwrap().status(), StatusCode::NOT_FOUND);
        cache.store("/en/a/", entry(&cache, "one"));
        assert_eq!(cache.fresh("/en/a/").unwrap().status(), StatusCode::OK);
    }

    #[test]
    fn made_up_addresses_do_not_push_out_pages() {
        let cache = cache();
        cache.store("/en/a/", entry(&cache, "one"));
        for number in 0..2_000 {
            cache.store(
                &format!("/en/{number}/"),
                entry_with(&cache, "none", StatusCode::NOT_FOUND),
            );
        }
        cache.missing.run_pending_tasks();
        assert!(cache.missing.weighted_size() <= (1 << 20) / MISSING_SHARE);
        assert!(cache.fresh("/en/a/").is_some());
    }
}
