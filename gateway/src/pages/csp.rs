//! The content security policy of a page, and where browsers report what it blocked: hashes of its own inline scripts, so that a cached page needs no nonce.
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::CONTENT_SECURITY_POLICY;
use http::{HeaderMap, HeaderName, HeaderValue};
use sha2::{Digest, Sha256};

use crate::config::CspSources;

/// Where browsers send their reports: `rest/csp_reports.rs`.
const REPORTS_PATH: &str = "/api/csp-reports";

const REPORTING_ENDPOINTS: HeaderName = HeaderName::from_static("reporting-endpoints");
/// The endpoint that `report-to` names. `report-uri` is for browsers without the Reporting API.
const ENDPOINTS: &str = "csp=\"/api/csp-reports\"";

/// Hosts of embedded films, loaded after a click on play.
const FILMS: &str = "https://www.youtube-nocookie.com https://player.vimeo.com";

#[derive(Clone)]
pub struct PagePolicy {
    before_hashes: String,
    after_hashes: String,
}

impl PagePolicy {
    pub fn new(sources: &CspSources) -> Self {
        let scripts = sources.script.join(" ");
        let connect = sources.connect.join(" ");
        let frames = sources.frame.join(" ");
        let (styles, forms) = (more(&sources.style), more(&sources.form));
        Self {
            before_hashes: format!("default-src 'self'; script-src 'self' {scripts}"),
            // Blocks carry colours in style attributes, which hashes cannot allow.
            after_hashes: format!(
                "; style-src 'self' 'unsafe-inline'{styles}; img-src 'self' data: https:; font-src 'self'; \
                 media-src 'self' https:; connect-src 'self' {connect}; frame-src 'self' {frames} {FILMS}; \
                 object-src 'none'; base-uri 'none'; form-action 'self'{forms}; frame-ancestors 'none'; \
                 report-uri {REPORTS_PATH}; report-to csp"
            ),
        }
    }

    /// Adds the policy of this page, and where to report what it blocks.
    pub fn write(&self, html: &str, headers: &mut HeaderMap) {
        if let Some(policy) = self.for_html(html) {
            headers.insert(CONTENT_SECURITY_POLICY, policy);
            headers.insert(REPORTING_ENDPOINTS, HeaderValue::from_static(ENDPOINTS));
        }
    }

    fn for_html(&self, html: &str) -> Option<HeaderValue> {
        let mut policy = self.before_hashes.clone();
        for script in inline_scripts(html) {
            policy.extend([" 'sha256-", &hash(script), "'"]);
        }
        policy.push_str(&self.after_hashes);
        HeaderValue::try_from(policy).ok()
    }
}

/// Sources after others, if any.
fn more(sources: &[String]) -> String {
    sources.iter().flat_map(|source| [" ", source]).collect()
}

fn hash(script: &str) -> String {
    STANDARD.encode(Sha256::digest(script.as_bytes()))
}

/// The text of every script without `src` that a browser would run.
fn inline_scripts(html: &str) -> impl Iterator<Item = &str> {
    let mut rest = html;
    std::iter::from_fn(move || {
        loop {
            let (attributes, after_tag) = next_script_tag(rest)?;
            let end = find_ignoring_case(after_tag, "</script")?;
            let (script, remaining) = after_tag.split_at(end);
            rest = remaining;
            if runs_inline(attributes) && !script.is_empty() {
                return Some(script);
            }
        }
    })
}

/// The attributes of the next `<script …>` and what follows the tag.
fn next_script_tag(html: &str) -> Option<(&str, &str)> {
    let mut rest = html;
    loop {
        let start = find_ignoring_case(rest, "<script")?;
        let after_name = rest.get(start + "<script".len()..)?;
        rest = after_name;
        if after_name.starts_with(|next: char| next == '>' || next == '/' || next.is_ascii_whitespace()) {
            let end = end_of_tag(after_name)?;
            return Some((after_name.get(..end)?, after_name.get(end + 1..)?));
        }
    }
}

/// A `>` inside a quoted attribute does not end the tag.
fn end_of_tag(tag: &str) -> Option<usize> {
    let mut quote = None;
    tag.bytes().position(|byte| match (quote, byte) {
        (None, b'>') => true,
        (None, b'"' | b'\'') => {
            quote = Some(byte);
            false
        }
        (Some(open), close) if open == close => {
            quote = None;
            false
        }
        _ => false,
    })
}

/// Scripts with a source are covered by its address, and data blocks (JSON-LD) are not run.
fn runs_inline(attributes: &str) -> bool {
    let attributes = attributes.to_ascii_lowercase();
    let has_source = attributes
        .split_ascii_whitespace()
        .any(|word| word == "src" || word.starts_with("src="));
    let is_data = attributes.contains("application/ld+json") || attributes.contains("application/json");
    !has_source && !is_data
}

fn find_ignoring_case(text: &str, lower_case_needle: &str) -> Option<usize> {
    let needle = lower_case_needle.as_bytes();
    text.as_bytes()
        .windows(needle.len())
        .position(|window| window.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[&str]) {
        assert_eq!(inline_scripts(html).collect::<Vec<_>>(), expected, "{html}");
    }

    #[test]
    fn every_inline_script_is_found() {
        check(
            "<script>a</script><p><SCRIPT type=\"module\">b\n</SCRIPT ><script async>c</script>",
            &["a", "b\n", "c"],
        );
        check("<script data-x='>'>a</script>", &["a"]);
        check("<script>if (\"<script>\") {}</script>", &["if (\"<script>\") {}"]);
        check("<scripty>a</scripty>", &[]);
    }

    #[test]
    fn sourced_and_data_scripts_need_no_hash() {
        check(
            "<script src=\"/a.js\"></script><script type=\"application/ld+json\">{}</script>",
            &[],
        );
        check("<script data-src=\"x\">a</script>", &["a"]);
    }

    #[test]
    fn broken_html_ends_the_search() {
        check("<script", &[]);
        check("<script>never closed", &[]);
        check("<script data-x='", &[]);
    }

    #[test]
    fn policy_names_the_hash_and_the_sources() {
        let sources = CspSources {
            script: vec!["https://js.stripe.com".into()],
            connect: vec!["https://api.stripe.com".into()],
            frame: vec!["https://js.stripe.com".into()],
            style: vec!["https://accounts.google.com/gsi/style".into()],
            form: vec!["https://app.example".into()],
        };
        let policy = PagePolicy::new(&sources)
            .for_html("<script>alert(1)</script>")
            .unwrap();
        let policy = policy.to_str().unwrap();
        assert!(policy.contains(
            "script-src 'self' https://js.stripe.com 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=';"
        ));
        assert!(
            policy.contains("object-src 'none'; base-uri 'none'; form-action 'self' https://app.example;")
        );
        assert!(policy.ends_with("; report-uri /api/csp-reports; report-to csp"));
        assert!(policy.contains("style-src 'self' 'unsafe-inline' https://accounts.google.com/gsi/style;"));
        assert!(policy.contains("connect-src 'self' https://api.stripe.com;"));
        assert!(policy.contains(
            "frame-src 'self' https://js.stripe.com https://www.youtube-nocookie.com https://player.vimeo.com;"
        ));
    }
}
