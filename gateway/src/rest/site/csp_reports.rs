//! Reports of browsers about what a page's content security policy blocked. Counted by closed sets of labels; nothing is
//! stored, logged or handed on, as a report holds addresses and may be invented by its sender.
use std::sync::Arc;

use axum::extract::{FromRequest, Request, State};
use bytes::Bytes;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use kit::error::{ErrorCode, Kind};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use url::Url;
use utoipa::ToSchema;

use crate::protocol::error::{HandlerResult, Problem, ProblemBody};
use crate::state::AppState;

/// Of one request; browsers send a few at a time.
const COUNTED_MAX: usize = 20;
/// A directive that is not here is counted as `other`.
const DIRECTIVES: [&str; 19] = [
    "base-uri",
    "child-src",
    "connect-src",
    "default-src",
    "font-src",
    "form-action",
    "frame-ancestors",
    "frame-src",
    "img-src",
    "manifest-src",
    "media-src",
    "object-src",
    "script-src",
    "script-src-attr",
    "script-src-elem",
    "style-src",
    "style-src-attr",
    "style-src-elem",
    "worker-src",
];
const OTHER: &str = "other";

/// One report as the Reporting API sends it.
#[derive(Deserialize, ToSchema)]
pub struct CspReport {
    /// Only `csp-violation` is counted.
    #[serde(rename = "type")]
    #[schema(example = "csp-violation")]
    kind: String,
    #[serde(default, deserialize_with = "from_object")]
    body: CspViolation,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct CspViolation {
    #[schema(example = "script-src-elem")]
    effective_directive: Option<String>,
    /// An address, or a word such as `inline`.
    #[serde(rename = "blockedURL")]
    #[schema(example = "https://elsewhere.example/script.js")]
    blocked_url: Option<String>,
}

/// One report as `report-uri` has it sent.
#[derive(Deserialize)]
struct LegacyCspReport {
    #[serde(rename = "csp-report", deserialize_with = "from_object")]
    report: LegacyCspViolation,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct LegacyCspViolation {
    effective_directive: Option<String>,
    /// Older browsers name the directive here, with its sources.
    violated_directive: Option<String>,
    blocked_uri: Option<String>,
}

impl From<LegacyCspReport> for CspViolation {
    fn from(LegacyCspReport { report }: LegacyCspReport) -> Self {
        Self {
            effective_directive: report.effective_directive.or(report.violated_directive),
            blocked_url: report.blocked_uri,
        }
    }
}

/// The reports of one request, of either form.
pub struct Violations(Vec<CspViolation>);

impl<S: Send + Sync> FromRequest<S> for Violations {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> HandlerResult<Self> {
        let media_type = essence(&request);
        let body = Bytes::from_request(request, state)
            .await
            .map_err(|_| unreadable())?;
        match media_type.as_str() {
            "application/reports+json" => {
                let reports: Vec<FromObject<CspReport>> = parsed(&body)?;
                let reports = reports.into_iter().map(|report| report.0);
                let violations = reports.filter(|report| report.kind == "csp-violation");
                Ok(Self(violations.map(|report| report.body).collect()))
            }
            "application/csp-report" => {
                let report: FromObject<LegacyCspReport> = parsed(&body)?;
                Ok(Self(vec![report.0.into()]))
            }
            _ => Err(Problem::new(
                Kind::Invalid,
                ErrorCode::UnsupportedMediaType,
                "Send the reports as application/reports+json or application/csp-report.",
            )),
        }
    }
}

fn essence(request: &Request) -> String {
    let value = request.headers().get(CONTENT_TYPE);
    let value = value.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = value.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// An object alone: fields could otherwise be sent by position, in an array.
#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct FromObject<T>(#[serde(deserialize_with = "from_object")] T);

fn from_object<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<T, D::Error> {
    let fields = Map::deserialize(deserializer)?;
    T::deserialize(Value::Object(fields)).map_err(D::Error::custom)
}

fn parsed<T: DeserializeOwned>(body: &[u8]) -> HandlerResult<T> {
    serde_json::from_slice(body).map_err(|_| unreadable())
}

fn unreadable() -> Problem {
    Problem::new(
        Kind::Invalid,
        ErrorCode::MalformedBody,
        "The report cannot be read.",
    )
    .field(
        "body",
        ErrorCode::NotAReport,
        "The body is not a report of a browser.",
    )
}

/// Counts what a page's content security policy blocked.
#[utoipa::path(
    post, path = "/api/csp-reports", tag = "analytics",
    request_body(
        content = Vec<CspReport>, content_type = "application/reports+json",
        description = "Also `application/csp-report`, one object `{\"csp-report\": …}`, as browsers without the Reporting API send it",
    ),
    responses(
        (status = 204, description = "Counted; at most 20 reports of one request"),
        (status = 429, body = ProblemBody, content_type = "application/problem+json", description = "RATE_LIMITED, with `Retry-After`"),
    )
)]
pub async fn report(State(app): State<Arc<AppState>>, Violations(violations): Violations) -> StatusCode {
    for violation in violations.iter().take(COUNTED_MAX) {
        let labels = [
            ("directive", directive_of(violation)),
            ("source", source_of(violation, app.config.site.origin())),
        ];
        metrics::counter!("gateway_csp_reports_total", &labels).increment(1);
    }
    StatusCode::NO_CONTENT
}

/// One of [`DIRECTIVES`], or [`OTHER`].
fn directive_of(violation: &CspViolation) -> &'static str {
    let named = violation.effective_directive.as_deref().unwrap_or_default();
    let name = named.split_ascii_whitespace().next().unwrap_or_default();
    let known = DIRECTIVES.into_iter().find(|known| *known == name);
    known.unwrap_or(OTHER)
}

