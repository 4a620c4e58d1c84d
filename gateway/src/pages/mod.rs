//! Page delivery: answers from memory, made by the renderer when they are not there, old ones when it is down.
pub mod address;
pub mod cache;
pub mod compress;
pub mod csp;
pub mod entry;
mod flight;
mod hints;
pub mod key;
pub mod locale;
pub mod manifest;
pub mod notice;
pub mod preview;
pub mod purge;
mod range;
mod render;
mod second_tier;
pub mod serve;
mod sitemap;
mod storage;

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use http::header::LINK;
use kit::run::AppContext;
use metrics::Counter;

use crate::clients::Clients;
use crate::config::{Config, PageSettings};
use crate::pages::cache::{Found, PageCache};
use crate::pages::compress::Effort;
use crate::pages::csp::PagePolicy;
use crate::pages::entry::{Draft, Entry, Outcome};
use crate::pages::flight::{Flights, Landing};
use crate::pages::key::{Born, Tag, Tags};
use crate::pages::render::{RenderFault, Rendered, Renderer};
use crate::pages::second_tier::SecondTier;
use crate::pages::sitemap::{Sitemap, Sitemaps};
use crate::pages::storage::Storage;
use crate::security::headers::SecurityHeaders;

/// A page whose making failed is not tried again by every visitor.
const RETRY_AFTER_FAULT: Duration = Duration::from_secs(2);
/// How long a visitor waits for the new page while there is an old one to show.
const PATIENCE: Duration = Duration::from_millis(1500);

pub struct Pages {
    cache: PageCache,
    flights: Flights,
    renderer: Renderer,
    second_tier: SecondTier,
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
    fault: Counter,
}

impl Counters {
    fn new() -> Self {
        let outcome = |name: &'static str| metrics::counter!("gateway_pages_total", "outcome" => name);
        Self {
            hit: outcome("hit"),
            stale: outcome("stale"),
            miss: outcome("miss"),
            fault: outcome("fault"),
        }
    }
}

impl Pages {
    pub fn new(config: &Config, host: &AppContext, clients: Clients) -> Arc<Self> {
        let settings = config.pages.clone();
        Arc::new(Self {
            cache: PageCache::new(host.clock.clone(), settings.cache_bytes, Arc::default()),
            flights: Flights::default(),
            renderer: Renderer::new(config.web_url.clone(), &config.site, &settings),
            second_tier: SecondTier::new(host.cache.clone()),
            sitemaps: Sitemaps::new(clients, config.site.origin().to_owned()),
            policy: PagePolicy::new(&config.csp),
            security_headers: SecurityHeaders::new(&config.site),
            settings,
            counters: Counters::new(),
        })
    }

    pub fn tags(&self) -> &Arc<Tags> {
        &self.cache.tags
    }

    pub fn now_ms(&self) -> i64 {
        self.cache.now_ms()
    }

    /// What can be answered without waiting for anything.
    pub fn fresh(&self, path: &str) -> Option<Arc<Entry>> {
        let entry = self.cache.fresh(path)?;
        self.counters.hit.increment(1);
        Some(entry)
    }

    pub async fn get(self: &Arc<Self>, path: &str) -> Result<(Arc<Entry>, Outcome), RenderFault> {
        let found = match self.cache.find(path) {
            Found::Nothing => self.recall(path).await,
            found => found,
        };
        let answer = match found {
            Found::Fresh(entry) => Ok((entry, Outcome::Hit)),
            Found::Usable(entry) => {
                if !entry.is_postponed(self.cache.now_ms()) {
                    drop(self.fly(path));
                }
                Ok((entry, Outcome::Stale))
            }
            Found::Outdated(entry) => Ok(self.renew(path, entry).await),
            Found::Nothing => self.fly(path).await.map(|entry| (entry, Outcome::Miss)),
        };
        self.count(&answer);
        answer
    }

    /// A draft, made for one reader and kept for none.
    pub async fn preview(&self, path: &str, token: &str) -> Result<Rendered, RenderFault> {
        let mut rendered = self.renderer.preview(path, token).await?;
        let html = String::from_utf8_lossy(&rendered.body);
        self.policy.write(&html, &mut rendered.headers);
        Ok(rendered)
    }

    /// A new answer if one comes soon, else the outdated one: the renderer being down takes no known page away.
    async fn renew(self: &Arc<Self>, path: &str, old: Arc<Entry>) -> (Arc<Entry>, Outcome) {
        if old.is_postponed(self.cache.now_ms()) {
            return (old, Outcome::Stale);
        }
        match tokio::time::timeout(PATIENCE, self.fly(path)).await {
            Ok(Ok(new)) => (new, Outcome::Miss),
            Ok(Err(_)) | Err(_) => (old, Outcome::Stale),
        }
    }

