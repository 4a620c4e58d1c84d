//! Sitemaps as their standard writes them.
use std::collections::BTreeMap;
use std::fmt::Write;

use blocks::Locale;
use chrono::{DateTime, SecondsFormat, Utc};

use crate::pages::sitemap::part::Part;

/// Every page that search engines may show, with the locales that have it.
pub type Published = BTreeMap<String, BTreeMap<Locale, Option<DateTime<Utc>>>>;

pub fn index(parts: &[Part], origin: &str) -> String {
    let mut xml = String::from(HEAD);
    xml.push_str("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for (number, part) in parts.iter().enumerate() {
        for (locale, newest) in &part.newest {
            let name = match number {
                0 => format!("sitemap-{locale}.xml"),
                _ => format!("sitemap-{locale}-{}.xml", number + 1),
            };
            push(&mut xml, format_args!("<sitemap><loc>{origin}/{name}</loc>"));
            lastmod(&mut xml, *newest);
            xml.push_str("</sitemap>\n");
        }
    }
    xml.push_str("</sitemapindex>\n");
    xml
}

fn lastmod(xml: &mut String, published_at: Option<DateTime<Utc>>) {
    if let Some(at) = published_at {
        let at = at.to_rfc3339_opts(SecondsFormat::Secs, true);
        push(xml, format_args!("<lastmod>{at}</lastmod>"));
    }
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

pub fn urls(pages: &Published, locale: Locale, origin: &str) -> String {
    let mut xml = String::from(HEAD);
    xml.push_str(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    for (path, locales) in pages {
        if let Some(published_at) = locales.get(&locale) {
            push(
                &mut xml,
                format_args!("<url><loc>{}</loc>", address(origin, locale, path)),
            );
            lastmod(&mut xml, *published_at);
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