/// What kind of source was blocked: never the source itself.
fn source_of(violation: &CspViolation, own_origin: &str) -> &'static str {
    let blocked = violation.blocked_url.as_deref().unwrap_or_default();
    let word = ["inline", "eval", "wasm-eval", "data", "blob"]
        .into_iter()
        .find(|word| *word == blocked);
    if let Some(word) = word {
        return word;
    }
    let Ok(url) = Url::parse(blocked) else {
        return OTHER;
    };
    match url.scheme() {
        "http" | "https" if url.origin().ascii_serialization() == own_origin => "own_site",
        "http" | "https" | "ws" | "wss" => "other_site",
        "data" => "data",
        "blob" => "blob",
        // A visitor's extension puts its own scripts into pages: no error of the page.
        scheme if scheme.ends_with("-extension") => "extension",
        _ => OTHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "https://stillpoint.example";

    fn labels(directive: &str, blocked: &str) -> (&'static str, &'static str) {
        let violation = CspViolation {
            effective_directive: Some(directive.to_owned()),
            blocked_url: Some(blocked.to_owned()),
        };
        (directive_of(&violation), source_of(&violation, OWN))
    }

    #[test]
    fn labels_name_the_directive_and_the_kind_of_source() {
        for (directive, blocked, expected) in [
            (
                "script-src-elem",
                "https://evil.example/a.js?email=ada@example.org",
                ("script-src-elem", "other_site"),
            ),
            (
                "script-src 'self' https://js.stripe.com",
                "inline",
                ("script-src", "inline"),
            ),
            (
                "img-src",
                "https://stillpoint.example/a.png",
                ("img-src", "own_site"),
            ),
            ("font-src", "data:font/woff2;base64,AA", ("font-src", "data")),
            ("connect-src", "wss://evil.example", ("connect-src", "other_site")),
            (
                "style-src-elem",
                "moz-extension://0a1b/x.css",
                ("style-src-elem", "extension"),
            ),
        ] {
            assert_eq!(labels(directive, blocked), expected, "{directive} {blocked}");
        }
    }

    #[test]
    fn invented_reports_make_no_new_label() {
        for invented in ["ada@example.org", "", "x-src", "javascript:alert(1)", "\u{0}"] {
            assert_eq!(labels(invented, invented), (OTHER, OTHER), "{invented}");
        }
        let empty = CspViolation::default();
        assert_eq!((directive_of(&empty), source_of(&empty, OWN)), (OTHER, OTHER));
    }

    #[test]
    fn directive_of_an_older_browser_is_the_first_word_of_the_violated_one() {
        let text = r#"{"csp-report": {"violated-directive": "frame-src 'self'", "blocked-uri": "https://evil.example"}}"#;
        let violation = CspViolation::from(parsed::<LegacyCspReport>(text.as_bytes()).unwrap());
        assert_eq!(
            (directive_of(&violation), source_of(&violation, OWN)),
            ("frame-src", "other_site")
        );
    }
}
