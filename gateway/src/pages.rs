//! Page delivery: from the cache, from the renderer when missing, stale pages while the renderer is down.
pub mod csp;
pub mod error_page;
mod hints;
mod l2_cache;
pub mod manifest;
pub mod render;
pub mod security_txt;
mod single_flight;
mod sitemap;
pub mod url;

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use http::header::LINK;
use kit::run::AppContext;
use metrics::Counter;

use crate::cache::cache_policy::CachePolicy;
use crate::cache::compress::{self, CompressionLevel};
use crate::cache::entry::{CacheStatus, Entry, NewEntry};
use crate::cache::response_cache::{Lookup, ResponseCache};
use crate::cache::tags::{CacheTag, CacheTags, CreatedAt};
use crate::clients::Clients;
use crate::config::{Config, PageSettings};
use crate::pages::csp::PagePolicy;
use crate::pages::l2_cache::L2Cache;
use crate::pages::render::{RenderError, Rendered, Renderer};
use crate::pages::single_flight::{SharedResult, SingleFlight};
use crate::pages::sitemap::{Sitemap, Sitemaps};
use crate::security::headers::SecurityHeaders;

/// Delay before a failed render is tried again.
const RETRY_AFTER_ERROR: Duration = Duration::from_secs(2);
/// How long a request waits for a new page while an old one is available.
const RENEWAL_TIMEOUT: Duration = Duration::from_millis(1500);

pub struct Pages {
    cache: ResponseCache,
    single_flight: SingleFlight,
    renderer: Renderer,
    l2_cache: L2Cache,
    sitemaps: Sitemaps,
    policy: PagePolicy,
    security_headers: SecurityHeaders,
    settings: PageSettings,
    counters: Counters,
}

struct Counters {
    hit: Counter,
    stale: Counter,
    miss: Counter,
    error: Counter,
}

impl Counters {
    fn new() -> Self {
        let outcome = |name: &'static str| metrics::counter!("gateway_pages_total", "outcome" => name);
        Self {
            hit: outcome("hit"),
            stale: outcome("stale"),
            miss: outcome("miss"),
            error: outcome("fault"),
        }
    }
}

impl Pages {
    pub fn new(config: &Config, host: &AppContext, clients: Clients) -> Arc<Self> {
        let settings = config.pages.clone();
        Arc::new(Self {
            cache: ResponseCache::new(host.clock.clone(), settings.cache_bytes, Arc::default()),
            single_flight: SingleFlight::default(),
            renderer: Renderer::new(config.web_url.clone(), &config.site, &settings),
            l2_cache: L2Cache::new(host.cache.clone()),
            sitemaps: Sitemaps::new(clients, config.site.origin().to_owned()),
            policy: PagePolicy::new(&config.csp),
            security_headers: SecurityHeaders::new(&config.site),
            settings,
            counters: Counters::new(),
        })
    }

    pub fn tags(&self) -> &Arc<CacheTags> {
        &self.cache.tags
    }

    pub fn now_ms(&self) -> i64 {
        self.cache.now_ms()
    }

    /// A fresh entry, without waiting.
    pub fn fresh(&self, path: &str) -> Option<Arc<Entry>> {
        let entry = self.cache.get_fresh(path)?;
        self.counters.hit.increment(1);
        Some(entry)
    }

    pub async fn get(self: &Arc<Self>, path: &str) -> Result<(Arc<Entry>, CacheStatus), RenderError> {
        let found = match self.cache.lookup(path) {
            Lookup::Missing => self.lookup_l2(path).await,
            found => found,
        };
        let answer = match found {
            Lookup::Fresh(entry) => Ok((entry, CacheStatus::Hit)),
            Lookup::Stale(entry) => {
                if !entry.is_retry_delayed(self.cache.now_ms()) {
                    drop(self.start_render(path));
                }
                Ok((entry, CacheStatus::Stale))
            }
            Lookup::Invalidated(entry) => Ok(self.renew(path, entry).await),
            Lookup::Missing => self
                .start_render(path)
                .await
                .map(|entry| (entry, CacheStatus::Miss)),
        };
        self.count(&answer);
        answer
    }

    /// Renders a draft; it is never stored.
    pub async fn preview(&self, path: &str, token: &str) -> Result<Rendered, RenderError> {
        let mut rendered = self.renderer.preview(path, token).await?;
        let html = String::from_utf8_lossy(&rendered.body);
        self.policy.write(&html, &mut rendered.headers);
        Ok(rendered)
    }

    /// A new entry if one is rendered in time, else the invalidated one: a renderer that is down removes no known page.
    async fn renew(self: &Arc<Self>, path: &str, old: Arc<Entry>) -> (Arc<Entry>, CacheStatus) {
        if old.is_retry_delayed(self.cache.now_ms()) {
            return (old, CacheStatus::Stale);
        }
        match tokio::time::timeout(RENEWAL_TIMEOUT, self.start_render(path)).await {
            Ok(Ok(new)) => (new, CacheStatus::Miss),
            Ok(Err(_)) | Err(_) => (old, CacheStatus::Stale),
        }
    }

