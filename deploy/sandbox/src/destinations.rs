//! Sites outside of the product that it links or redirects to: the marketing site, the therapy app, a partner's site.
//! Each page shows its own path and the names of the parameters that came with it; values may be tokens and are not shown.

use axum::{
    extract::{Path, RawQuery},
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
};

use crate::assets;

/// First segment of the path, title of the page, and the setting of the product that leads here.
const SITES: [(&str, &str, &str); 3] = [
    ("marketing", "The marketing site", "MARKETING_BASE_URL"),
    ("therapy", "The therapy app", "THERAPY_APP_URL"),
    ("partner", "A partner's site", "REDIRECT_HOSTS"),
];
const POLICY: &str = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'";
/// What `TR_ANALYTICS_SCRIPT_URL` leads to.
const SCRIPT: &str = "window.sandboxAnalytics = { loadedAt: new Date().toISOString() };\n";

pub async fn arrive(Path(path): Path<String>, RawQuery(query): RawQuery) -> Response {
    let (name, rest) = path.split_once('/').unwrap_or((&path, ""));
    let Some((_, title, setting)) = SITES.into_iter().find(|(known, ..)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let page = page(title, setting, rest, query.as_deref().unwrap_or_default());
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, Html(page)).into_response()
}

pub async fn analytics_script() -> Response {
    assets::served(POLICY, assets::JAVASCRIPT, SCRIPT)
}

fn page(title: &str, setting: &str, path: &str, query: &str) -> String {
    let names = url::form_urlencoded::parse(query.as_bytes()).map(|(name, _)| {
        let name = escaped(&name);
        format!("<li data-parameter=\"{name}\"><code>{name}</code></li>")
    });
    let names: String = names.collect();
    let parameters = if names.is_empty() {
        "<p>No parameters came with it.</p>".to_owned()
    } else {
        format!("<p>Parameters that came with it (values are not shown):</p><ul>{names}</ul>")
    };
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><link rel=\"icon\" href=\"data:,\"><title>{title} · sandbox</title>\
         <h1>{title}</h1><p>The sandbox serves this page in place of an outside site; <code>{setting}</code> leads here.</p>\
         <p>Arrived at <code data-path>/{}</code>.</p>{parameters}</html>",
        escaped(path)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_shows_names_of_parameters_and_never_their_values() {
        let shown = page(
            "The therapy app",
            "THERAPY_APP_URL",
            "en/therapy/",
            "token=secret&lang=en",
        );
        assert!(shown.contains("<code data-path>/en/therapy/</code>"), "{shown}");
        assert!(
            shown.contains("<code>token</code>") && shown.contains("<code>lang</code>"),
            "{shown}"
        );
        assert!(!shown.contains("secret"), "{shown}");
    }

    #[test]
    fn markup_in_path_and_names_is_escaped() {
        let shown = page(
            "A partner's site",
            "REDIRECT_HOSTS",
            "<script>",
            "%22%3E%3Cscript%3E=1",
        );
        assert!(!shown.contains("<script>"), "{shown}");
    }
}
