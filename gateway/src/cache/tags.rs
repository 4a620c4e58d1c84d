//! What a cached response depends on, and when that last changed.
//!
//! Every purge increments one counter and stores its value as the version of a tag. A response stores the counter's value from before
//! it was rendered. A response that was being rendered while its tag was purged is therefore stale, in whatever order events arrive.
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use blocks::Locale;

const VERSIONS_MAX: usize = 100_000;

/// Something that can be published: `page:/pricing`, `chrome:tr`, `offers`, `sitemap`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CacheTag(Box<str>);

impl CacheTag {
    /// A path in all its locales: a page shows `en` where it is not translated and lists the locales that have it.
    pub fn page(url_path: &str) -> Self {
        Self(format!("page:{url_path}").into())
    }

    pub fn chrome(locale: &str) -> Self {
        Self(format!("chrome:{locale}").into())
    }

    /// What shows the chrome of a locale: navigation and footer of `en` stand in for those a locale lacks.
    pub fn chromes(locale: &str) -> [Self; 2] {
        [Self::chrome(locale), Self::chrome(Locale::En.code())]
    }

    /// A record in all its locales.
    pub fn record(kind: &str, id: &str) -> Self {
        Self(format!("record:{kind}:{id}").into())
    }

    pub fn offers() -> Self {
        Self("offers".into())
    }

    pub fn sitemap() -> Self {
        Self("sitemap".into())
    }