    fn fly(self: &Arc<Self>, path: &str) -> Landing {
        let newest = self.cache.tags.marks(tags_of(path));
        self.flights.join(path, &newest, || {
            let born = self.cache.tags.now();
            let (pages, path) = (Arc::clone(self), path.to_owned());
            (born, async move { pages.make(&path, born).await })
        })
    }

    async fn make(self: Arc<Self>, path: &str, born: Born) -> Result<Arc<Entry>, RenderFault> {
        let old = self.cache.peek(path);
        match self.source(path).await {
            Ok(rendered) => self.keep(path, rendered, born).await,
            Err(fault) => {
                tracing::warn!(path, %fault, "Page {path} could not be made");
                if let Some(old) = old {
                    old.postpone(self.cache.now_ms(), RETRY_AFTER_FAULT);
                }
                Err(fault)
            }
        }
    }

    async fn source(&self, path: &str) -> Result<Rendered, RenderFault> {
        match Sitemap::at(path) {
            Some(sitemap) => self.sitemaps.make(sitemap).boxed().await,
            None => self.renderer.render(path).await,
        }
    }

    async fn keep(
        self: &Arc<Self>,
        path: &str,
        rendered: Rendered,
        born: Born,
    ) -> Result<Arc<Entry>, RenderFault> {
        if rendered.storage == Storage::Brief {
            // A page past its time but whole is better than one that lacks its prices.
            if let Some(Found::Usable(old)) = self.cache.peek(path).map(|old| self.cache.judge(old)) {
                old.postpone(self.cache.now_ms(), RETRY_AFTER_FAULT);
                return Ok(old);
            }
        }
        let entry = self.build(path, rendered.clone(), born).await?;
        if rendered.storage != Storage::Never {
            self.cache.store(path, Arc::clone(&entry));
            self.second_tier
                .remember(path, &rendered, self.settings.stale_window)
                .await;
        }
        Ok(entry)
    }

    async fn build(
        self: &Arc<Self>,
        path: &str,
        rendered: Rendered,
        born: Born,
    ) -> Result<Arc<Entry>, RenderFault> {
        let (pages, path) = (Arc::clone(self), path.to_owned());
        let building = tokio::task::spawn_blocking(move || Arc::new(pages.build_now(&path, rendered, born)));
        building.await.map_err(|_| RenderFault::Crashed)
    }

    fn build_now(&self, path: &str, rendered: Rendered, born: Born) -> Entry {
        let mut headers = rendered.headers;
        self.security_headers.write(&mut headers);
        let kind = headers
            .get(http::header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        let effort = match rendered.storage {
            Storage::File { .. } => Effort::Asset,
            Storage::Page(_) | Storage::Brief | Storage::Never => Effort::Page,
        };
        let shrinks = compress::shrinks(kind);
        if kind.starts_with("text/html") {
            let html = String::from_utf8_lossy(&rendered.body);
            self.policy.write(&html, &mut headers);
            if let Some(hints) = hints::of_html(&html) {
                headers.insert(LINK, hints);
            }
        }
        Entry::build(Draft {
            status: rendered.status,
            headers,
            body: rendered.body,
            effort: shrinks.then_some(effort),
            born,
            marks: self
                .cache
                .tags
                .marks(tags_of(path).into_iter().chain(rendered.tags)),
            lifetime: rendered
                .storage
                .lifetime(self.cache.now_ms(), self.settings.stale_window),
        })
    }

    /// What another process, or this one before its restart, has kept. Nobody knows what was published since.
    async fn recall(self: &Arc<Self>, path: &str) -> Found {
        let Some(rendered) = self.second_tier.recall(path).await else {
            return Found::Nothing;
        };
        match self.build(path, rendered, Born::BEFORE).await {
            Ok(entry) => {
                self.cache.store(path, Arc::clone(&entry));
                self.cache.judge(entry)
            }
            Err(_) => Found::Nothing,
        }
    }

    fn count(&self, answer: &Result<(Arc<Entry>, Outcome), RenderFault>) {
        let counter = match answer {
            Ok((_, Outcome::Hit)) => &self.counters.hit,
            Ok((_, Outcome::Stale)) => &self.counters.stale,
            Ok((_, Outcome::Miss)) => &self.counters.miss,
            Err(_) => &self.counters.fault,
        };
        counter.increment(1);
    }
}

/// What an answer depends on by its path alone.
fn tags_of(path: &str) -> Vec<Tag> {
    if Sitemap::at(path).is_some() {
        vec![Tag::sitemap()]
    } else {
        Tag::of_path(path)
    }
}
