//! The sitemap: an index, and for each locale its pages with their translations, in parts where there are many.
mod part;
mod xml;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::HeaderMap;
use blocks::Locale;
use chrono::{DateTime, Utc};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use proto::content::v1::{ListPagesRequest, ListPagesResponse, PageSummary};

use crate::cache::cache_policy::CachePolicy;
use crate::cache::tags::CacheTag;
use crate::clients::Clients;
use crate::pages::render::{RenderError, Rendered};
use crate::pages::sitemap::part::Part;
use crate::pages::sitemap::xml::{Published, index, urls};

/// What content lists at most in one call.
const PAGE_SIZE: i32 = 1000;
/// One file is this many calls of the list of all pages in all locales: never more than the 50,000 addresses that the standard
/// allows, and never near its 50 MB, although every address names all its translations.
const CALLS_PER_PART: usize = 50;
const KEPT: Duration = Duration::from_hours(1);
const DEADLINE: Duration = Duration::from_mins(1);

/// Which sitemap a path asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sitemap {
    Index,
    Of { locale: Locale, part: usize },
}

impl Sitemap {
    /// `/sitemap.xml`, `/sitemap-tr.xml`, and for larger sites `/sitemap-tr-2.xml` and so on.
    pub fn at(path: &str) -> Option<Self> {
        if path == "/sitemap.xml" {
            return Some(Self::Index);
        }
        let name = path.strip_prefix("/sitemap-")?.strip_suffix(".xml")?;
        let (locale, part) = match name.split_once('-') {
            None => (name, 0),
            Some((locale, number)) if !number.starts_with(['0', '+']) => (
                locale,
                number
                    .parse::<usize>()
                    .ok()?
                    .checked_sub(1)
                    .filter(|part| *part > 0)?,
            ),
            Some(_) => return None,
        };
        let locale = locale.parse().ok()?;
        Some(Self::Of { locale, part })
    }
}

/// Makes sitemaps, and remembers where in the list of pages each part begins.
pub struct Sitemaps {
    clients: Clients,
    origin: String,
    outline: Mutex<Arc<[Part]>>,
}

impl Sitemaps {
    pub fn new(clients: Clients, origin: String) -> Self {
        Self {
            clients,
            origin,
            outline: Mutex::default(),
        }
    }

    pub async fn make(&self, sitemap: Sitemap) -> Result<Rendered, RenderError> {
        let making = async {
            match sitemap {
                Sitemap::Index => {
                    let parts = self.survey().await?;
                    Ok(Some(index(&parts, &self.origin)))
                }
                Sitemap::Of { locale, part } => self.part(locale, part).await,
            }
        };
        let made = kit::deadline::within(DEADLINE, making).await;
        Ok(match made.map_err(|_| RenderError::TooSlow)?? {
            Some(xml) => rendered(StatusCode::OK, xml),
            None => rendered(StatusCode::NOT_FOUND, String::new()),
        })
    }

    /// Walks through all pages.
    async fn survey(&self) -> Result<Arc<[Part]>, RenderError> {
        let mut parts = Vec::new();
        let mut next = Some(Part::default());
        while let Some(part) = next {
            let (part, following) = self.walk(part, &mut |_| {}).await?;
            parts.push(part);
            next = following;
        }
        let parts: Arc<[Part]> = parts.into();
        *self.outline.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&parts);
        Ok(parts)
    }

    /// `None` where there is no such part.
    async fn part(&self, locale: Locale, number: usize) -> Result<Option<String>, RenderError> {
        let known = Arc::clone(&self.outline.lock().unwrap_or_else(PoisonError::into_inner));
        let outline = if known.is_empty() {
            self.survey().await?
        } else {
            known
        };
        let Some(part) = outline.get(number) else {
            return Ok(None);
        };
        let mut pages = Published::new();
        let begin = Part {
            token: part.token.clone(),
            after_path: part.after_path.clone(),
            ..Part::default()
        };
        self.walk(begin, &mut |page| collect(&mut pages, page)).await?;
        Ok(Some(urls(&pages, locale, &self.origin)))
    }

    /// Reads one part, with all translations of its last page. Returns the start of the next part, if there is one.
    async fn walk(
        &self,
        mut part: Part,
        seen: &mut (dyn FnMut(PageSummary) + Send),
    ) -> Result<(Part, Option<Part>), RenderError> {
        let mut token = part.token.clone();
        let mut last_path = part.after_path.clone();
        for _ in 0..CALLS_PER_PART {
            let answer = self.list(token).await?;
            for page in answer.pages {
                if page.url_path == part.after_path {
                    continue;
                }
                last_path.clone_from(&page.url_path);
                part.note(&page);
                seen(page);
            }
            token = answer.next_page_token;
            if token.is_empty() {
                return Ok((part, None));
            }
        }
        // Fewer than a call's worth: there are not so many locales.
        let rest = self.list(token.clone()).await?.pages;
        for page in rest.into_iter().take_while(|page| page.url_path == last_path) {
            part.note(&page);
            seen(page);
        }
        let following = Part {
            token,
            after_path: last_path,
            ..Part::default()
        };
        Ok((part, Some(following)))
    }

    async fn list(&self, page_token: String) -> Result<ListPagesResponse, RenderError> {
        let request = ListPagesRequest {
            page_size: PAGE_SIZE,
            page_token,
            ..ListPagesRequest::default()
        };
        let answer = self.clients.content().list_pages(request).await;
        answer
            .map(tonic::Response::into_inner)
            .map_err(|status| RenderError::Service(status.code().to_string()))
    }
}

