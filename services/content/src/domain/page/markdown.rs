//! Renders and sanitises Markdown and HTML at publication.

use std::sync::LazyLock;

use ammonia::Builder;
use comrak::Options;

static SANITISER: LazyLock<Builder<'static>> = LazyLock::new(sanitiser);

/// Renders Markdown with tables and strikethrough. HTML inside it is kept where it is harmless and dropped elsewhere.
pub fn to_html(markdown: &str) -> String {
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    // Raw HTML passes here because the sanitiser comes after it.
    options.render.r#unsafe = true;
    sanitised(&comrak::markdown_to_html(markdown, &options))
}

/// Keeps of HTML what is harmless.
pub fn sanitised(html: &str) -> String {
    open_outside_links_in_a_new_tab(SANITISER.clean(html).to_string().trim())
}

/// The pages of this site that rendered text leads to.
pub fn site_paths(html: &str) -> Vec<String> {
    let targets = html
        .split(" href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    let inside = targets.filter(|target| target.starts_with('/') && !target.starts_with("//"));
    inside
        .filter_map(|target| target.split(['?', '#']).next())
        .map(str::to_owned)
        .collect()
}

fn sanitiser() -> Builder<'static> {
    let mut sanitiser = Builder::default();
    sanitiser.url_schemes(["https", "mailto", "tel"].into());
    sanitiser.link_rel(Some("noopener noreferrer"));
    sanitiser
}

/// The sanitiser has escaped every other `<`, so this text can only be the start of a real link.
fn open_outside_links_in_a_new_tab(html: &str) -> String {
    html.replace("<a href=\"https://", "<a target=\"_blank\" href=\"https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        assert_eq!(
            to_html("One *calm* breath.\n\n- in\n- out"),
            "<p>One <em>calm</em> breath.</p>\n<ul>\n<li>in</li>\n<li>out</li>\n</ul>"
        );
    }

    #[test]
    fn harmless_html_stays() {
        assert_eq!(
            to_html("<p>Breathe <strong>out</strong></p>"),
            "<p>Breathe <strong>out</strong></p>"
        );
    }

    #[test]
    fn nothing_that_runs_gets_through() {
        let attempts = [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[a](javascript:alert(1))",
            "<a href=\"JaVaScRiPt:alert(1)\">a</a>",
            "<iframe src=\"https://evil.example\"></iframe>",
            "<svg onload=alert(1)>",
            "<style>*{display:none}</style>",
            "<a href=\"data:text/html,<script>alert(1)</script>\">a</a>",
            "<form action=\"https://evil.example\"><input></form>",
        ];
        for attempt in attempts {
            // As HTML, a Markdown link is mere text.
            let as_html = attempt.starts_with('<').then(|| sanitised(attempt));
            for html in as_html.into_iter().chain([to_html(attempt)]) {
                let html = html.to_lowercase();
                for danger in [
                    "script", "onerror", "onload", "iframe", "<style", "<form", "data:",
                ] {
                    assert!(!html.contains(danger), "{attempt} became {html}");
                }
            }
        }
    }

    #[test]
    fn outside_links_open_in_a_new_tab_and_tell_nothing() {
        assert_eq!(
            to_html("[Terms](https://www.stillpoint.example/terms/)"),
            "<p><a target=\"_blank\" href=\"https://www.stillpoint.example/terms/\" rel=\"noopener noreferrer\">Terms</a></p>"
        );
        assert!(!to_html("[Sign in](/signin)").contains("_blank"));
    }
}
