//! The walk over a block that collects everything wrong with it at once, and every link it holds.

use std::collections::HashSet;

use crate::fault::{BlockFault, FaultCode};
use crate::model::Model;

const LONGEST_TEXT: usize = 50_000;
const LONGEST_LIST: usize = 100;

/// Keeps the path of the field being looked at, so a rule names only its own field.
#[derive(Debug)]
pub struct Inspection {
    component: &'static str,
    path: Vec<String>,
    faults: Vec<BlockFault>,
    links: Vec<LinkFound>,
}

/// A link inside the site, with the field that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkFound {
    pub field: String,
    pub path: String,
}

impl Inspection {
    /// Applies every rule of a block or record.
    pub fn of<M: Model>(model: &M) -> Self {
        let mut inspection = Self {
            component: M::NAME,
            path: Vec::new(),
            faults: Vec::new(),
            links: Vec::new(),
        };
        model.inspect(&mut inspection);
        inspection
    }

    pub fn faults(self) -> Vec<BlockFault> {
        self.faults
    }

    pub fn links(self) -> Vec<LinkFound> {
        self.links
    }

    pub(crate) fn fault(&mut self, field: &str, code: FaultCode, message: impl Into<String>) {
        let field = self.locate(field);
        self.faults.push(BlockFault {
            component: self.component.into(),
            field,
            code,
            message: message.into(),
        });
    }

    pub(crate) fn required(&mut self, field: &str, text: &str) {
        if text.trim().is_empty() {
            self.fault(field, FaultCode::Required, "must not be empty");
        }
        self.bounded(field, text);
    }