    fn start_render(self: &Arc<Self>, path: &str) -> SharedResult {
        let newest = self.cache.tags.versions(tags_of(path));
        self.single_flight.run(path, &newest, || {
            let created_at = self.cache.tags.now();
            let (pages, path) = (Arc::clone(self), path.to_owned());
            (created_at, async move {
                pages.render_and_store(&path, created_at).await
            })
        })
    }

    async fn render_and_store(
        self: Arc<Self>,
        path: &str,
        created_at: CreatedAt,
    ) -> Result<Arc<Entry>, RenderError> {
        let old = self.cache.get(path);
        match self.fetch(path).await {
            Ok(rendered) => self.store(path, rendered, created_at).await,
            Err(error) => {
                tracing::warn!(path, %error, "page not rendered");
                if let Some(old) = old {
                    old.delay_retry(self.cache.now_ms(), RETRY_AFTER_ERROR);
                }
                Err(error)
            }
        }
    }

    async fn fetch(&self, path: &str) -> Result<Rendered, RenderError> {
        match Sitemap::at(path) {
            Some(sitemap) => self.sitemaps.make(sitemap).boxed().await,
            None => self.renderer.render(path).await,
        }
    }

    async fn store(
        self: &Arc<Self>,
        path: &str,
        rendered: Rendered,
        created_at: CreatedAt,
    ) -> Result<Arc<Entry>, RenderError> {
        if rendered.cache_policy == CachePolicy::Incomplete {
            // A stale but complete page is better than one without prices.
            if let Some(Lookup::Stale(old)) = self.cache.get(path).map(|old| self.cache.classify(old)) {
                old.delay_retry(self.cache.now_ms(), RETRY_AFTER_ERROR);
                return Ok(old);
            }
        }
        let entry = self.build(path, rendered.clone(), created_at).await?;
        if rendered.cache_policy != CachePolicy::Never {
            self.cache.put(path, Arc::clone(&entry));
            self.l2_cache
                .put(path, &rendered, self.settings.stale_window)
                .await;
        }
        Ok(entry)
    }

    async fn build(
        self: &Arc<Self>,
        path: &str,
        rendered: Rendered,
        created_at: CreatedAt,
    ) -> Result<Arc<Entry>, RenderError> {
        let (pages, path) = (Arc::clone(self), path.to_owned());
        let building =
            tokio::task::spawn_blocking(move || Arc::new(pages.build_blocking(&path, rendered, created_at)));
        building.await.map_err(|_| RenderError::Crashed)
    }

    fn build_blocking(&self, path: &str, rendered: Rendered, created_at: CreatedAt) -> Entry {
        let mut headers = rendered.headers;
        self.security_headers.write(&mut headers);
        let kind = headers
            .get(http::header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        let effort = match rendered.cache_policy {
            CachePolicy::File { .. } => CompressionLevel::Asset,
            CachePolicy::Page(_) | CachePolicy::Incomplete | CachePolicy::Never => CompressionLevel::Page,
        };
        let shrinks = compress::is_compressible(kind);
        if kind.starts_with("text/html") {
            let html = String::from_utf8_lossy(&rendered.body);
            self.policy.write(&html, &mut headers);
            if let Some(hints) = hints::of_html(&html) {
                headers.insert(LINK, hints);
            }
        }
        Entry::build(NewEntry {
            status: rendered.status,
            headers,
            body: rendered.body,
            effort: shrinks.then_some(effort),
            created_at,
            tag_versions: self
                .cache
                .tags
                .versions(tags_of(path).into_iter().chain(rendered.tags)),
            lifetime: rendered
                .cache_policy
                .lifetime(self.cache.now_ms(), self.settings.stale_window),
        })
    }

    /// An entry that another process, or this one before its restart, has stored. It may be outdated.
    async fn lookup_l2(self: &Arc<Self>, path: &str) -> Lookup {
        let Some(rendered) = self.l2_cache.get(path).await else {
            return Lookup::Missing;
        };
        match self.build(path, rendered, CreatedAt::UNKNOWN).await {
            Ok(entry) => {
                self.cache.put(path, Arc::clone(&entry));
                self.cache.classify(entry)
            }
            Err(_) => Lookup::Missing,
        }
    }

    fn count(&self, answer: &Result<(Arc<Entry>, CacheStatus), RenderError>) {
        let counter = match answer {
            Ok((_, CacheStatus::Hit)) => &self.counters.hit,
            Ok((_, CacheStatus::Stale)) => &self.counters.stale,
            Ok((_, CacheStatus::Miss)) => &self.counters.miss,
            Err(_) => &self.counters.error,
        };
        counter.increment(1);
    }
}

/// The tags that follow from the path.
fn tags_of(path: &str) -> Vec<CacheTag> {
    if Sitemap::at(path).is_some() {
        vec![CacheTag::sitemap()]
    } else {
        CacheTag::of_path(path)
    }
}