    /// A tag that was written down with [`CacheTag::as_str`].
    pub fn stored(text: String) -> Self {
        Self(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// One word of the renderer's `surrogate-key` header.
    fn of_word(word: &str) -> Vec<Self> {
        let mut parts = word.splitn(3, ':');
        match (parts.next(), parts.next(), parts.next()) {
            (Some("page"), Some(_locale), Some(path)) => vec![Self::page(path)],
            (Some("chrome"), Some(locale), None) => Self::chromes(locale).into(),
            _ => vec![Self(word.into())],
        }
    }

    /// All words of a `surrogate-key` header.
    pub fn of_header(value: &str) -> Vec<Self> {
        value.split_ascii_whitespace().flat_map(Self::of_word).collect()
    }

    /// What an answer under this path depends on, known before it is made and whatever it turns out to be:
    /// a page that is missing today is made anew once it is published.
    pub fn of_path(path: &str) -> Vec<Self> {
        let path = path.strip_suffix(".data").unwrap_or(path).trim_end_matches("/_");
        let rest = path.strip_prefix('/').unwrap_or(path);
        let (locale, page) = rest.split_once('/').unwrap_or((rest, ""));
        if locale.parse::<Locale>().is_err() {
            return Vec::new();
        }
        let page = Self::page(&format!("/{}", page.trim_matches('/')));
        std::iter::once(page).chain(Self::chromes(locale)).collect()
    }
}

/// The counter's value before a response was rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CreatedAt(u64);

impl CreatedAt {
    /// Older than anything this process has seen.
    pub const UNKNOWN: Self = Self(0);
}

/// The versions of the tags of one response.
#[derive(Debug, Default)]
pub struct TagVersions(Box<[Arc<AtomicU64>]>);

impl TagVersions {
    /// Files carry no tags: what is published does not change them.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a dependency was published after the response's render began.
    pub fn are_newer_than(&self, created_at: CreatedAt) -> bool {
        self.0
            .iter()
            .any(|version| version.load(Ordering::Acquire) > created_at.0)
    }
}

/// All tags with their versions.
#[derive(Debug)]
pub struct CacheTags {
    counter: AtomicU64,
    /// Entries older than this are stale: the event stream had a gap.
    invalidated_at: AtomicU64,
    versions: RwLock<VersionTable>,
}

#[derive(Debug, Default)]
struct VersionTable {
    by_tag: HashMap<CacheTag, Arc<AtomicU64>>,
    /// The newest version that may have been dropped.
    floor: u64,
}

impl Default for CacheTags {
    fn default() -> Self {
        Self {
            counter: AtomicU64::new(1),
            invalidated_at: AtomicU64::new(0),
            versions: RwLock::default(),
        }
    }
}

impl CacheTags {
    pub fn now(&self) -> CreatedAt {
        CreatedAt(self.counter.load(Ordering::Acquire))
    }

    pub fn purge(&self, tag: CacheTag) {
        let at = self.counter.fetch_add(1, Ordering::AcqRel) + 1;
        self.version(tag).fetch_max(at, Ordering::AcqRel);
    }

    /// Events were missed: anything may have changed.
    pub fn invalidate_all(&self) {
        let at = self.counter.fetch_add(1, Ordering::AcqRel) + 1;
        self.invalidated_at.store(at, Ordering::Release);
    }

    pub fn is_stale(&self, created_at: CreatedAt) -> bool {
        created_at.0 < self.invalidated_at.load(Ordering::Acquire)
    }

    pub fn versions(&self, tags: impl IntoIterator<Item = CacheTag>) -> TagVersions {
        TagVersions(tags.into_iter().map(|tag| self.version(tag)).collect())
    }

    fn version(&self, tag: CacheTag) -> Arc<AtomicU64> {
        let known = self
            .versions
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .by_tag
            .get(&tag)
            .cloned();
        if let Some(version) = known {
            return version;
        }
        let mut marked = self.versions.write().unwrap_or_else(PoisonError::into_inner);
        if marked.by_tag.len() >= VERSIONS_MAX {
            // Tags that no response holds are dropped. A later request for such a tag gets the floor, which can only be too new.
            marked.by_tag.retain(|_, version| Arc::strong_count(version) > 1);
            marked.floor = self.counter.load(Ordering::Acquire);
        }
        let floor = marked.floor;
        marked
            .by_tag
            .entry(tag)
            .or_insert_with(|| Arc::new(AtomicU64::new(floor)))
            .clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_and_chrome(page: &str, locale: &str) -> Vec<CacheTag> {
        vec![
            CacheTag::page(page),
            CacheTag::chrome(locale),
            CacheTag::chrome("en"),
        ]
    }

    #[test]
    fn path_maps_to_its_tags() {
        assert_eq!(
            CacheTag::of_path("/tr/pricing/"),
            page_and_chrome("/pricing", "tr")
        );
        assert_eq!(CacheTag::of_path("/tr/"), page_and_chrome("/", "tr"));
        assert_eq!(
            CacheTag::of_path("/tr/payment/annual.data"),
            page_and_chrome("/payment/annual", "tr")
        );
        assert_eq!(
            CacheTag::of_path("/tr/payment/annual/_.data"),
            page_and_chrome("/payment/annual", "tr")
        );
        assert_eq!(CacheTag::of_path("/tr.data"), page_and_chrome("/", "tr"));
        assert_eq!(CacheTag::of_path("/assets/app-1.js"), Vec::new());
    }

    #[test]
    fn renderer_header_maps_to_its_tags() {
        let tags = CacheTag::of_header("page:tr:/pricing chrome:tr  offers");
        assert_eq!(
            tags,
            [
                CacheTag::page("/pricing"),
                CacheTag::chrome("tr"),
                CacheTag::chrome("en"),
                CacheTag::offers()
            ]
        );
    }

    #[test]
    fn purge_makes_only_earlier_responses_stale() {
        let tags = CacheTags::default();
        let before = tags.now();
        let versions = tags.versions([CacheTag::page("/a")]);
        assert!(!versions.are_newer_than(before));
        tags.purge(CacheTag::page("/b"));
        assert!(!versions.are_newer_than(before));
        tags.purge(CacheTag::page("/a"));
        assert!(versions.are_newer_than(before));
        assert!(!versions.are_newer_than(tags.now()));
    }

    #[test]
    fn purge_during_the_making_is_seen_although_the_tag_was_unknown_then() {
        let tags = CacheTags::default();
        let created_at = tags.now();
        tags.purge(CacheTag::page("/new"));
        assert!(tags.versions([CacheTag::page("/new")]).are_newer_than(created_at));
    }

    #[test]
    fn dropped_versions_leave_nothing_fresh_by_mistake() {
        let tags = CacheTags::default();
        let held = tags.versions([CacheTag::page("/held")]);
        let created_at = tags.now();
        for number in 0..VERSIONS_MAX {
            tags.purge(CacheTag::page(&number.to_string()));
        }
        assert!(tags.versions([CacheTag::page("0")]).are_newer_than(created_at));
        assert!(!held.are_newer_than(created_at));
    }

    #[test]
    fn gap_in_the_events_makes_older_responses_stale() {
        let tags = CacheTags::default();
        let created_at = tags.now();
        assert!(!tags.is_stale(created_at));
        tags.invalidate_all();
        assert!(tags.is_stale(created_at));
        assert!(!tags.is_stale(tags.now()));
        assert!(tags.is_stale(CreatedAt::UNKNOWN));
    }
}
