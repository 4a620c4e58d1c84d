//! Pages for the sites that the product links or redirects to: the marketing site, the therapy app, a partner's site; and the
//! list of breached passwords.
//! Each page shows its path and the names of its parameters. Values may be tokens and are not shown.

mod autologin;
mod breached_passwords;

use axum::{
    Router,
    extract::{Path, RawQuery},
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};

use crate::engine::http::assets::{self, escaped};

/// First path segment, page title, and the setting of the product that names the site.
const SITES: [(&str, &str, &str); 3] = [
    ("marketing", "The marketing site", "MARKETING_BASE_URL"),
    ("therapy", "The therapy app", "THERAPY_APP_URL"),
    ("partner", "A partner's site", "REDIRECT_HOSTS"),
];
const POLICY: &str = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'";
/// The script of `TR_ANALYTICS_SCRIPT_URL`.
const SCRIPT: &str = "window.sandboxAnalytics = { loadedAt: new Date().toISOString() };\n";

pub fn routes() -> Router {
    Router::new()
        .route("/app/autologin", post(autologin::page))
        .route(
            "/breached-passwords/range/{prefix}",
            get(breached_passwords::range),
        )
        .route("/outside/analytics.js", get(analytics_script))
        .route("/outside/{*path}", get(site))
}

async fn site(Path(path): Path<String>, RawQuery(query): RawQuery) -> Response {
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

async fn analytics_script() -> Response {
    assets::respond(POLICY, assets::JAVASCRIPT, SCRIPT)
}

fn page(title: &str, setting: &str, path: &str, query: &str) -> String {
    let names = url::form_urlencoded::parse(query.as_bytes()).map(|(name, _)| {
        let name = escaped(&name);
        format!("<li data-parameter=\"{name}\"><code>{name}</code></li>")
    });
    let names: String = names.collect();
    let parameters = if names.is_empty() {
        "<p>No parameters.</p>".to_owned()
    } else {
        format!("<p>Parameters (values are not shown):</p><ul>{names}</ul>")
    };
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><link rel=\"icon\" href=\"data:,\"><title>{title} · sandbox</title>\
         <h1>{title}</h1><p>The sandbox serves this page instead of an external site; <code>{setting}</code> names it.</p>\
         <p>Arrived at <code data-path>/{}</code>.</p>{parameters}</html>",
        escaped(path)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_shows_parameter_names_without_values() {
        let html = page(
            "The therapy app",
            "THERAPY_APP_URL",
            "en/therapy/",
            "token=secret&lang=en",
        );
        assert!(html.contains("<code data-path>/en/therapy/</code>"), "{html}");
        assert!(
            html.contains("<code>token</code>") && html.contains("<code>lang</code>"),
            "{html}"
        );
        assert!(!html.contains("secret"), "{html}");
    }

    #[test]
    fn markup_in_path_and_names_is_escaped() {
        let html = page(
            "A partner's site",
            "REDIRECT_HOSTS",
            "<script>",
            "%22%3E%3Cscript%3E=1",
        );
        assert!(!html.contains("<script>"), "{html}");
    }
}