    pub(crate) fn optional(&mut self, field: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.bounded(field, text);
        }
    }

    pub(crate) fn nested<M: Model>(&mut self, field: &str, model: &M) {
        self.path.push(field.to_owned());
        model.inspect(self);
        self.path.pop();
    }

    pub(crate) fn nested_if_present<M: Model>(&mut self, field: &str, model: Option<&M>) {
        if let Some(model) = model {
            self.nested(field, model);
        }
    }

    pub(crate) fn each<M: Model>(&mut self, field: &str, models: &[M]) {
        if models.len() > LONGEST_LIST {
            self.fault(
                field,
                FaultCode::TooLong,
                format!("must have at most {LONGEST_LIST} items"),
            );
            return;
        }
        for (index, model) in models.iter().enumerate() {
            self.nested(&format!("{field}[{index}]"), model);
        }
    }

    /// A list that makes no sense without items.
    pub(crate) fn some_of_each<M: Model>(&mut self, field: &str, models: &[M]) {
        if models.is_empty() {
            self.fault(field, FaultCode::Required, "must have at least one item");
        }
        self.each(field, models);
    }

    pub(crate) fn unique_ids<'a>(&mut self, field: &str, ids: impl Iterator<Item = &'a str>) {
        let mut seen = HashSet::new();
        for (index, id) in ids.enumerate() {
            if !id.is_empty() && !seen.insert(id) {
                self.fault(
                    &format!("{field}[{index}].id"),
                    FaultCode::Duplicate,
                    "another item has this id",
                );
            }
        }
    }

    /// A page of this site (`/signup`), a part of this page (`#plans`), an `https` address, or a mail or phone link.
    pub(crate) fn link(&mut self, field: &str, url: &str) {
        if let Some(path) = site_path(url) {
            let field = self.locate(field);
            self.links.push(LinkFound {
                field,
                path: path.to_owned(),
            });
        } else if !is_anchor(url) && !has_scheme(url, &["https", "mailto", "tel"]) {
            self.fault(
                field,
                FaultCode::NotAllowed,
                "must be a path of this site, or start with #, https://, mailto: or tel:",
            );
        }
    }

    pub(crate) fn required_link(&mut self, field: &str, url: &str) {
        if url.trim().is_empty() {
            self.fault(field, FaultCode::Required, "must not be empty");
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
            self.fault(
                field,
                FaultCode::NotAllowed,
                "must be a path of this site, as /success-page",
            );
        }
    }

    /// An address a phone opens in an app: any scheme but those that run code.
    pub(crate) fn deep_link(&mut self, field: &str, url: Option<&str>) {
        let Some(url) = url else { return };
        let runs_code = |scheme: &str| matches!(scheme, "javascript" | "data" | "vbscript" | "blob" | "file");
        let allowed = url::Url::parse(url).is_ok_and(|parsed| !runs_code(parsed.scheme()));
        if !allowed {
            self.fault(
                field,
                FaultCode::NotAllowed,
                "must be an absolute address, as stillpoint://today",
            );
        }
    }

    /// Something the page loads: from this site, or over `https`.
    pub(crate) fn source(&mut self, field: &str, url: &str) {
        if url.trim().is_empty() {
            self.fault(field, FaultCode::Required, "must not be empty");
        } else if site_path(url).is_none() && !has_scheme(url, &["https"]) {
            self.fault(
                field,
                FaultCode::NotAllowed,
                "must be a path of this site or start with https://",
            );
        }
    }

    pub(crate) fn outside(&mut self, field: &str, url: Option<&str>) {
        if url.is_some_and(|url| !has_scheme(url, &["https"])) {
            self.fault(field, FaultCode::NotAllowed, "must start with https://");
        }
    }

    /// A hex colour or the name of a design token. Anything else could carry other style rules into the page.
    pub(crate) fn colour(&mut self, field: &str, colour: Option<&str>) {
        if colour.is_some_and(|colour| !is_colour(colour)) {
            self.fault(
                field,
                FaultCode::NotAllowed,
                "must be a colour as #6953bb or the name of a token as action",
            );
        }
    }

    /// Two or more colours with commas between them.
    pub(crate) fn gradient(&mut self, field: &str, gradient: Option<&str>) {
        let Some(gradient) = gradient else { return };
        let colours: Vec<&str> = gradient.split(',').map(str::trim).collect();
        if colours.len() < 2 || !colours.into_iter().all(is_colour) {
            self.fault(
                field,
                FaultCode::NotAllowed,
                "must be two or more colours, as #2f2a63, #6953bb",
            );
        }
    }

    /// Lower-case words joined by hyphens.
    pub(crate) fn slug(&mut self, field: &str, text: &str) {
        if text.is_empty() {
            self.fault(field, FaultCode::Required, "must not be empty");
        } else if !is_slug(text) {
            self.fault(
                field,
                FaultCode::NotAllowed,
                "must be lower-case letters, digits and hyphens",
            );
        }
    }

    pub(crate) fn optional_slug(&mut self, field: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.slug(field, text);
        }
    }

    pub(crate) fn within(&mut self, field: &str, value: Option<i32>, allowed: std::ops::RangeInclusive<i32>) {
        if value.is_some_and(|value| !allowed.contains(&value)) {
            let (from, to) = allowed.into_inner();
            self.fault(
                field,
                FaultCode::NotAllowed,
                format!("must be from {from} to {to}"),
            );
        }
    }

    fn bounded(&mut self, field: &str, text: &str) {
        if text.len() > LONGEST_TEXT {
            self.fault(
                field,
                FaultCode::TooLong,
                format!("must be at most {LONGEST_TEXT} bytes"),
            );
        }
    }

    fn locate(&self, field: &str) -> String {
        let mut place = self.path.join(".");
        if !place.is_empty() && !field.is_empty() {
            place.push('.');
        }
        place.push_str(field);
        place
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

fn is_colour(text: &str) -> bool {
    match text.strip_prefix('#') {
        Some(hex) => matches!(hex.len(), 3 | 4 | 6 | 8) && hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => is_slug(text),
    }
}

fn is_slug(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.as_bytes().first().is_some_and(u8::is_ascii_lowercase) && text.bytes().all(allowed)
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
    fn a_colour_is_hex_or_a_token() {
        for colour in ["#fff", "#6953bb", "#6953bb80", "action"] {
            assert!(is_colour(colour), "{colour}");
        }
        for other in ["", "#12", "#ggg", "red;position:fixed", "url(x)", "Action"] {
            assert!(!is_colour(other), "{other}");
        }
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
