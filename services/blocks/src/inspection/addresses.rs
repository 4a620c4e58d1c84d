//! Links and URLs of loaded files.

use super::{Inspection, is_slug};
use crate::error::BlockErrorCode;
use crate::inspection::findings::LinkFound;

impl Inspection {
    /// A page of this site (`/signup`), a part of this page (`#plans`), an `https` address, or a mail or phone link.
    pub(crate) fn link(&mut self, field: &str, url: &str) {
        if let Some(path) = site_path(url) {
            let field = self.locate(field);
            self.findings.links.push(LinkFound {
                field,
                path: path.to_owned(),
            });
        } else if !is_anchor(url) && !has_scheme(url, &["https", "mailto", "tel"]) {
            self.error(
                field,
                BlockErrorCode::NotAllowed,
                "must be a path of this site, or start with #, https://, mailto: or tel:",
            );
        }
    }

    pub(crate) fn required_link(&mut self, field: &str, url: &str) {
        if url.trim().is_empty() {
            self.error(field, BlockErrorCode::Required, "must not be empty");
        } else {
            self.link(field, url);
        }
    }

    pub(crate) fn optional_link(&mut self, field: &str, url: Option<&str>) {
        if let Some(url) = url {
            self.link(field, url);
        }
    }

    pub(crate) fn page_of_this_site(&mut self, field: &str, url: Option<&str>) {
        let Some(url) = url else { return };
        if site_path(url).is_some() {
            self.link(field, url);
        } else {
            self.error(
                field,
                BlockErrorCode::NotAllowed,
                "must be a path of this site, as /success-page",
            );
        }
    }

    pub(crate) fn required_page(&mut self, field: &str, url: &str) {
        if url.trim().is_empty() {
            self.error(field, BlockErrorCode::Required, "must not be empty");
        } else {
            self.page_of_this_site(field, Some(url));
        }
    }

    /// A URL that a phone opens in an app: any scheme except those that run code.
    pub(crate) fn deep_link(&mut self, field: &str, url: Option<&str>) {
        let Some(url) = url else { return };
        let runs_code = |scheme: &str| matches!(scheme, "javascript" | "data" | "vbscript" | "blob" | "file");
        let allowed = url::Url::parse(url).is_ok_and(|parsed| !runs_code(parsed.scheme()));
        if !allowed {
            self.error(
                field,
                BlockErrorCode::NotAllowed,
                "must be an absolute address, as stillpoint://today",
            );
        }
    }

    /// The URL of a file that the page loads: of this site, or `https`.
    pub(crate) fn source(&mut self, field: &str, url: &str) {
        if url.trim().is_empty() {
            self.error(field, BlockErrorCode::Required, "must not be empty");
        } else if site_path(url).is_none() && !has_scheme(url, &["https"]) {
            self.error(
                field,
                BlockErrorCode::NotAllowed,
                "must be a path of this site or start with https://",
            );
        }
    }

    pub(crate) fn optional_source(&mut self, field: &str, url: Option<&str>) {
        if let Some(url) = url {
            self.source(field, url);
        }
    }

    pub(crate) fn outside(&mut self, field: &str, url: Option<&str>) {
        if url.is_some_and(|url| !has_scheme(url, &["https"])) {
            self.error(field, BlockErrorCode::NotAllowed, "must start with https://");
        }
    }

    pub(crate) fn required_outside(&mut self, field: &str, url: &str) {
        if url.trim().is_empty() {
            self.error(field, BlockErrorCode::Required, "must not be empty");
        } else {
            self.outside(field, Some(url));
        }
    }
}

/// The path of a link inside the site. Browsers read `//host` and `/\host` as another site.
fn site_path(url: &str) -> Option<&str> {
    let inside =
        url.starts_with('/') && !url.starts_with("//") && !url.contains('\\') && !url.contains("/./");
    let printable = url.chars().all(|c| !c.is_control() && !c.is_whitespace());
    (inside && printable).then(|| url.split(['?', '#']).next().unwrap_or(url))
}

fn is_anchor(url: &str) -> bool {
    url.strip_prefix('#').is_some_and(is_slug)
}

fn has_scheme(url: &str, schemes: &[&str]) -> bool {
    url::Url::parse(url).is_ok_and(|parsed| schemes.contains(&parsed.scheme()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_another_site_in_disguise_is_no_path() {
        for disguised in [
            "//evil.example",
            "/\\evil.example",
            "/./\\evil",
            "/a b",
            "/a\nb",
            "signup",
        ] {
            assert_eq!(site_path(disguised), None, "{disguised}");
        }
        assert_eq!(site_path("/signup?plan=annual#top"), Some("/signup"));
    }

    #[test]
    fn only_harmless_schemes_are_links() {
        assert!(has_scheme("https://www.stillpoint.example/", &["https"]));
        for other in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "http://a.example",
            "data:text/html,x",
        ] {
            assert!(!has_scheme(other, &["https", "mailto", "tel"]), "{other}");
        }
    }
}
