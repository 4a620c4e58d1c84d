//! What a browser reports about content that a page's policy blocked.
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::site::{Site, body_of, header, problem};

const REPORTS: &str = "application/reports+json";
const LEGACY: &str = "application/csp-report";

fn reported(site: &Site, media_type: &'static str, body: &Value) -> RequestBuilder {
    let request = site.request("POST", "/api/csp-reports");
    request.header("content-type", media_type).body(body.to_string())
}

fn violation() -> Value {
    json!({
        "type": "csp-violation", "age": 10, "url": "https://stillpoint.example/en/?token=secret", "user_agent": "Mozilla/5.0",
        "body": {
            "documentURL": "https://stillpoint.example/en/?token=secret", "blockedURL": "https://evil.example/x.js",
            "effectiveDirective": "script-src-elem", "disposition": "enforce", "statusCode": 200, "originalPolicy": "default-src 'self'",
        },
    })
}

#[tokio::test]
async fn page_names_an_endpoint_that_takes_what_browsers_send() {
    let site = Site::start().await;
    let page = site.get("/en/").send().await.unwrap();
    assert_eq!(header(&page, "reporting-endpoints"), "csp=\"/api/csp-reports\"");
    let policy = header(&page, "content-security-policy");
    assert!(
        policy.ends_with("; report-uri /api/csp-reports; report-to csp"),
        "{policy}"
    );

    let legacy = json!({"csp-report": {"violated-directive": "img-src 'self'", "blocked-uri": "https://evil.example", "line-number": 3}});
    let of_another_kind = json!([{"type": "deprecation", "body": {"id": "x"}}, {"type": "csp-violation"}]);
    for (media_type, body) in [
        (REPORTS, json!([violation(), violation()])),
        (REPORTS, json!([])),
        (REPORTS, of_another_kind),
        (LEGACY, legacy),
    ] {
        let response = reported(&site, media_type, &body).send().await.unwrap();
        assert_eq!(response.status(), 204, "{body}");
    }
    // Browsers send reports without a page, so no header says which site they come from.
    let foreign = reported(&site, REPORTS, &json!([violation()])).header("sec-fetch-site", "cross-site");
    assert_eq!(foreign.send().await.unwrap().status(), 204);
}

#[tokio::test]
async fn what_is_no_report_is_refused() {
    let site = Site::start().await;
    for (media_type, body) in [
        (REPORTS, json!({})),
        (REPORTS, json!([{"type": 1}])),
        (REPORTS, json!([["csp-violation"]])),
        (REPORTS, json!([{"type": "csp-violation", "body": [null, null]}])),
        (LEGACY, json!([{"blocked-uri": "inline"}])),
        (
            REPORTS,
            json!([{"type": "csp-violation", "body": {"blockedURL": {}}}]),
        ),
        (LEGACY, json!([])),
        (LEGACY, json!({"csp-report": "x"})),
    ] {
        let refused = problem(reported(&site, media_type, &body)).await;
        assert_eq!(refused, (400, "MALFORMED_BODY".into()), "{body}");
    }
    let as_json = problem(reported(&site, "application/json", &json!([violation()]))).await;
    assert_eq!(as_json, (415, "UNSUPPORTED_MEDIA_TYPE".into()));
    let large = json!([{"type": "csp-violation", "url": "x".repeat(70_000)}]);
    assert_eq!(
        problem(reported(&site, REPORTS, &large)).await,
        (413, "BODY_TOO_LARGE".into())
    );
}

#[tokio::test]
async fn reports_of_one_client_are_limited_and_cost_its_other_calls_nothing() {
    let site = Site::with(&[("CSP_REPORTS_PER_MINUTE", "2")]).await;
    let send = || reported(&site, REPORTS, &json!([violation()])).send();
    for _ in 0..2 {
        assert_eq!(send().await.unwrap().status(), 204);
    }
    let refused = send().await.unwrap();
    assert_eq!(refused.status(), 429);
    assert!(!header(&refused, "retry-after").is_empty());
    assert_eq!(body_of(refused).await["code"], "RATE_LIMITED");
    assert_eq!(site.get("/api/country").send().await.unwrap().status(), 200);
}