impl Part {
    fn note(&mut self, page: &PageSummary) {
        if let Some((locale, published_at)) = shown(page) {
            let newest = self.newest.entry(locale).or_default();
            *newest = (*newest).max(published_at);
        }
    }
}

fn rendered(status: StatusCode, xml: String) -> Rendered {
    let policy = CachePolicy::Page(KEPT);
    let headers = HeaderMap::from_iter([
        (
            CONTENT_TYPE,
            HeaderValue::from_static("application/xml; charset=utf-8"),
        ),
        (CACHE_CONTROL, policy.cache_control()),
    ]);
    Rendered {
        status,
        headers,
        body: xml.into(),
        cache_policy: policy,
        tags: vec![CacheTag::sitemap()],
    }
}

/// Pages that search engines may show under their own address. The page shown in place of a missing one is no page of its own.
fn shown(page: &PageSummary) -> Option<(Locale, Option<DateTime<Utc>>)> {
    if page.noindex || page.url_path == "/404" || !page.canonical_path.is_empty() {
        return None;
    }
    let published_at = page.published_at.and_then(|at| at.try_into().ok());
    Some((page.locale.parse().ok()?, published_at))
}

fn collect(pages: &mut Published, page: PageSummary) {
    if let Some((locale, published_at)) = shown(&page) {
        pages
            .entry(page.url_path)
            .or_default()
            .insert(locale, published_at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(locale: &str, url_path: &str) -> PageSummary {
        PageSummary {
            locale: locale.into(),
            url_path: url_path.into(),
            ..PageSummary::default()
        }
    }

    fn pages() -> Published {
        let mut pages = Published::new();
        let hidden = PageSummary {
            noindex: true,
            ..summary("en", "/success-page")
        };
        let stand_in = PageSummary {
            canonical_path: "/".into(),
            ..summary("en", "/start")
        };
        for page in [
            summary("en", "/"),
            summary("tr", "/"),
            summary("en", "/a&b"),
            summary("en", "/404"),
            hidden,
            stand_in,
        ] {
            collect(&mut pages, page);
        }
        pages
    }

    #[test]
    fn sitemap_paths_are_recognised() {
        assert_eq!(Sitemap::at("/sitemap.xml"), Some(Sitemap::Index));
        let part = |locale, part| Some(Sitemap::Of { locale, part });
        assert_eq!(Sitemap::at("/sitemap-tr.xml"), part(Locale::Tr, 0));
        assert_eq!(Sitemap::at("/sitemap-tr-2.xml"), part(Locale::Tr, 1));
        for path in [
            "/sitemap-xx.xml",
            "/sitemap-tr-1.xml",
            "/sitemap-tr-0.xml",
            "/sitemap-tr-02.xml",
            "/sitemap-tr-.xml",
            "/en/sitemap.xml",
        ] {
            assert_eq!(Sitemap::at(path), None, "{path}");
        }
    }

    #[test]
    fn index_lists_each_part_for_the_locales_it_has() {
        let part = |pages: &[PageSummary]| {
            let mut part = Part::default();
            for page in pages {
                part.note(page);
            }
            part
        };
        let parts = [
            part(&[summary("en", "/"), summary("tr", "/"), summary("ar", "/404")]),
            part(&[summary("en", "/z")]),
        ];
        let xml = index(&parts, "https://s.example");
        assert_eq!(xml.matches("<sitemap>").count(), 3);
        assert!(xml.contains("<loc>https://s.example/sitemap-tr.xml</loc>"));
        assert!(xml.contains("<loc>https://s.example/sitemap-en-2.xml</loc>"));
    }

    #[test]
    fn every_address_names_all_its_translations() {
        let xml = urls(&pages(), Locale::En, "https://s.example");
        assert!(xml.contains("<loc>https://s.example/en/</loc>"));
        assert!(xml.contains("hreflang=\"tr\" href=\"https://s.example/tr/\""));
        assert!(xml.contains("hreflang=\"x-default\" href=\"https://s.example/en/\""));
        assert!(xml.contains("<loc>https://s.example/en/a&amp;b/</loc>"));
        for absent in ["success-page", "404", "start"] {
            assert!(!xml.contains(absent), "{absent}");
        }
        assert_eq!(
            urls(&pages(), Locale::Tr, "https://s.example")
                .matches("<url>")
                .count(),
            1
        );
    }
}
