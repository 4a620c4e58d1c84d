//! What a cached answer depends on, and when that last changed.
//!
//! Every purge raises one counter and marks a tag with its new value. An answer remembers the counter from before it was made,
//! so an answer that was being made while its tag was purged is recognised as old, in whatever order things arrive.
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use blocks::Locale;

const MARKS_MAX: usize = 100_000;

/// Something that can be published: `page:/pricing`, `chrome:tr`, `offers`, `sitemap`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tag(Box<str>);

impl Tag {
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

    /// A tag that was written down with [`Tag::as_str`].
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

/// The value of the counter before an answer was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Born(u64);

impl Born {
    /// Older than anything this process has seen.
    pub const BEFORE: Self = Self(0);
}

/// The marks of the tags one answer carries.
#[derive(Debug, Default)]
pub struct Marks(Box<[Arc<AtomicU64>]>);

impl Marks {
    /// Files carry no tags: what is published does not change them.
    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether anything the answer depends on was published after it was begun.
    pub fn are_newer_than(&self, born: Born) -> bool {
        self.0.iter().any(|mark| mark.load(Ordering::Acquire) > born.0)
    }
}

/// All tags with their marks.
#[derive(Debug)]
pub struct Tags {
    counter: AtomicU64,
    /// Entries begun before this are of unknown age: the stream of events had a gap.
    gap: AtomicU64,
    marks: RwLock<Marked>,
}

#[derive(Debug, Default)]
struct Marked {
    by_tag: HashMap<Tag, Arc<AtomicU64>>,
    /// The newest mark that may have been forgotten.
    floor: u64,
}

impl Default for Tags {
    fn default() -> Self {
        Self {
            counter: AtomicU64::new(1),
            gap: AtomicU64::new(0),
            marks: RwLock::default(),
        }
    }
}

impl Tags {
    pub fn now(&self) -> Born {
        Born(self.counter.load(Ordering::Acquire))
    }

    pub fn purge(&self, tag: Tag) {
        let at = self.counter.fetch_add(1, Ordering::AcqRel) + 1;
        self.mark(tag).fetch_max(at, Ordering::AcqRel);
    }

    /// Events were missed: anything may have changed.
    pub fn doubt_everything(&self) {
        let at = self.counter.fetch_add(1, Ordering::AcqRel) + 1;
        self.gap.store(at, Ordering::Release);
    }

    pub fn is_doubtful(&self, born: Born) -> bool {
        born.0 < self.gap.load(Ordering::Acquire)
    }

    pub fn marks(&self, tags: impl IntoIterator<Item = Tag>) -> Marks {
        Marks(tags.into_iter().map(|tag| self.mark(tag)).collect())
    }

    fn mark(&self, tag: Tag) -> Arc<AtomicU64> {
        let known = self
            .marks
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .by_tag
            .get(&tag)
            .cloned();
        if let Some(mark) = known {
            return mark;
        }
        let mut marked = self.marks.write().unwrap_or_else(PoisonError::into_inner);
        if marked.by_tag.len() >= MARKS_MAX {
            // What no answer holds is forgotten. Who comes later for such a tag is told the floor, which can only be too new.
            marked.by_tag.retain(|_, mark| Arc::strong_count(mark) > 1);
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

    fn page_and_chrome(page: &str, locale: &str) -> Vec<Tag> {
        vec![Tag::page(page), Tag::chrome(locale), Tag::chrome("en")]
    }

    #[test]
    fn path_tells_its_tags() {
        assert_eq!(Tag::of_path("/tr/pricing/"), page_and_chrome("/pricing", "tr"));
        assert_eq!(Tag::of_path("/tr/"), page_and_chrome("/", "tr"));
        assert_eq!(
            Tag::of_path("/tr/payment/annual.data"),
            page_and_chrome("/payment/annual", "tr")
        );
        assert_eq!(
            Tag::of_path("/tr/payment/annual/_.data"),
            page_and_chrome("/payment/annual", "tr")
        );
        assert_eq!(Tag::of_path("/tr.data"), page_and_chrome("/", "tr"));
        assert_eq!(Tag::of_path("/assets/app-1.js"), Vec::new());
    }

    #[test]
    fn header_of_the_renderer_tells_its_tags() {
        let tags = Tag::of_header("page:tr:/pricing chrome:tr  offers");
        assert_eq!(
            tags,
            [
                Tag::page("/pricing"),
                Tag::chrome("tr"),
                Tag::chrome("en"),
                Tag::offers()
            ]
        );
    }

    #[test]
    fn purge_makes_only_what_was_born_before_it_old() {
        let tags = Tags::default();
        let before = tags.now();
        let marks = tags.marks([Tag::page("/a")]);
        assert!(!marks.are_newer_than(before));
        tags.purge(Tag::page("/b"));
        assert!(!marks.are_newer_than(before));
        tags.purge(Tag::page("/a"));
        assert!(marks.are_newer_than(before));
        assert!(!marks.are_newer_than(tags.now()));
    }

    #[test]
    fn purge_during_the_making_is_seen_although_the_tag_was_unknown_then() {
        let tags = Tags::default();
        let born = tags.now();
        tags.purge(Tag::page("/new"));
        assert!(tags.marks([Tag::page("/new")]).are_newer_than(born));
    }

    #[test]
    fn forgotten_marks_leave_nothing_fresh_by_mistake() {
        let tags = Tags::default();
        let held = tags.marks([Tag::page("/held")]);
        let born = tags.now();
        for number in 0..MARKS_MAX {
            tags.purge(Tag::page(&number.to_string()));
        }
        assert!(tags.marks([Tag::page("0")]).are_newer_than(born));
        assert!(!held.are_newer_than(born));
    }

    #[test]
    fn gap_in_the_events_puts_everything_older_in_doubt() {
        let tags = Tags::default();
        let born = tags.now();
        assert!(!tags.is_doubtful(born));
        tags.doubt_everything();
        assert!(tags.is_doubtful(born));
        assert!(!tags.is_doubtful(tags.now()));
        assert!(tags.is_doubtful(Born::BEFORE));
    }
}
