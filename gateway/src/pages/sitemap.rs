//! The sitemap: an index, and for each locale its pages with their translations.
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use axum::http::HeaderMap;
use blocks::Locale;
use chrono::{DateTime, SecondsFormat, Utc};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use proto::content::v1::{ListPagesRequest, PageSummary};

use crate::clients::Clients;
use crate::pages::key::Tag;
use crate::pages::render::{RenderFault, Rendered};
use crate::pages::storage::Storage;

/// What one sitemap file may hold by its standard.
const URLS_MAX: usize = 50_000;
const PAGE_SIZE: i32 = 1000;
const KEPT: Duration = Duration::from_hours(1);
const DEADLINE: Duration = Duration::from_secs(10);

/// Which sitemap a path asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sitemap {
    Index,
    Of(Locale),
}

impl Sitemap {
    pub fn at(path: &str) -> Option<Self> {
        if path == "/sitemap.xml" {
            return Some(Self::Index);
        }
        let locale = path.strip_prefix("/sitemap-")?.strip_suffix(".xml")?;
        locale.parse().ok().map(Self::Of)
    }
}

pub async fn make(sitemap: Sitemap, clients: &Clients, origin: &str) -> Result<Rendered, RenderFault> {
    let pages = kit::deadline::within(DEADLINE, published(clients)).await;
    let pages = pages.map_err(|_| RenderFault::TooSlow)??;
    let xml = match sitemap {
        Sitemap::Index => index(&pages, origin),
        Sitemap::Of(locale) => urls(&pages, locale, origin),
    };
    let storage = Storage::Page(KEPT);
    let headers = HeaderMap::from_iter([
        (
            CONTENT_TYPE,
            HeaderValue::from_static("application/xml; charset=utf-8"),
        ),
        (CACHE_CONTROL, storage.for_browsers()),
    ]);
    Ok(Rendered {
        status: StatusCode::OK,
        headers,
        body: xml.into(),
        storage,
        tags: vec![Tag::sitemap()],
    })
}

/// Every page that search engines may show, with the locales that have it.
type Published = BTreeMap<String, BTreeMap<Locale, Option<DateTime<Utc>>>>;

async fn published(clients: &Clients) -> Result<Published, RenderFault> {
    let mut pages = Published::new();
    let mut page_token = String::new();
    loop {
        let request = ListPagesRequest {
            page_size: PAGE_SIZE,
            page_token,
            ..ListPagesRequest::default()
        };
        let answer = clients.content().list_pages(request).await;
        let answer = answer
            .map_err(|status| RenderFault::Service(status.code().to_string()))?
            .into_inner();
        answer
            .pages
            .into_iter()
            .for_each(|page| collect(&mut pages, page));
        page_token = answer.next_page_token;
        if page_token.is_empty() || pages.len() >= URLS_MAX {
            return Ok(pages);
        }
    }
}

fn collect(pages: &mut Published, page: PageSummary) {
    // The page shown in place of a missing one is no page of its own.
    if page.noindex || page.url_path == "/404" {
        return;
    }
    if let Ok(locale) = page.locale.parse() {
        let published_at = page.published_at.and_then(|at| at.try_into().ok());
        pages
            .entry(page.url_path)
            .or_default()
            .insert(locale, published_at);
    }
}

fn index(pages: &Published, origin: &str) -> String {
    let mut xml = String::from(HEAD);
    xml.push_str("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    let with_pages = |locale: &Locale| pages.values().any(|locales| locales.contains_key(locale));
    for locale in Locale::ALL.iter().filter(|locale| with_pages(locale)) {
        push(
            &mut xml,
            format_args!("<sitemap><loc>{origin}/sitemap-{locale}.xml</loc></sitemap>\n"),
        );
    }
    xml.push_str("</sitemapindex>\n");
    xml
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn urls(pages: &Published, locale: Locale, origin: &str) -> String {
    let mut xml = String::from(HEAD);
    xml.push_str(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    for (path, locales) in pages.iter().take(URLS_MAX) {
        if let Some(published_at) = locales.get(&locale) {
            push(
                &mut xml,
                format_args!("<url><loc>{}</loc>", address(origin, locale, path)),
            );
            if let Some(at) = published_at {
                push(
                    &mut xml,
                    format_args!(
                        "<lastmod>{}</lastmod>",
                        at.to_rfc3339_opts(SecondsFormat::Secs, true)
                    ),
                );
            }
            for other in locales.keys() {
                alternate(&mut xml, other.code(), &address(origin, *other, path));
            }
            let default = if locales.contains_key(&Locale::En) {
                Locale::En
            } else {
                locale
            };
            alternate(&mut xml, "x-default", &address(origin, default, path));
            xml.push_str("</url>\n");
        }
    }
    xml.push_str("</urlset>\n");
    xml
}

fn alternate(xml: &mut String, language: &str, address: &str) {
    push(
        xml,
        format_args!("<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{address}\"/>"),
    );
}

fn address(origin: &str, locale: Locale, path: &str) -> String {
    let path = path
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;");
    match path.trim_matches('/') {
        "" => format!("{origin}/{locale}/"),
        path => format!("{origin}/{locale}/{path}/"),
    }
}

/// Writing into a `String` cannot fail.
fn push(xml: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = xml.write_fmt(line);
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
        for page in [
            summary("en", "/"),
            summary("tr", "/"),
            summary("en", "/a&b"),
            summary("en", "/404"),
            hidden,
        ] {
            collect(&mut pages, page);
        }
        pages
    }

    #[test]
    fn paths_of_sitemaps_are_told_from_others() {
        assert_eq!(Sitemap::at("/sitemap.xml"), Some(Sitemap::Index));
        assert_eq!(Sitemap::at("/sitemap-tr.xml"), Some(Sitemap::Of(Locale::Tr)));
        assert_eq!(Sitemap::at("/sitemap-xx.xml"), None);
        assert_eq!(Sitemap::at("/en/sitemap.xml"), None);
    }

    #[test]
    fn index_lists_locales_that_have_pages() {
        let xml = index(&pages(), "https://s.example");
        assert_eq!(xml.matches("<sitemap>").count(), 2);
        assert!(xml.contains("<loc>https://s.example/sitemap-tr.xml</loc>"));
    }

    #[test]
    fn every_address_names_all_its_translations() {
        let xml = urls(&pages(), Locale::En, "https://s.example");
        assert!(xml.contains("<loc>https://s.example/en/</loc>"));
        assert!(xml.contains("hreflang=\"tr\" href=\"https://s.example/tr/\""));
        assert!(xml.contains("hreflang=\"x-default\" href=\"https://s.example/en/\""));
        assert!(xml.contains("<loc>https://s.example/en/a&amp;b/</loc>"));
        assert!(!xml.contains("success-page") && !xml.contains("404"));
        assert_eq!(
            urls(&pages(), Locale::Tr, "https://s.example")
                .matches("<url>")
                .count(),
            1
        );
    }
}
